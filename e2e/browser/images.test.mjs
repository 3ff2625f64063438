// Pictures in terminals: sixel and iTerm's.

import assert from "node:assert/strict";
import { deflateSync, crc32 } from "node:zlib";

import { until } from "../support/until.mjs";
import { scenario, session } from "../support/world.mjs";

/** Waits until what draws pictures has come, which is after the window is up. */
const ready = (app) =>
  until("the addon is there", () =>
    app.page.evaluate(() => performance.getEntriesByType("resource").some((r) => /addon-image/.test(r.name))),
  );

/** How many pixels of a colour are drawn as pictures in a terminal, by how they are mostly: "red", "green", "blue". */
const drawn = (term) =>
  term.element.locator(".xterm-image-layer").first().evaluate((canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const found = { red: 0, green: 0, blue: 0 };
    for (let i = 0; i < data.length; i += 4) {
      const [r, g, b, a] = data.subarray(i, i + 4);
      if (a < 200) continue;
      if (r > 200 && g < 60 && b < 60) found.red++;
      if (g > 200 && r < 60 && b < 60) found.green++;
      if (b > 200 && r < 60 && g < 60) found.blue++;
    }
    return found;
  });

/** A sixel picture in one colour. */
const sixel = (width, height, colour) =>
  `\x1bPq"1;1;${width};${height}#1;2;${colour}${`#1!${width}~-`.repeat(height / 6)}\x1b\\`;

/** A PNG in one colour. */
function png(width, height, [r, g, b]) {
  const chunk = (kind, data) => {
    const body = Buffer.concat([Buffer.from(kind), data]);
    const out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE(crc32(body), body.length + 4);
    return out;
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, Buffer.from([r, g, b]))]);
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(Buffer.concat(Array(height).fill(row)))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

const inline = (data, more = "") =>
  `\x1b]1337;File=inline=1;size=${data.length}${more}:${data.toString("base64")}\x07`;

session("sixel and iTerm pictures are drawn, and a word stands for them afterwards", async (app, world) => {
  const term = await app.newTerminal();
  await ready(app);
  world.write("red.six", sixel(120, 60, "100;0;0"));
  world.write("blue.iterm", inline(png(90, 54, [0, 0, 255])));
  await term.run("clear; cat red.six; echo; cat blue.iterm; echo; echo be''low");
  await term.shows(/^below$/m);
  await until("both are drawn", async () => {
    const { red, blue } = await drawn(term);
    return red === 120 * 60 && blue === 90 * 54;
  });
  if (process.env.DROVER_PICTURES) await app.page.screenshot({ path: `${process.env.DROVER_PICTURES}/images.png` });
  // The page and the backend agree where the cursor is.
  const at = (await term.lines()).findIndex((line) => line.startsWith("below"));
  await term.run("printf '\\033[6n'; IFS= read -rsd R place; echo \"${place#*[} is the row\"");
  await term.shows(/\d+;\d+ is the row/);
  const [, row] = /(\d+);\d+ is the row/.exec(await term.text());
  assert.equal(Number(row), at + 3);

  await app.page.reload();
  await term.shows(/^\[image\]$/m);
  const lines = (await term.lines()).map((line) => line.trimEnd());
  assert.deepEqual([lines.filter((line) => line === "[image]").length, lines.indexOf("below")], [2, at]);
});

session("a large picture is drawn, and one that is too large or damaged harms nothing", async (app, world) => {
  const term = await app.newTerminal();
  await ready(app);
  // Noise does not compress: this is a megabyte in the stream.
  let seed = 1;
  const noise = Array.from({ length: 200 }, () =>
    Array.from({ length: 2600 }, () => String.fromCharCode(63 + ((seed = (seed * 1103515245 + 12345) % 2147483648) % 63) + 1)).join(""),
  ).join("-");
  world.write("large.six", `\x1bPq"1;1;2600;1200#1;2;0;100;0#1${noise}\x1b\\`);
  await term.run("clear; cat large.six; echo be''low");
  await term.shows(/below/);
  await until("it is drawn", async () => (await drawn(term)).green > 10_000);
  world.write("broken", `\x1bPq"1;1;99999;99999#1;2;100;0;0#1~~\x1b\\\x1bPq!!!#;;;\x1b\\${inline(Buffer.from("no picture"))}\x1b]1337;File=inline=1;size=5:%%%%\x07\x1bPq#1~~`);
  await term.run("clear; cat broken; printf '\\033\\\\'; echo st''ill");
  await term.shows(/^still/m);
  await term.run("echo ali''ve");
  await term.shows(/^alive$/m);
});

scenario("without pictures nothing of them is fetched or offered", async (world) => {
  world.settings('{"terminal": {"images": false}}\n');
  await world.serve();
  const app = await world.open();
  const term = await app.newTerminal();
  world.write("red.six", sixel(120, 60, "100;0;0"));
  await term.run("clear; cat red.six; printf '\\033[c'; IFS= read -rsd c offered; echo \"${offered#*[} offered\"");
  await term.shows(/^\?1;2 offered/m);
  assert.equal(await term.element.locator(".xterm-image-layer").count(), 0);
  assert.equal(
    await app.page.evaluate(() => performance.getEntriesByType("resource").some((r) => /addon-image/.test(r.name))),
    false,
  );
});

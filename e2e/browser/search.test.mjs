// What terminals have kept: found where the scrollback has lost it, and recorded.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";

import { until } from "../support/until.mjs";
import { session } from "../support/world.mjs";

/** Opens the search over kept output and gives its parts. */
async function search(app) {
  await app.key("Control+Shift+G");
  const dialog = app.page.getByRole("dialog", { name: "Find in output" });
  await dialog.waitFor();
  const status = dialog.getByRole("status");
  return {
    dialog,
    field: dialog.getByRole("combobox"),
    rows: dialog.getByRole("option"),
    text: dialog.getByRole("region", { name: "Text around it" }),
    says: (wanted) =>
      until(`the search says ${wanted}`, async () => wanted.test(await status.innerText()), 60_000),
    gone: () => dialog.waitFor({ state: "hidden" }),
  };
}

session("what the scrollback has lost is found with its surroundings, over all terminals", async (app) => {
  const long = await app.newTerminal();
  await long.run("seq -f 'line %.0f of many' 200000");
  await long.shows("line 200000 of many", 60_000);
  assert.doesNotMatch(await long.allText(), /line 137 of/);
  const short = await app.newTerminal();
  await short.run("echo 'line 13''7 of one'");
  await short.shows("line 137 of one");

  const find = await search(app);
  await app.type("LINE 137 of");
  await find.says(/^1 line, all looked through/);
  assert.deepEqual(await find.rows.allTextContents(), ["line 137 of one"]);

  await find.dialog.getByRole("radio", { name: "All terminals" }).click();
  await find.says(/^2 lines in 2 terminals, all looked through/);
  assert.deepEqual(await find.rows.allTextContents(), ["line 137 of one", "line 137 of many"]);
  await app.key("ArrowDown");
  await until("the text around it", async () => (await find.text.innerText()).includes("line 136 of many"));
  const around = (await find.text.innerText()).split("\n").filter(Boolean);
  assert.deepEqual([around.length, around[0], around.at(-1)], [81, "line 97 of many", "line 177 of many"]);
  assert.equal(await find.text.locator(".hit").innerText(), "line 137 of many");
  assert.equal(await find.text.locator("mark").innerText(), "line 137 of");

  await app.key("End");
  await app.key("Control+C");
  await until(
    "the line is copied",
    async () => (await app.page.evaluate(() => navigator.clipboard.readText())) === "line 137 of many",
  );
  // The terminal has lost it: that is said, and a second Enter goes there all the same.
  await app.key("Enter");
  await find.dialog.getByRole("alert").filter({ hasText: "does not show this line any more" }).waitFor();
  await app.key("Enter");
  await find.gone();
  await long.hasKeys();

  // It comes again as it was left; with the case it finds none.
  const again = await search(app);
  await again.says(/^2 lines/);
  await app.key("Alt+c");
  await again.says(/^All looked through/);
  await app.key("Alt+r");
  await again.field.fill("of (many");
  await again.says(/no regular expression/);
  assert.equal(await again.field.getAttribute("aria-invalid"), "true");
  assert.equal(await again.rows.count(), 0);
  await again.field.fill("line (7|8)00 of many$");
  await again.says(/^2 lines, all/);
  await app.key("Escape");
  await again.gone();
  await long.hasKeys();
});

/** What is marked on a terminal's screen: the row, and how often its like stands above it in all that is kept. */
async function marked(app, term) {
  const row = await until("a row is marked", async () => {
    const at = await term.element.locator(".xterm-selection > div").first().boundingBox();
    const rows = await term.element.locator(".xterm-rows > div").all();
    for (const row of rows) {
      const box = await row.boundingBox();
      if (at && Math.abs(box.y - at.y) < 2) return row;
    }
    return undefined;
  });
  return (await row.innerText()).replaceAll("\u00a0", " ").trimEnd();
}

session("from a line that was found one goes to it in the terminal, also among others like it", async (app, world) => {
  const term = await app.newTerminal();
  // Every tenth line is the same; what stands above it says which one it is.
  world.write("same.sh", "for i in $(seq 300); do echo above $i; echo; echo 'the\tsame lïne'; done\n");
  await term.run("bash same.sh");
  await term.shows(/above 300/);
  const goTo = async (text, downs) => {
    const find = await search(app);
    await find.field.fill(text);
    await find.says(/lines?.*, all looked through/);
    await app.key("Home");
    for (let n = 0; n < downs; n++) await app.key("ArrowDown");
    await app.key("Enter");
    await find.gone();
    await term.hasKeys();
  };
  const isThere = async (number) => {
    assert.equal(await marked(app, term), "the     same lïne");
    const lines = (await term.lines()).map((line) => line.trimEnd());
    // It stands a third down the screen.
    const at = Math.floor(lines.length / 3);
    assert.deepEqual(lines.slice(at - 2, at + 1), [`above ${number}`, "", "the     same lïne"]);
  };
  await goTo("same lïne", 0);
  assert.equal(await marked(app, term), "the     same lïne");
  await goTo("same lïne", 17);
  await isThere(283);

  // After a resize, which wraps what is long, and after more output.
  await app.page.setViewportSize({ width: 760, height: 620 });
  await term.run(`printf '%0.sxyz ' $(seq 400); seq 200`);
  await term.shows(/^200\n\$ $/m);
  await goTo("same lïne", 30);
  await isThere(270);

  // Behind a flood all of them are gone; what is new is found again.
  await term.run("seq 300000; touch flooded; bash same.sh");
  await until("the flood is over", () => world.exists("flooded"), 60_000);
  await term.shows(/above 300/);
  await goTo("same lïne", 40);
  await isThere(260);
});

session("a search stops at enough lines, and for good when it is left", async (app) => {
  const term = await app.newTerminal();
  await term.run("seq -f 'line %.0f' 20000");
  await term.shows("line 20000");
  await app.key("Control+Shift+F");
  await app.type("line");
  await term.element.getByRole("button", { name: "In all of it" }).click();
  const dialog = app.page.getByRole("dialog", { name: "Find in output" });
  const rows = dialog.getByRole("option");
  await until("enough lines", async () => (await rows.count()) === 1000);
  assert.equal(await dialog.getByRole("combobox").inputValue(), "line");
  await dialog.getByRole("button", { name: "Go on for 1000 lines more" }).click();
  await until("more lines", async () => (await rows.count()) === 2000);
  assert.equal(await rows.last().textContent(), "line 18001");

  // Holds each answer to a search until it is let go.
  await app.page.evaluate(() => {
    const { api } = window.go;
    const { Terminals } = api;
    window.asked = 0;
    const search = async (request) => {
      window.asked++;
      const answer = await Terminals.Search(request);
      await new Promise((go) => (window.answer = go));
      return answer;
    };
    const over = (object, name, value) =>
      new Proxy(object, { get: (own, key) => (key === name ? value : own[key]) });
    window.go = { api: over(api, "Terminals", over(Terminals, "Search", search)) };
  });
  await dialog.getByRole("combobox").fill("line 1");
  await until("a call is under way", () => app.page.evaluate(() => window.answer !== undefined));
  await app.key("Escape");
  await dialog.waitFor({ state: "hidden" });
  await app.page.evaluate(() => window.answer());
  assert.equal(await app.page.evaluate(() => window.asked), 1);
});

session("a recording is saved and played; a damaged one says so", async (app, world) => {
  /** Plays what the dialogue names, and gives the terminal. */
  const play = async (path) => {
    const before = Object.keys((await app.model()).blocks);
    await app.palette("Play a recording");
    const field = app.page.getByRole("dialog", { name: "Play a recording" }).getByLabel("File");
    await field.waitFor();
    if (path) await field.fill(path);
    await app.key("Enter");
    const block = await until("a new terminal", async () =>
      Object.keys((await app.model()).blocks).find((id) => !before.includes(id)),
    );
    const term = app.terminal(block);
    await term.hasKeys();
    return term;
  };
  const term = await app.newTerminal();
  await term.run("echo mar''ked");
  await term.shows("marked");
  await app.palette("Save a recording");
  await app.says("The recording is saved");
  const name = readdirSync(world.home).find((file) => file.endsWith(".cast"));
  await app.says(name);
  const [head, ...events] = world.read(name).trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.equal(head.version, 2);
  assert.match(events.map(([, , text]) => text).join(""), /marked/);

  const played = await play();
  await played.shows("marked");
  assert.equal((await app.model()).blocks[played.block].command[1], "play");

  world.write("torn.cast", `${JSON.stringify(head)}\n[0.5,"o","so far`);
  const torn = await play("~/torn.cast");
  await torn.shows("damaged");
});

// What programs and files may try: links that are not what they seem, titles,
// the clipboard, damaged recordings.

import assert from "node:assert/strict";
import { hostname } from "node:os";

import { until } from "../support/until.mjs";
import { scenario, session } from "../support/world.mjs";

/** Notes what would be opened outside, in place of opening it. */
const watchLinks = (app) =>
  app.page.evaluate(() => {
    window.opened = [];
    const { api } = window.go;
    const over = (object, name, value) =>
      new Proxy(object, { get: (own, key) => (key === name ? value : own[key]) });
    const open = async (url) => void window.opened.push(url);
    window.go = { api: over(api, "App", over(api.App, "OpenLink", open)) };
    window.open = (url) => void window.opened.push(String(url));
  });
const opened = (app) => app.page.evaluate(() => window.opened);

session("a link opens only where it may, and says before where it goes", async (app, world) => {
  const term = await app.newTerminal();
  await watchLinks(app);
  const links = [
    ["javascript:window.opened.push('run')", false],
    ["JaVaScRiPt:alert(1)", false],
    ["data:text/html,<script>alert(1)</script>", false],
    ["file://elsewhere.invalid/share/run.exe", false],
    ["vscode://file/etc/passwd", false],
    ["https://hidden.invalid/target", true],
    [`file://${hostname()}/etc/hostname`, true],
    ["mailto:ada@example.invalid", true],
  ];
  const text = links.map(([url]) => `\x1b]8;;${url}\x1b\\https://seems.invalid/\x1b]8;;\x1b\\\n`).join("");
  world.write("links", text);
  await term.run("clear; cat links");
  await term.shows(/^(https:\/\/seems\.invalid\/\n){8}\$ /m);
  const rows = term.element.locator(".xterm-rows > div");
  const target = term.element.locator(".term-target");
  for (const [at, [url, opens]] of links.entries()) {
    const row = await rows.nth(at).boundingBox();
    const [x, y] = [row.x + 40, row.y + row.height / 2];
    await app.page.mouse.move(x, y);
    await app.page.mouse.move(x + 4, y);
    await until(`${url} is shown`, async () => (await target.innerText()).includes(url));
    assert.equal((await target.innerText()).includes("is not opened"), !opens, url);
    // Without the key a click is the program's, or nothing.
    await app.page.mouse.click(x + 4, y);
    assert.deepEqual(await opened(app), [], url);
    await app.page.keyboard.down("Control");
    await app.page.mouse.click(x + 4, y);
    await app.page.keyboard.up("Control");
    if (opens) {
      await until(`${url} is opened`, async () => (await opened(app)).length === 1);
      assert.deepEqual(await opened(app), [url]);
      await app.page.evaluate(() => window.opened.splice(0));
    } else {
      await app.says("This link is not opened");
      assert.deepEqual(await opened(app), [], url);
      await app.page.getByRole("button", { name: "Dismiss" }).first().click();
    }
    await app.page.mouse.move(5, 5);
    await target.waitFor({ state: "hidden" });
  }
});

session("a title is one line of plain text on its tab, however it was meant", async (app, world) => {
  const term = await app.newTerminal();
  const tab = app.page.locator(".tab .nm");
  const before = await tab.boundingBox();
  // The first has marks that turn it round, and breaks; the second is very long.
  const titles = [`tar \u202egpj\u2066.ex\u200ee\u2028\x01\x7f\u061cx`, "long ".repeat(4000)];
  world.write("title.py", `import sys,time\nfor t in ${JSON.stringify(titles)}:\n  sys.stdout.write("\\x1b]2;"+t+"\\x1b\\\\"); sys.stdout.flush()\n  sys.stdin.readline()\n`);
  await term.run("python3 title.py");
  await until("the title", async () => (await tab.innerText()) === "tar gpj.exex");
  await app.type("\n");
  await until("the long title", async () => (await tab.innerText()).startsWith("long long"));
  assert.ok((await tab.textContent()).length <= 1024);
  const after = await tab.boundingBox();
  assert.equal(after.height, before.height);
  const dock = await app.page.locator(".panes").boundingBox();
  assert.ok(after.x + after.width <= dock.x + dock.width, "the tab stays within its pane");
  assert.equal(await app.page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
  await app.type("\n");
});

session("a program puts text into the clipboard with a word about it, and never reads it", async (app, world) => {
  const term = await app.newTerminal();
  const clipboard = () => app.page.evaluate(() => navigator.clipboard.readText());
  await app.page.evaluate(() => navigator.clipboard.writeText("a secret"));
  // What is asked would be answered into the terminal, where cat takes it down.
  await term.run("printf '\\033]52;c;?\\a'; timeout 2 cat > answer; echo ov''er");
  await app.says("wanted to read the clipboard");
  await term.shows(/^over$/m);
  assert.equal(world.read("answer"), "");
  assert.equal(await clipboard(), "a secret");
  const other = await app.newTerminal();
  await other.run(`printf '\\033]52;c;%s\\a' ${Buffer.from("from a program").toString("base64")}`);
  await app.says("put text into the clipboard");
  await until("it is there", async () => (await clipboard()) === "from a program");
});

const head = JSON.stringify({ version: 2, width: 80, height: 24 });
const damaged = {
  empty: ["", "the recording is empty"],
  text: ["what a day\n", "this is no recording"],
  old: ['{"version":1,"width":80,"height":24,"stdout":[]}\n', "asciicast of version 1"],
  huge: [`${JSON.stringify({ version: 2, width: 1e9, height: 24 })}\n`, "the recording is damaged: a screen of"],
  torn: [`${head}\n[0,"o","so far\\r\\n"]\n[0.5,"o","cut sh`, "the recording is damaged in line 3"],
  time: [`${head}\n[-1,"o","so far"]\n`, "the recording is damaged in line 2: -1 is no time"],
  kind: [`${head}\n[1,2,3]\n`, "the recording is damaged in line 2"],
};

session("a damaged recording says what is wrong with it", async (app, world) => {
  const term = await app.newTerminal();
  for (const [name, [text]] of Object.entries(damaged)) world.write(`${name}.cast`, text);
  const { binary } = await app.call("App.Hello");
  await term.run("clear; PS1='> '");
  for (const [name, [, says]] of Object.entries(damaged)) {
    await term.run(`clear; '${binary}' play ${name}.cast; echo "${name} ended $?"`);
    await term.shows(new RegExp(`^${name} ended 1$`, "m"));
    const joined = (await term.lines()).map((line) => line.trimEnd()).join("");
    assert.ok(joined.includes(`cannot play ${name}.cast: `), joined);
    assert.ok(joined.includes(says), joined);
  }
  // The dialogue plays in a terminal, which stays and says the same.
  await app.palette("Play a recording");
  const field = app.page.getByRole("dialog", { name: "Play a recording" }).getByLabel("File");
  await field.fill("~/text.cast");
  await app.key("Enter");
  await app.says(/this is no recording: its first line is not the header/);
});

// One terminal: its size, search, clipboard, links, drops, and a viewer that
// does not keep up.

import assert from "node:assert/strict";

import { until } from "../support/until.mjs";
import { scenario, session } from "../support/world.mjs";

const clipboard = (app) => app.page.evaluate(() => navigator.clipboard.readText());
const copied = (app, text) => app.page.evaluate((value) => navigator.clipboard.writeText(value), text);

session("a program learns that its terminal was resized", async (app, world) => {
  const term = await app.newTerminal();
  world.write("watch.sh", "trap 'stty size > size' WINCH\nstty size > first\nwhile :; do sleep 0.05; done\n");
  await term.run("bash watch.sh");
  const first = await world.wrote("first");
  await app.page.setViewportSize({ width: 900, height: 600 });
  const next = await world.wrote("size");
  assert.notEqual(next, first);
  const rows = (await term.lines()).length;
  await until("both agree", () => Number(world.read("size").split(" ")[0]) === rows);
  await app.key("Control+C");
  await term.shows(/\^C\s+\$ $/m);
});

scenario("a program is born with the size that its pane has, and hears of no other", async (world) => {
  // The dock would take a line for the command.
  world.settings('{"view": {"dockShown": false}}\n');
  await world.serve();
  const app = await world.open();
  await app.newTerminal();
  const watch = "trap 'echo changed >> sizes' WINCH; stty size > sizes; for i in 1 2 3 4 5 6 7 8 9; do sleep 0.05; done; echo end >> sizes; read x";
  world.write("watch.sh", watch);
  await app.key("Control+Shift+N");
  await app.page.getByRole("dialog", { name: "New terminal" }).getByLabel("Command").fill("sh watch.sh");
  await app.key("Enter");
  const sizes = await until("the end", () => /end/.test(world.read("sizes")) && world.read("sizes"));
  const rows = await app.page.locator("[data-terminal]:last-of-type .xterm-rows").last().locator("> div").count();
  assert.match(sizes, new RegExp(`^${rows} \\d+\nend\n$`));
});

session("the search counts, goes on, and gives the keys back", async (app) => {
  const term = await app.newTerminal();
  await term.run("for i in 1 2 3; do echo nee''dle $i; done");
  await term.shows("needle 3");
  await app.key("Control+Shift+F");
  await term.element.getByLabel("Find in this terminal").fill("needle");
  const said = term.element.locator(".term-find output");
  // The newest first: the third line of output.
  await until("the count", async () => (await said.innerText()) === "3 of 3");
  await app.key("Enter");
  await until("the one above", async () => (await said.innerText()) === "2 of 3");
  await app.key("Shift+Enter");
  await until("the one below", async () => (await said.innerText()) === "3 of 3");
  await app.key("Escape");
  await term.run("echo aft''er");
  await term.shows("after");
});

session("the search begins where the person looks, and goes up from there", async (app) => {
  const term = await app.newTerminal();
  await term.run("for i in $(seq 300); do echo nee''dle $i; done");
  await term.shows("needle 300");
  await app.key("Control+Shift+Home");
  await term.shows(/needle 1$/m);
  await app.key("Control+Shift+F");
  await term.element.getByLabel("Find in this terminal").fill("needle");
  const said = term.element.locator(".term-find output");
  const at = await until("a match", async () => Number(/^(\d+) of 300$/.exec(await said.innerText())?.[1]));
  assert.ok(at > 1 && at < 100, `it begins with ${at}`);
  assert.ok(/needle 2$/m.test(await term.text()), "the view has not moved");
  await app.key("Enter");
  await until("the one above", async () => (await said.innerText()) === `${at - 1} of 300`);
});

session("what is selected is copied, and pasted again", async (app, world) => {
  const term = await app.newTerminal();
  await term.run("clear; echo wo''rd");
  await term.shows(/^word/);
  const row = await term.element.locator(".xterm-rows > div").first().boundingBox();
  await app.page.mouse.dblclick(row.x + 12, row.y + row.height / 2);
  await app.key("Control+Shift+C");
  await until("the clipboard", async () => (await clipboard(app)) === "word");
  await app.type("echo ");
  await app.key("Control+Shift+V");
  await term.shows("$ echo word");
  await app.type(" > pasted\n");
  assert.equal(await world.wrote("pasted"), "word");
});

session("several lines are pasted only after a yes", async (app, world) => {
  const term = await app.newTerminal();
  // A program that does not mark pastes; bash itself would not run them.
  await term.run("bind 'set enable-bracketed-paste off'; cat > taken");
  await until("cat reads", () => app.call("Controllers.Modes", { block: term.block }).then((m) => m.canonical));
  await copied(app, "one\ntwo\n");
  const question = term.element.getByRole("alertdialog");
  await app.key("Control+Shift+V");
  await question.waitFor();
  assert.match(await question.innerText(), /Paste 2 lines\?/);
  await app.key("Escape");
  await question.waitFor({ state: "hidden" });
  await term.hasKeys();
  await app.key("Control+Shift+V");
  await question.getByRole("button", { name: "Paste", exact: true }).click();
  await term.shows(/one\s+two/);
  await app.key("Control+D");
  await until("cat has them once", () => world.read("taken") === "one\ntwo\n");
});

session("an address over several lines is one link", async (app) => {
  const term = await app.newTerminal();
  const url = `https://example.invalid/${"x".repeat(176)}`;
  assert.equal(url.length, 200);
  await app.page.setViewportSize({ width: 900, height: 700 });
  await until("80 columns or less", async () => (await term.box()).width < 660);
  await term.run(`clear; printf 'https://exam''ple.invalid/%s\\n' ${"x".repeat(176)}`);
  await term.shows("https://example.invalid/xxx");
  const rows = term.element.locator(".xterm-rows > div");
  const target = term.element.locator(".term-target");
  for (const at of [0, 1, 2]) {
    const row = await rows.nth(at).boundingBox();
    await app.page.mouse.move(row.x + 20, row.y + row.height / 2);
    await app.page.mouse.move(row.x + 24, row.y + row.height / 2);
    await until(`line ${at} is part of it`, async () => (await target.innerText()).includes(url));
    await app.page.mouse.move(5, 5);
    await target.waitFor({ state: "hidden" });
  }
});

session("a dropped file gives its path, and never takes the place of the page", async (app) => {
  const term = await app.newTerminal();
  const { url } = app.server;
  const drop = (selector) =>
    app.page.evaluate((where) => {
      const data = new DataTransfer();
      data.setData("text/uri-list", "file:///srv/a%20file.txt");
      data.items.add(new File(["x"], "a file.txt"));
      const el = document.querySelector(where);
      const event = (type) => new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data });
      return ["dragover", "drop"].map((type) => el.dispatchEvent(event(type)));
    }, selector);
  // dispatchEvent is false when the browser's own answer was prevented.
  for (const selector of [".title", ".tree", ".status", ".term-screen .xterm-screen"]) {
    assert.deepEqual(await drop(selector), [false, false], selector);
  }
  await term.shows(/'?\/srv\/a(\\ | )file\.txt'?/);
  assert.equal(app.page.url().replace(/\/$/, ""), url);
});

session("a viewer that has stopped holds neither the program nor another viewer", async (app, world) => {
  const term = await app.newTerminal();
  const other = await world.open();
  const same = other.terminal(term.block);
  await same.shows(/\$ $/m);
  await same.click();
  // The first page's script stands still: it acknowledges nothing any more.
  const stopped = await app.page.context().newCDPSession(app.page);
  await stopped.send("Debugger.enable");
  await stopped.send("Debugger.pause");
  void app.page.evaluate(() => 1).catch(() => {});
  await same.run("yes | head -c 2M; echo en''ded > ended; echo th''ere");
  assert.equal(await world.wrote("ended", 30_000), "ended");
  await same.shows("there", 30_000);
  await stopped.send("Debugger.resume");
  await stopped.detach();
  await term.shows("there", 30_000);
});

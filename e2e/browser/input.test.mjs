// What a person puts in by other means than keys, and what they get who do not see.

import assert from "node:assert/strict";

import { until } from "../support/until.mjs";
import { scenario, session } from "../support/world.mjs";

session("composed text is typed once, whole, and in its order", async (app, world) => {
  const term = await app.newTerminal();
  const ime = await app.page.context().newCDPSession(app.page);
  // A busy page: what it does later, it does late.
  await ime.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  const compose = (text) =>
    ime.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
  const commit = (text) => ime.send("Input.insertText", { text });
  await term.run("cat > typed");
  await until("cat reads", () => app.call("Controllers.Modes", { block: term.block }).then((m) => m.canonical));

  // Kana become kanji; what stands on the way is shown but not typed.
  for (const step of ["n", "に", "にh", "にほん", "日本"]) await compose(step);
  await commit("日本");
  // The next follows at once.
  await compose("ご");
  await commit("語");
  await app.key("Enter");
  await until("the first line", () => world.read("typed") === "日本語\n");

  // Between plain keys.
  await app.type("a");
  await compose("한");
  await commit("한");
  await app.type("b");
  await compose("글");
  await commit("글");
  await app.type("c\n");
  await until("the second line", () => world.read("typed").endsWith("\na한b글c\n"));

  // Given up, and then the same again; one that needs two code units; a dead key.
  await compose("かん");
  await compose("");
  await compose("𠮷");
  await commit("𠮷");
  await compose("´");
  await commit("é");
  await commit("👍");
  await app.key("Enter");
  await until("the third line", () => world.read("typed").endsWith("\n𠮷é👍\n"));
  await app.key("Control+D");
  await term.shows(/\$ $/m);
  assert.equal(world.read("typed"), "日本語\na한b글c\n𠮷é👍\n");
});

scenario("a screen reader finds every row, hears what comes, and has the text as text", async (world) => {
  world.settings('{"terminal": {"screenReader": true}}\n');
  await world.serve();
  const app = await world.open();
  const term = await app.newTerminal();
  await term.run("clear; seq -f 'row %.0f of it' 5");
  await term.shows(/row 5 of it/);
  const tree = term.element.locator(".xterm-accessibility-tree");
  const rows = tree.getByRole("listitem");
  const text = async () => (await rows.allTextContents()).map((row) => row.replaceAll("\u00a0", " ").trimEnd());
  await until("a row for each row", async () => (await rows.count()) === (await term.lines()).length);
  await until("the rows are told", async () => (await text()).slice(0, 6).join() === [1, 2, 3, 4, 5].map((n) => `row ${n} of it`).join() + ",$");
  assert.equal(await rows.nth(2).getAttribute("aria-posinset"), "3");
  assert.equal(await rows.nth(2).getAttribute("aria-setsize"), String(await rows.count()));
  const heard = term.element.locator("[aria-live='assertive']").first();
  await app.type("echo he''ard\n");
  await until("it is heard", async () => (await heard.textContent()).includes("heard"));
  assert.ok(await term.element.getByRole("textbox", { name: "Terminal input" }).count(), "the keys have a name");
  assert.match(await term.allText(), /^row 1 of it\n(.*\n)*heard\n\$/);
});

session("without a screen reader its rows cost nothing", async (app) => {
  const term = await app.newTerminal();
  assert.equal(await term.element.locator(".xterm-accessibility-tree").count(), 0);
  await app.call("Settings.Set", { path: "terminal.screenReader", value: true });
  await term.element.locator(".xterm-accessibility-tree [role=listitem]").first().waitFor({ state: "attached" });
});

for (const [length, title] of [
  [3000, "a prompt of 3,000 characters reaches a program in raw mode whole, in one pair of marks"],
  [20_000, "a prompt of 20,000 characters reaches a program in raw mode whole, in one pair of marks"],
]) {
  session(title, async (app, world) => {
    world.write("raw.py", reader);
    const term = await app.newTerminal();
    await term.run("python3 raw.py");
    await term.shows("ready");
    const text = `begin ${"0123456789".repeat(length / 10)} end`.slice(-length);
    await app.page.evaluate((value) => navigator.clipboard.writeText(value), text);
    await app.key("Control+Shift+V");
    await app.key("Enter");
    await app.type("q");
    const got = JSON.parse(await world.wrote("got"));
    assert.equal(got.length, 3, JSON.stringify(got).slice(0, 300));
    assert.deepEqual(got, [`\x1b[200~${text}\x1b[201~`, "\r", "q"]);
  });
}

// Reads as an agent's composer does: bytes as they come, marks of a paste asked for.
const reader = `
import json, os, sys, tty, termios
old = termios.tcgetattr(0)
tty.setraw(0)
os.write(1, b"\\x1b[?2004hready")
data = b""
while not data.endswith(b"q"):
    data += os.read(0, 65536)
termios.tcsetattr(0, termios.TCSANOW, old)
os.write(1, b"\\x1b[?2004l")
text = data.decode()
end = text.index("\\x1b[201~") + 6
open("got.part", "w").write(json.dumps([text[:end]] + list(text[end:])) + "\\n")
os.rename("got.part", "got")
`;

// Floods, hidden panes and pages that come back: what is shown by screens in
// place of bytes.

import assert from "node:assert/strict";

import { until } from "../support/until.mjs";
import { session } from "../support/world.mjs";

/** The last lines of a terminal's text, without the prompt below them. */
const tail = (text, n) => text.trimEnd().split("\n").slice(0, -1).slice(-n);
const count = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => String(from + i));

session("after a flood the scrollback is the end of what was written", async (app, world) => {
  const term = await app.newTerminal();
  await term.run("seq 3000000; touch done");
  await until("it is done", () => world.exists("done"), 60_000);
  await term.shows(/^3000000\n\$ $/m);
  assert.deepEqual(tail(await term.allText(), 4000), count(3_000_000 - 3999, 3_000_000));
  await term.run("echo aft''er");
  await term.shows("after");
});

session("a flood ends at once when it is told to", async (app) => {
  const term = await app.newTerminal();
  await term.run("yes a long enough line that goes on and on");
  await term.shows("goes on and on");
  await app.key("Control+C");
  await term.shows(/\$ $/m);
  await term.run("echo ali''ve");
  await term.shows(/^alive$/m);
});

session("a pane that was hidden for 100 MB is right when it is shown", async (app, world) => {
  const a = await app.newTerminal();
  await a.run("sleep 0.5; seq 13000000; touch done");
  const b = await app.newTerminal();
  await until("it is done", () => world.exists("done"), 60_000);
  await b.run("exit");
  await a.shows(/^13000000\n\$ $/m);
  assert.deepEqual(tail(await a.allText(), 1000), count(13_000_000 - 999, 13_000_000));
});

session("who reads what was above is left in peace by a flood", async (app, world) => {
  const term = await app.newTerminal();
  await term.run("seq 500; while [ ! -e go ]; do sleep 0.05; done; seq 2000000; touch done");
  await term.shows(/^500$/m);
  await app.key("Control+Shift+Home");
  await term.shows(/^10$/m);
  const before = await term.text();
  world.write("go", "");
  await until("it is done", () => world.exists("done"), 60_000);
  const newer = term.element.getByRole("button", { name: "newer lines" });
  await newer.filter({ hasText: "Many" }).waitFor();
  assert.equal(await term.text(), before);
  await newer.click();
  await term.shows(/^2000000\n\$ $/m);
  assert.deepEqual(tail(await term.allText(), 1000), count(2_000_000 - 999, 2_000_000));
});

session("a page that comes back shows an editor as it was, and asks the shell nothing", async (app, world) => {
  world.write("text", `${count(1, 200).join("\n")}\n`);
  const term = await app.newTerminal();
  await term.run("vim -u NONE -N -c 'set number' text; cat > typed");
  await term.shows(/^ +1 1$/m);
  await app.type("100G");
  await term.shows(/^ *100 100$/m);
  const before = await term.text();
  await app.page.reload();
  await until("the editor is back, with its last message", async () => (await app.terminal(term.block).text()) === before);
  await term.hasKeys();
  await app.type("0ix\x1b");
  await app.key("Escape");
  await term.shows(/^ *100 x100$/m);
  await app.type(":q!\n");
  // It is on the main screen again, in a program that writes down what is typed.
  await term.shows(/cat > typed/);
  await app.page.reload();
  await term.shows(/cat > typed/);
  await term.hasKeys();
  await app.type("only this\n");
  await app.key("Control+D");
  assert.equal(await world.wrote("typed"), "only this");
});

session("an editor that dies leaves nothing of its modes behind", async (app, world) => {
  const term = await app.newTerminal();
  await term.run("exec sh -c 'echo $$ > pid; exec vim -u NONE -N'");
  await term.shows("VIM - Vi IMproved");
  await app.type(":set mouse=a\n");
  const pid = Number(await world.wrote("pid"));
  await app.page.reload();
  await term.shows("VIM - Vi IMproved");
  process.kill(pid, "SIGKILL");
  await term.strip("SIGKILL");
  await term.button("Restart").first().click();
  await term.shows(/\$ $/m);
  await term.run("echo new''ly");
  await term.shows(/^newly$/m);
  assert.doesNotMatch(await term.text(), /\[<|\[M/);
});

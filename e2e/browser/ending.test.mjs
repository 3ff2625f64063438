// How terminals end: closed, taken back, by themselves, and what is said of it.

import assert from "node:assert/strict";
import { mkdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";

import { alive } from "../support/server.mjs";
import { until } from "../support/until.mjs";
import { session } from "../support/world.mjs";

for (const [how, undo] of [
  ["by key", (app) => app.key("Control+Shift+Z")],
  ["by the button", (app) => app.page.locator(".toast").getByRole("button", { name: /^Undo/ }).click()],
]) {
  session(`what was closed comes back as it was, ${how}`, async (app) => {
    const term = await app.newTerminal();
    await term.run("kept=still; echo mar''ked");
    await term.shows("marked");
    const pid = await term.pid();
    await app.key("Control+Shift+W");
    await app.says("What runs in it goes on for 10 s.");
    await until("the pane is away", async () => (await app.blocks()).length === 0);
    assert.ok(alive(pid));
    await undo(app);
    await term.shows("marked");
    assert.equal(await term.pid(), pid);
    await term.click();
    await term.run("echo $kept the''re");
    await term.shows("still there");
  });
}

session("a close that is ended now says what it ended", async (app) => {
  const term = await app.newTerminal();
  const pid = await term.pid();
  await app.key("Control+Shift+W");
  await app.page.locator(".toast").getByRole("button", { name: "End now" }).click();
  await app.says("Closed bash: stopped 1, forced 0, survived 0");
  assert.ok(!alive(pid));
  await term.gone();
});

session("a close that would end something asks, and names it", async (app) => {
  const term = await app.newTerminal();
  await term.run("sleep 1000");
  await until("it runs", async () => JSON.stringify(await app.call("Activity.Snapshot")).includes("sleep"));
  await app.key("Control+Shift+W");
  const question = app.page.getByRole("dialog");
  await question.getByText("sleep 1000").waitFor();
  const frame = await question.boundingBox();
  for (const button of await question.getByRole("button").all()) {
    const { x, width } = await button.boundingBox();
    assert.ok(x >= frame.x && x + width <= frame.x + frame.width, `${await button.textContent()} is cut`);
  }
  await app.key("Escape");
  await question.waitFor({ state: "hidden" });
  await term.isThere();
  await term.hasKeys();
  await app.key("Control+Shift+W");
  await question.waitFor();
  await app.key("Control+Enter");
  await app.page.locator(".toast").getByRole("button", { name: "End now" }).click();
  await app.says(/Closed bash: stopped [12], forced 0, survived 0/);
});

session("the end of a shell closes its pane", async (app) => {
  const a = await app.newTerminal();
  const b = await app.opens(() => app.key("Control+Shift+D"));
  await b.run("exit");
  await b.gone();
  await a.hasKeys();
});

session("a shell that fails keeps its pane, says how, and starts anew in it", async (app) => {
  const term = await app.newTerminal();
  const pid = await term.pid();
  await term.run("echo bef''ore; exit 3");
  await term.strip("Exited with 3");
  await term.isThere();
  await term.button(/^Restart/).click();
  await until("another shell", async () => ![0, pid, undefined].includes((await app.status(term.block))?.pid));
  await term.shows(/before\n(.*\n)*\$ $/m);
  // Longer than a close on exit would take: two commands, one after the other.
  await term.run("sleep 0.5; echo fi''rst");
  await term.shows("first");
  await term.run("sleep 0.5; echo seco''nd");
  await term.shows("second");
  await term.isThere();
  assert.equal(await term.element.locator(".term-strip").count(), 0);
});

session("a shell that is replaced while it runs keeps its pane", async (app) => {
  const term = await app.newTerminal();
  for (let i = 0; i < 3; i++) {
    const pid = await term.pid();
    await app.key("Control+Shift+R");
    await until("another shell", async () => {
      const now = (await app.status(term.block))?.pid;
      return now && now !== pid;
    });
  }
  await term.run("sleep 0.5; echo sta''yed");
  await term.shows("stayed");
  await term.isThere();
});

session("a command has a pane that stays, with its output and its end", async (app) => {
  await app.key("Control+Shift+N");
  const dialog = app.page.getByRole("dialog", { name: "New terminal" });
  await dialog.getByLabel("Command").fill("echo out''put; exit 4");
  await app.key("Enter");
  const block = await until("its pane", async () => Object.keys((await app.model()).blocks)[0]);
  const term = app.terminal(block);
  await term.shows("output");
  await term.strip("Exited with 4");
  await term.button(/^Restart/).click();
  await term.shows(/output[^]*output/);
  await term.strip("Exited with 4");
});

session("what the end of a terminal took with it is said", async (app, world) => {
  const term = await app.command("sleep 1000 & until [ -e ~/go ]; do sleep 0.05; done; exit 5");
  await until("it is known", async () => JSON.stringify(await app.call("Activity.Snapshot")).includes("sleep 1000"));
  world.write("go", "");
  await term.strip("Exited with 5");
  await term.strip(/Hung up with it: sleep \(\d+\)/);
});

session("a command that cannot start says why in its pane", async (app, world) => {
  const dir = join(world.home, "gone");
  mkdirSync(dir);
  const term = await app.command("", { command: ["/no/such/program"], dir });
  await term.strip("It could not start");
  assert.match(await term.element.locator(".term-strip").innerText(), /no such file/i);
  await term.button("Try again").waitFor();
  rmdirSync(dir);
});

// Ends and new starts of the server, and starts that cannot be.

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { alive, binary, processesOf } from "../support/server.mjs";
import { until } from "../support/until.mjs";
import { scenario } from "../support/world.mjs";

/** Two workspaces; in the first a shell in a folder of its own beside a command that ran once. */
async function busy(app, world) {
  mkdirSync(join(world.home, "project"));
  const shell = await app.newTerminal();
  await shell.run("cd project; echo bef''ore");
  await shell.shows("before");
  await app.key("Control+Shift+N");
  const dialog = app.page.getByRole("dialog", { name: "New terminal" });
  await dialog.getByLabel("Command").fill("echo run >> ~/runs; echo in p''rogress; sleep 1000");
  await dialog.getByLabel("Where").selectOption("right");
  await app.key("Enter");
  const id = await until("the command", async () =>
    Object.keys((await app.model()).blocks).find((block) => block !== shell.block),
  );
  const command = app.terminal(id);
  await command.shows("in progress");
  await app.key("Control+Shift+S");
  await app.palette("Rename the workspace");
  await app.page.getByLabel("Name of the workspace").fill("other");
  await app.key("Enter");
  await app.page.getByRole("tab", { name: "workspace 1" }).click();
  await until("it is on screen", async () => (await app.active()).name === "workspace 1");
  await shell.click();
  // The folder of a shell is noted with the activity, once a second.
  await until("its folder is known", async () => (await app.model()).blocks[shell.block].dir.endsWith("/project"));
  return { shell, command, pids: [await shell.pid(), await command.pid()], model: await app.model() };
}

/** What must be the same after a new start. */
async function goesOn(app, world, { shell, command, model }, story) {
  const now = await app.model();
  assert.deepEqual(
    now.workspaces.map(({ name, layout }) => ({ name, root: layout.root })),
    model.workspaces.map(({ name, layout }) => ({ name, root: layout.root })),
  );
  const anew = app.terminal(shell.block);
  await anew.strip(story);
  await anew.shows(/before\n(.*\n)*\$ $/m);
  await anew.click();
  await anew.run("pwd > ~/where");
  assert.equal(await world.wrote("where"), join(world.home, "project"));
  const once = app.terminal(command.block);
  await once.shows("in progress");
  await once.button(/^Restart/).waitFor();
  assert.equal(world.read("runs"), "run\n");
  await once.button(/^Restart/).click();
  await until("it runs again when asked", () => world.read("runs") === "run\nrun\n");
  await anew.button("Dismiss").click();
  await until("the story is read", async () => (await anew.element.locator(".term-strip").count()) === 0);
}

scenario("an ended server says what it ended; a new one goes on where it was", async (world) => {
  const server = await world.serve();
  const app = await world.open();
  app.allow(/WebSocket connection to .* failed/, /ERR_CONNECTION_REFUSED/);
  const before = await busy(app, world);
  const { code } = await server.stop();
  assert.equal(code, 0);
  assert.match(server.stdout, /stopped \d, forced 0, survived 0/);
  assert.ok(before.pids.every((pid) => !alive(pid)));
  assert.deepEqual(processesOf(world.home), []);
  await app.says("Connection lost, trying again");
  // The same address, another key: the page that is open asks for it.
  const next = await world.serve({ port: server.port });
  await app.says("The access key is no longer the right one.", 20_000);
  await app.signIn(next.key);
  await goesOn(app, world, before, "A new shell started in the last folder.");
});

scenario("a killed server loses nothing that a new one could not bring back", async (world) => {
  const server = await world.serve();
  const app = await world.open();
  const before = await busy(app, world);
  await app.page.goto("about:blank");
  assert.equal((await server.stop("SIGKILL")).signal, "SIGKILL");
  await world.serve();
  // What the killed one had left running is ended before anything starts anew.
  assert.ok(before.pids.every((pid) => !alive(pid)));
  await goesOn(await world.open(), world, before, "Drover ended unexpectedly.");
});

scenario("a second server on the same data says who has it", async (world) => {
  const first = await world.serve();
  const second = world.spawn(binary, ["serve", "--listen", "127.0.0.1:0", "--data", world.data]);
  const { code } = await until("its end", () => second.end);
  assert.equal(code, 1);
  assert.match(second.stderr, new RegExp(`another Drover \\(process ${first.pid} `));
});

scenario("a damaged database is set aside and said, and the app starts", async (world) => {
  const server = await world.serve();
  await server.stop();
  writeFileSync(join(world.data, "drover.db"), "this is no database, ".repeat(1000));
  await world.serve();
  const app = await world.open();
  await app.says(/damaged|set aside/i);
  await app.newTerminal();
  assert.ok(readdirSync(world.data).some((name) => /drover\.db.+/.test(name) && !/-(wal|shm)$/.test(name)));
});

scenario("data that cannot be written is said, and the exit code is 1", async (world) => {
  world.write("file", "");
  const data = join(world.home, "file", "data");
  const server = world.spawn(binary, ["serve", "--listen", "127.0.0.1:0", "--data", data]);
  const { code } = await until("its end", () => server.end);
  assert.equal(code, 1);
  assert.match(server.stderr, /^drover: cannot [^]*--data/);
});

scenario("an address that others could reach is refused", async (world) => {
  const server = world.spawn(binary, ["serve", "--listen", "0.0.0.0:0", "--data", world.data]);
  const { code } = await until("its end", () => server.end);
  assert.equal(code, 1);
  assert.match(server.stderr, /only this machine's own addresses/);
});

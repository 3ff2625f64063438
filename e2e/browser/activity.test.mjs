// The swarm tree and the dock: what runs, seen and ended.

import assert from "node:assert/strict";

import { alive } from "../support/server.mjs";
import { until } from "../support/until.mjs";
import { session } from "../support/world.mjs";

session("tree and dock show what a shell runs, and end it", async (app, world) => {
  const term = await app.newTerminal();
  await term.run("sleep 100 & echo $! > pid");
  const pid = Number(await world.wrote("pid"));
  const tree = app.page.getByRole("tree", { name: "Swarm" });
  await tree.getByRole("treeitem").filter({ hasText: "bash" }).first().waitFor();
  const row = tree.getByRole("treeitem").filter({ hasText: "sleep" });
  await row.waitFor();
  const dock = app.page.getByRole("region", { name: "Activity" });
  await dock.locator(".dr").filter({ hasText: "sleep" }).waitFor();
  await row.hover();
  await row.getByRole("button", { name: "End it" }).click();
  await until("it has ended", () => !alive(pid));
  await row.waitFor({ state: "detached" });
  await dock.locator(".lane").filter({ hasText: "Running" }).waitFor({ state: "detached" });
  await term.click();
  await term.run("echo st''ill");
  await term.shows("still");
  assert.ok(alive(await term.pid()));
});

session("a row of the tree shows its terminal, wherever that is", async (app) => {
  const term = await app.newTerminal();
  await app.key("Control+Shift+S");
  await app.says("Start something");
  await app.page.getByRole("tree").getByRole("treeitem").filter({ hasText: "bash" }).first().click();
  await term.hasKeys();
});

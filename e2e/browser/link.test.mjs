// The way between page and server: reloaded, cut, bounded.

import assert from "node:assert/strict";

import { largestEvent } from "../support/app.mjs";
import { until } from "../support/until.mjs";
import { scenario, session } from "../support/world.mjs";

session("a reloaded page has its layout and its scrollback, and types on", async (app) => {
  const a = await app.newTerminal();
  const b = await app.opens(() => app.key("Control+Shift+D"));
  await b.run("for i in {1..200}; do echo line $i; done");
  await b.shows("line 200");
  const { root } = (await app.active()).layout;
  const pids = [await a.pid(), await b.pid()];
  // What is shown while it loads: old shells must never seem to have ended.
  await app.page.addInitScript(() => {
    window.seen = "";
    new MutationObserver(() => {
      const strip = document.querySelector(".term-strip")?.textContent;
      if (strip) window.seen += `${strip}\n`;
    }).observe(document, { subtree: true, childList: true });
  });
  await app.page.reload();
  await b.shows("line 200");
  await b.hasKeys();
  await b.run("echo ag''ain");
  await b.shows("again");
  assert.match(await b.allText(), /line 1\nline 2\n/);
  assert.deepEqual((await app.active()).layout.root, root);
  assert.deepEqual([await a.pid(), await b.pid()], pids);
  assert.equal(await app.page.evaluate(() => window.seen), "");
});

/** Puts a switch into the network of the page: cut() ends its sockets and refuses whatever is new, mend() lets it be. */
async function switchable(page) {
  let whole = true;
  await page.route("**", (route) => (whole ? route.continue() : route.abort()));
  const open = new Set();
  await page.routeWebSocket(/\/(api|stream)$/, (socket) => {
    if (!whole) return void socket.close();
    const server = socket.connectToServer();
    const both = { socket, server };
    open.add(both);
    server.onClose(() => {
      open.delete(both);
      void socket.close();
    });
    socket.onClose(() => {
      open.delete(both);
      void server.close();
    });
  });
  return {
    async cut() {
      whole = false;
      for (const { socket, server } of open) await Promise.all([socket.close(), server.close()]);
      open.clear();
    },
    mend() {
      whole = true;
    },
  };
}

scenario("a cut link says that it is tried again, holds what is typed, and goes on", async (world) => {
  await world.serve();
  const app = await world.visit();
  app.allow(/ERR_FAILED/, /already in CLOSING or CLOSED state/);
  const link = await switchable(app.page);
  await app.page.reload();
  await app.signIn();
  const term = await app.newTerminal();
  const pid = await term.pid();
  await term.run("until [ -e go ]; do sleep 0.05; done; for i in {1..50}; do echo line $i; done");
  await link.cut();
  await app.says(/Connection lost, trying again/);
  await app.says("Reconnecting");
  world.write("go", "");
  await app.type("echo he''ld\n");
  await app.says(/Held, \d+ bytes/);
  link.mend();
  // Its own next try may be faster than the button.
  await app.page.getByRole("button", { name: "Try now" }).first().click({ timeout: 1000 }).catch(() => undefined);
  await term.shows("held");
  await term.click();
  await until("nothing is said any more", async () => (await app.page.locator(".linkbar, .term-strip").count()) === 0);
  const lines = (await term.allText()).split("\n").filter((line) => line.startsWith("line "));
  assert.equal(lines.length, 50);
  assert.equal(await term.pid(), pid);
});

session("events stay small, however large the model is", async (app) => {
  // Twenty-five starts and ends: a hundred statuses, in a model that no event may carry.
  const blocks = [];
  for (let i = 0; i < 25; i++) {
    blocks.push(await app.command("true", { env: { PADDING: "x".repeat(4000) } }));
  }
  for (const block of blocks) {
    await until("its end", async () => (await app.status(block.block))?.state === "exited");
  }
  await until("a hundred statuses", () => app.events.get("status") >= 75, 20_000);
  assert.ok(JSON.stringify(await app.model()).length > 2 * largestEvent);
  // The page's own guard fails the test for any event over the limit.
  assert.ok(app.events.get("workspaces") >= 25);
});

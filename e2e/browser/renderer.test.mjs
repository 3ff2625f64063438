// Many terminals on a page: who draws them, what a lost drawing surface does, and
// what is left of those that were closed.

import assert from "node:assert/strict";

import { until } from "../support/until.mjs";
import { scenario } from "../support/world.mjs";

/** A browser keeps sixteen WebGL contexts and blanks the oldest for one more. */
const lent = 8;

/** Keeps a hand on every WebGL context that the page makes. */
const watchContexts = (page) =>
  page.addInitScript(() => {
    window.contexts = [];
    const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      const context = getContext.call(this, kind, ...rest);
      if (kind === "webgl2" && context && !window.contexts.some((c) => c.deref() === context)) {
        window.contexts.push(new WeakRef(context));
      }
      return context;
    };
  });

/** How many contexts are alive. */
const alive = (app) =>
  app.page.evaluate(
    () => window.contexts.map((c) => c.deref()).filter((c) => c && !c.isContextLost()).length,
  );

/** The terminals that WebGL draws. */
const byWebgl = (app) =>
  app.page.locator("[data-terminal]").evaluateAll((all) =>
    all
      .filter((el) => [...el.querySelectorAll("canvas")].some((c) => c.getContext("webgl2")))
      .map((el) => el.dataset.terminal),
  );

/** How many colours there are to see in a terminal's first lines: one while it is blank. */
async function colours(app, term) {
  const box = await term.element.locator(".xterm-screen").boundingBox();
  const png = await app.page.screenshot({ clip: { ...box, height: Math.min(box.height, 60) } });
  return app.page.evaluate(async (data) => {
    const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes]));
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    const pixels = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
    return new Set(pixels).size;
  }, png.toString("base64"));
}

scenario("twenty terminals share eight WebGL contexts, and a lost one is drawn by the DOM", async (world) => {
  world.settings('{"terminal": {"renderer": "webgl"}, "view": {"dockShown": false, "treeShown": false}}\n');
  await world.serve();
  const app = await world.visit(undefined, { viewport: { width: 1900, height: 1100 } });
  await watchContexts(app.page);
  await app.page.reload();
  await app.signIn();

  const { id: workspace } = await app.active();
  const commandLine = "clear; echo a line of text; exec cat";
  const terminals = [await app.command(commandLine)];
  const places = () => app.active().then(({ layout }) => panes(layout.root));
  for (let n = 1; n < 20; n++) {
    // Four columns of five.
    const all = await places();
    const pane = n < 4 ? all.at(-1) : all.find((p) => p.blocks.includes(terminals[n % 4].block));
    const place = { workspace, pane: pane.id, side: n < 4 ? "right" : "below", index: -1 };
    terminals.push(await app.command(commandLine, { place }));
  }
  await until("all are on the page", async () => (await app.blocks()).length === 20);
  await until("they share what there is", async () => (await byWebgl(app)).length === lent);
  for (const term of terminals) await until("each has its text", async () => (await colours(app, term)) > 5);
  assert.equal(await alive(app), lent);

  // One loses its context, as after a reset of the graphics driver.
  const [lost] = await byWebgl(app);
  await app.page.evaluate((block) => {
    const canvases = document.querySelectorAll(`[data-terminal="${block}"] canvas`);
    const gl = [...canvases].map((c) => c.getContext("webgl2")).find(Boolean);
    gl.getExtension("WEBGL_lose_context").loseContext();
  }, lost);
  const term = app.terminal(lost);
  await term.shows("a line of text");
  assert.equal(await alive(app), lent - 1);
  await term.click();
  await app.type("typed\n");
  await term.shows(/^typed$/m);

  // Closing one frees its context at once, not when memory is collected.
  const [closed] = await byWebgl(app);
  await app.call("Controllers.Close", { blocks: [closed], now: true });
  await until("its context is free", async () => (await alive(app)) === lent - 2);
});

for (const [renderer, times, title] of [
  ["dom", 30, "terminals that were closed leave nothing behind"],
  ["webgl", 10, "terminals that were closed leave nothing behind, when WebGL drew them"],
]) {
  scenario(title, async (world) => {
    world.settings(`{"terminal": {"renderer": "${renderer}"}}\n`);
    await world.serve();
    const app = await world.open();
    await app.command("exec cat");
    const cdp = await app.page.context().newCDPSession(app.page);
    await app.page.evaluate(() => {
      window.screens = [];
    });
    const openAndClose = async () => {
      const term = await app.command("echo said; exec cat");
      const screen = term.element.locator(".xterm");
      await screen.waitFor();
      await until("it is attached", async () => (await app.status(term.block))?.state === "running");
      await screen.evaluate((el) => window.screens.push(new WeakRef(el)));
      await app.call("Controllers.Close", { blocks: [term.block], now: true });
      await screen.waitFor({ state: "detached" });
    };
    const counted = async () => {
      await cdp.send("HeapProfiler.collectGarbage");
      return cdp.send("Memory.getDOMCounters");
    };
    for (let n = 0; n < 5; n++) await openAndClose();
    const before = await counted();
    for (let n = 0; n < times; n++) await openAndClose();
    // An emulator is alive as long as its element: the last may still be on its way out.
    await until("the emulators are gone", async () => {
      await counted();
      return (await app.page.evaluate(() => window.screens.filter((el) => el.deref()).length)) <= 1;
    });
    await until("so are their parts and listeners", async () => {
      const after = await counted();
      const more = (what) => after[what] - before[what];
      if (more("nodes") < 10 * times && more("jsEventListeners") < 5 * times) return true;
      throw new Error(JSON.stringify({ before, after }));
    });
    // What was theirs runs no more: a change of all that they listened to throws nothing.
    await app.call("Settings.Set", { path: "terminal.fontSize", value: 15 });
    await app.call("Settings.Set", { path: "theme", value: "light" });
    await app.page.setViewportSize({ width: 900, height: 700 });
    const last = await app.command("exec cat");
    await last.click();
  });
}

/** The panes of a layout. */
const panes = (node) => (node.pane ? [node.pane] : node.children.flatMap(panes));

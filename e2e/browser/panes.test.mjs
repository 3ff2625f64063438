// Panes and workspaces: split, moved, zoomed, switched, by keys and by mouse.

import assert from "node:assert/strict";

import { alive } from "../support/server.mjs";
import { until } from "../support/until.mjs";
import { session } from "../support/world.mjs";

/** A layout in short: "row(a b, column(c, d))", with the names of blocks. */
function shape(node, names) {
  if (!node) return "";
  if (node.pane) return node.pane.blocks.map((id) => names[id] ?? "?").join(" ");
  return `${node.split}(${node.children.map((child) => shape(child, names)).join(", ")})`;
}

/** Waits until the layout of the workspace on screen is as wanted. */
async function laidOut(app, wanted, names) {
  const blocks = Object.fromEntries(Object.entries(names).map(([name, term]) => [term.block, name]));
  await until(`the layout is ${wanted}`, async () => {
    const now = shape((await app.active()).layout.root, blocks);
    if (now !== wanted) throw new Error(now);
    return true;
  });
}

const middle = ({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 });

session("terminals open to the right and below by keys", async (app) => {
  const a = await app.newTerminal();
  const b = await app.opens(() => app.key("Control+Shift+D"));
  const c = await app.opens(() => app.key("Control+Shift+E"));
  await laidOut(app, "row(a, column(b, c))", { a, b, c });
  const [left, upper, lower] = [await a.box(), await b.box(), await c.box()];
  assert.ok(left.x + left.width <= upper.x, "b is to the right of a");
  assert.ok(upper.y + upper.height <= lower.y, "c is below b");
});

session("the focus moves between panes by keys", async (app) => {
  const a = await app.newTerminal();
  const b = await app.opens(() => app.key("Control+Shift+D"));
  const c = await app.opens(() => app.key("Control+Shift+E"));
  for (const [key, next] of [
    ["ArrowUp", b],
    ["ArrowLeft", a],
    ["ArrowRight", b],
    ["ArrowDown", c],
  ]) {
    await app.key(`Control+Alt+${key}`);
    await next.hasKeys();
  }
});

session("tabs of one pane are stepped through by keys, and named", async (app) => {
  const a = await app.newTerminal();
  const b = await app.newTerminal();
  await laidOut(app, "a b", { a, b });
  await app.key("Control+PageUp");
  await a.hasKeys();
  await app.key("Control+Tab");
  await b.hasKeys();
  await app.key("Control+Shift+F2");
  await app.page.getByLabel("Name of the tab").fill("server");
  await app.key("Enter");
  await app.page.locator(".dv-tab").filter({ hasText: "server" }).waitFor();
  assert.equal((await app.model()).blocks[b.block].name, "server");
});

session("a press on the tab in front leaves the keys with its terminal", async (app) => {
  const term = await app.newTerminal();
  await app.page.locator(".dv-tab").click();
  await term.run("echo sti''ll");
  await term.shows("still");
});

session("a tab that is dragged to an edge makes a pane there", async (app) => {
  const a = await app.newTerminal();
  const b = await app.newTerminal();
  await app.call("Workspaces.RenameBlock", { id: b.block, name: "dragged" });
  const tab = app.page.locator(".dv-tab").filter({ hasText: "dragged" });
  await tab.waitFor();
  const pane = await b.box();
  const pid = await b.pid();
  await app.drag(middle(await tab.boundingBox()), { x: pane.x + pane.width * 0.95, y: middle(pane).y });
  await laidOut(app, "row(a, b)", { a, b });
  assert.equal(await b.pid(), pid);
  await b.run("echo sti''ll");
  await b.shows("still");
  // And back into the middle of the other.
  await app.drag(middle(await tab.boundingBox()), middle(await a.box()));
  await laidOut(app, "a b", { a, b });
});

session("a zoomed pane fills the workspace, and gives the room back", async (app) => {
  const a = await app.newTerminal();
  const b = await app.opens(() => app.key("Control+Shift+D"));
  const narrow = (await b.box()).width;
  await app.key("Control+Shift+Enter");
  await until("it is wide", async () => (await b.box()).width > narrow * 1.8);
  await until("it is kept", async () => (await app.active()).layout.zoomed !== "");
  await b.hasKeys();
  await app.key("Control+Shift+Enter");
  await until("it is narrow", async () => Math.abs((await b.box()).width - narrow) < 2);
  await laidOut(app, "row(a, b)", { a, b });
});

session("a workspace is made, named and closed", async (app) => {
  const a = await app.newTerminal();
  await app.key("Control+Shift+S");
  await app.says("Start something");
  await app.palette("Rename the workspace");
  await app.page.getByLabel("Name of the workspace").fill("second");
  await app.key("Enter");
  await app.page.getByRole("tab", { name: "second" }).waitFor();
  await app.page.getByRole("tab", { name: "workspace 1" }).click();
  await a.hasKeys();
  await app.page.getByRole("tab", { name: "second" }).click();
  await app.palette("Close the workspace");
  await until("it is gone", async () => (await app.model()).workspaces.length === 1);
});

session("keys that come faster than answers mean what the ones before them made", async (app) => {
  const a = await app.newTerminal();
  const first = (await app.active()).id;
  for (const chord of ["S", "T", "D", "ArrowLeft"]) await app.key(`Control+Shift+${chord}`);
  await until("both are opened, in the new workspace", async () => {
    const second = (await app.model()).workspaces[1];
    return second?.layout.root?.split === "row" && second.layout.root.children.length === 2;
  });
  await until("the first workspace is shown", async () => (await app.active()).id === first);
  await a.hasKeys();
  await app.key("Control+Shift+ArrowRight");
  await until("the second one is", async () => (await app.active()).id !== first);
});

session("what is typed right after the key for a new terminal goes there", async (app) => {
  const a = await app.newTerminal();
  for (const pause of [0, 20, 60, 120]) {
    const before = Object.keys((await app.model()).blocks);
    await app.key("Control+Shift+E");
    await app.page.waitForTimeout(pause);
    await app.page.keyboard.type(`echo whole_${pause}\n`, { delay: 8 });
    const block = Object.keys((await app.model()).blocks).find((id) => !before.includes(id));
    await app.terminal(block).shows(new RegExp(`^whole_${pause}`, "m"));
  }
  await a.click();
  assert.doesNotMatch(await a.allText(), /echo|whole/);
});

session("a new terminal opens in the folder of the one before it", async (app) => {
  const a = await app.newTerminal();
  await a.run("mkdir -p sub/deep && cd sub/deep");
  const b = await app.opens(() => app.key("Control+Shift+D"));
  await b.run("pwd");
  await b.shows(/sub\/deep$/m);
});

session("a tab that is dragged onto another workspace goes there", async (app) => {
  await app.newTerminal();
  const b = await app.newTerminal();
  await app.call("Workspaces.RenameBlock", { id: b.block, name: "dragged" });
  await app.key("Control+Shift+S");
  await app.page.getByRole("tab", { name: "workspace 1" }).click();
  await b.hasKeys();
  const tab = app.page.locator(".dv-tab").filter({ hasText: "dragged" });
  const target = app.page.getByRole("tab", { name: "workspace 2" });
  await app.drag(middle(await tab.boundingBox()), middle(await target.boundingBox()));
  await until("it is there", async () => {
    const { workspaces, blocks } = await app.model();
    return blocks[b.block].workspace === workspaces[1].id;
  });
  await target.click();
  await b.click();
  await b.run("echo mo''ved");
  await b.shows("moved");
});

session("changing the workspace twenty times touches no program", async (app) => {
  const a = await app.newTerminal();
  const b = await app.opens(() => app.key("Control+Shift+D"));
  const pids = [await a.pid(), await b.pid()];
  await app.key("Control+Shift+S");
  await app.newTerminal();
  await app.key("Control+Shift+ArrowLeft");
  await b.run("for i in {1..300}; do echo line $i; sleep 0.01; done; echo do''ne");
  for (let i = 0; i < 20; i++) {
    const before = (await app.model()).active;
    await app.key("Control+Shift+ArrowRight");
    await until("another workspace", async () => (await app.model()).active !== before);
  }
  await b.hasKeys();
  await b.shows(/^done/m);
  const lines = (await b.allText()).split("\n").filter((line) => line.startsWith("line "));
  assert.deepEqual(
    lines,
    Array.from({ length: 300 }, (_, i) => `line ${i + 1}`),
  );
  assert.deepEqual([await a.pid(), await b.pid()], pids);
  assert.ok(pids.every(alive));
});

session("all of many workspaces can be reached, and none runs under the search", async (app) => {
  for (let n = 0; n < 12; n++) await app.call("Workspaces.Create", { name: `workspace number ${n}`, dir: "" });
  const row = app.page.getByRole("tablist", { name: "Workspaces" });
  const tab = (n) => row.getByRole("tab", { name: `workspace number ${n}`, exact: true });
  const inView = async (at) => {
    const [box, all, search] = [await at.boundingBox(), await row.boundingBox(), await app.page.locator(".search").boundingBox()];
    assert.ok(all.x + all.width <= search.x, "the row ends before the search");
    return box.x >= all.x - 1 && box.x + box.width <= all.x + all.width + 1;
  };
  await tab(11).waitFor();
  for (const n of [11, 0]) {
    await app.call("Workspaces.Activate", { id: (await app.model()).workspaces.find((w) => w.name.endsWith(` ${n}`)).id });
    await until(`the active tab ${n} is in view`, () => inView(tab(n)));
  }
  await row.hover();
  await app.page.mouse.wheel(0, 5000);
  await until("the wheel reaches the last", () => inView(tab(11)));
});

session("nothing is cut in a small window", async (app) => {
  await app.newTerminal();
  for (const size of [
    { width: 700, height: 500 },
    { width: 480, height: 360 },
  ]) {
    await app.page.setViewportSize(size);
    await until("everything stands in the window", () =>
      app.page.evaluate(() =>
        [...document.querySelectorAll(".win, .title > *, .center, .status, .dock")].every((el) => {
          const { left, right } = el.getBoundingClientRect();
          return left >= 0 && right <= innerWidth;
        }),
      ),
    );
  }
});

session("a key goes to the pane that lies beside", async (app) => {
  const above = await app.newTerminal();
  const middle = await app.opens(() => app.key("Control+Shift+E"));
  const left = await app.opens(() => app.key("Control+Shift+E"));
  const right = await app.opens(() => app.key("Control+Shift+D"));
  for (const [key, term] of [["Up", middle], ["Up", above], ["Down", middle], ["Down", left], ["Right", right]]) {
    await app.key(`Control+Alt+Arrow${key}`);
    await term.hasKeys();
  }
});

session("a pane that became smaller shows its text after something covered the window", async (app) => {
  const a = await app.newTerminal();
  await a.run("seq 1 60");
  await a.shows("60");
  const b = await app.opens(() => app.key("Control+Shift+E"));
  await app.key("Control+Alt+ArrowUp");
  await a.hasKeys();
  const scrolled = () =>
    app.page.evaluate(() =>
      [...document.querySelectorAll(".xterm, .xterm *")]
        .flatMap((element) => {
          const chain = [];
          for (let at = element; at; at = at.parentElement) chain.push(at);
          return chain;
        })
        .filter((element) => element.scrollTop !== 0 && getComputedStyle(element).overflowY === "hidden")
        .map((element) => element.className),
    );
  for (const chord of ["Control+Shift+K", "Control+Shift+G"]) {
    await app.key(chord);
    await app.page.getByRole("dialog").waitFor();
    await app.key("Escape");
    await app.page.getByRole("dialog").waitFor({ state: "detached" });
    await a.hasKeys();
    assert.deepEqual(await scrolled(), [], `after ${chord}`);
  }
  // By a page's own means too, as by an input method or a screen reader.
  await app.page.evaluate(() => {
    document.activeElement.blur();
    for (const field of document.querySelectorAll(".xterm textarea")) field.focus();
  });
  assert.deepEqual(await scrolled(), [], "after the field had the focus");
  await b.isThere();
});

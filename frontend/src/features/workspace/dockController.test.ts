import { createDockview, type DockviewApi } from "dockview-react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakeBackend, leaf, pane, split, status } from "../../../test/fake";
import { createApi } from "../../bridge/api";
import { Events } from "../../bridge/events";
import { Mirror } from "../../bridge/mirror";
import type { Layout } from "../../bridge/types";
import { DockController } from "./dockController";
import { canonical, panesOf, sameLayout } from "./layout";

const layout: Layout = {
  root: split("row", [leaf(pane("p", ["a", "b"])), leaf(pane("q", ["c"]))]),
  floating: [],
  focus: "p",
  zoomed: "",
};

let backend: FakeBackend;
let events: Events;
let mirror: Mirror;
let api: DockviewApi;
let host: HTMLElement;
let dock: DockController;
let failures: string[];
let made: number;
const sets = () => backend.calls.filter((c) => c.method === "Workspaces.SetLayout").length;
const modelLayout = () => canonical(backend.model.workspaces[0]?.layout as Layout);

beforeEach(async () => {
  backend = new FakeBackend();
  backend.model = {
    version: 1,
    active: "w",
    blocks: {},
    workspaces: [{ id: "w", name: "w", dir: "", unplaced: [], layoutVersion: 1, layout }],
  };
  events = new Events(backend.runtime);
  mirror = new Mirror(
    createApi((m, ...args) => backend.call(m, ...args)),
    events,
  );
  await mirror.start();
  host = document.body.appendChild(document.createElement("div"));
  made = 0;
  api = createDockview(host, {
    createComponent: () => {
      made++;
      return { element: document.createElement("div"), init: () => {} };
    },
    createTabComponent: () => ({ element: document.createElement("div"), init: () => {} }),
  });
  api.layout(1000, 600);
  failures = [];
  dock = new DockController(api, "w", mirror, (text) => failures.push(text));
  dock.apply(layout, 1);
});

afterEach(() => {
  dock.dispose();
  api.dispose();
  host.remove();
  mirror.dispose();
  events.dispose();
});

describe("a dock and its workspace", () => {
  it("draws the model and sends nothing for it", async () => {
    expect(api.panels.map((p) => p.id).sort()).toEqual(["a", "b", "c"]);
    await dock.flush();
    expect(sets()).toBe(0);
  });

  it("sends what a person changed, and keeps every panel", async () => {
    // A layout without boxes has no neighbours, so the drop is made by hand.
    const target = api.getPanel("a")?.group;
    if (target) api.getPanel("c")?.api.moveTo({ group: target, position: "center" });
    await dock.flush();
    expect(panesOf(modelLayout()).map((p) => p.blocks)).toEqual([["a", "b", "c"]]);
    expect(made).toBe(3);
    expect(failures).toEqual([]);
  });

  it("gives a new pane a name that no other workspace can have", async () => {
    dock.focusBlock("b");
    dock.moveToward("down");
    await dock.flush();
    const names = panesOf(modelLayout()).map((p) => p.id);
    expect(names).toHaveLength(3);
    expect(names.filter((n) => n.startsWith("p-"))).toHaveLength(1);
    // The answer has the same names, so nothing is drawn anew.
    expect(sameLayout(modelLayout(), canonical(mirror.known.model.workspaces[0]?.layout as Layout))).toBe(
      true,
    );
  });

  it("sends a wish though something else in the model had changed", async () => {
    backend.model = { ...backend.model, version: 9, blocks: {} };
    dock.focusBlock("b");
    await dock.flush();
    expect(sets()).toBe(1);
    expect(panesOf(modelLayout())[0]?.active).toBe("b");
    expect(failures).toEqual([]);
  });

  it("sends it again when the layout was changed and changed back", async () => {
    backend.model = {
      ...backend.model,
      version: 9,
      workspaces: backend.model.workspaces.map((w) => ({ ...w, layoutVersion: 9 })),
    };
    dock.focusBlock("b");
    await dock.flush();
    expect(sets()).toBe(2);
    expect(panesOf(modelLayout())[0]?.active).toBe("b");
    expect(failures).toEqual([]);
  });

  it("lets the model win when the layout itself had changed", async () => {
    const other: Layout = {
      ...layout,
      root: split("column", [leaf(pane("q", ["c"])), leaf(pane("p", ["a", "b"]))]),
    };
    backend.model = {
      ...backend.model,
      version: 9,
      workspaces: [{ id: "w", name: "w", dir: "", unplaced: [], layoutVersion: 9, layout: other }],
    };
    dock.focusBlock("b");
    await dock.flush();
    expect(sets()).toBe(1);
    expect(sameLayout(modelLayout(), canonical(other))).toBe(true);
    expect(api.getPanel("a")?.api.isActive).toBe(true);
    await dock.flush();
    expect(sets()).toBe(1);
  });

  it("says why a layout was refused and shows the model again", async () => {
    backend.failing["Workspaces.SetLayout"] = "cannot change the layout: block a is missing in it";
    dock.focusBlock("b");
    await dock.flush();
    expect(failures).toEqual(["cannot change the layout: block a is missing in it"]);
    expect(api.getPanel("a")?.api.isActive).toBe(true);
  });

  it("moves the focus and the tabs by keyboard", () => {
    dock.focusBlock("a");
    dock.nextTab(1);
    expect(dock.activeBlock).toBe("b");
    dock.nextTab(1);
    expect(dock.activeBlock).toBe("a");
    dock.nextTab(-1);
    expect(dock.activeBlock).toBe("b");
    dock.toggleZoom();
    expect(dock.zoomed).toBe(true);
    dock.toggleZoom();
    expect(dock.zoomed).toBe(false);
    expect(dock.place("right").pane).toBe("p");
    expect(dock.place("right", "c")).toEqual({ workspace: "w", pane: "q", side: "right", index: -1 });
  });

  it("says of panels that move while the model is drawn that nobody moved them", () => {
    const drawn: boolean[] = [];
    const sub = api.onDidMovePanel(() => drawn.push(dock.drawing));
    backend.statuses["d"] = status("d");
    const root = split("row", [leaf(pane("p", ["a", "b", "d"], "d")), leaf(pane("q", ["c"]))]);
    dock.apply({ ...layout, root }, 2);
    expect(drawn.length).toBeGreaterThan(0);
    expect(drawn).not.toContain(false);
    drawn.length = 0;
    dock.focusBlock("a");
    dock.moveToward("right");
    expect(drawn).toEqual([false]);
    sub.dispose();
  });

  it("keeps panels when a terminal is opened beside them", async () => {
    backend.statuses["d"] = status("d");
    dock.apply(
      {
        ...layout,
        root: split("row", [leaf(pane("p", ["a", "b"])), leaf(pane("q", ["c"])), leaf(pane("r", ["d"]))]),
      },
      2,
    );
    expect(made).toBe(4);
    await dock.flush();
    expect(sets()).toBe(0);
  });
});

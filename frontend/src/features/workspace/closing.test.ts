import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeBackend, leaf, pane, status } from "../../../test/fake";
import { createApi } from "../../bridge/api";
import { Events } from "../../bridge/events";
import { Mirror } from "../../bridge/mirror";
import { trackDisposables } from "../../lib/disposable";
import { Toasts } from "../../ui/toasts";
import { WorkspaceSession } from "./session";

const block = (id: string) => ({
  id,
  workspace: "w",
  kind: "shell" as const,
  name: id,
  dir: "",
  command: [],
  commandLine: "",
  shell: "",
  env: {},
  closeOnExit: "" as const,
  unrecorded: false,
  created: "",
});

let backend: FakeBackend;
let events: Events;
let mirror: Mirror;
let toasts: Toasts;
let session: WorkspaceSession;
let tracker: ReturnType<typeof trackDisposables>;
const asked = (method: string) => backend.calls.filter((c) => c.method === method).map((c) => c.args[0]);
const shown = () => toasts.store.getState();

beforeEach(async () => {
  vi.useFakeTimers();
  tracker = trackDisposables();
  backend = new FakeBackend();
  backend.model = {
    version: 1,
    active: "w",
    blocks: { a: block("a"), b: block("b") },
    workspaces: [
      {
        id: "w",
        name: "lantern",
        dir: "",
        layoutVersion: 0,
        unplaced: [],
        layout: { root: leaf(pane("p", ["a", "b"])), floating: [], focus: "p", zoomed: "" },
      },
      {
        id: "v",
        name: "website",
        dir: "",
        layoutVersion: 0,
        unplaced: [],
        layout: { root: null, floating: [], focus: "", zoomed: "" },
      },
    ],
  };
  backend.statuses = { a: status("a"), b: status("b") };
  events = new Events(backend.runtime);
  mirror = new Mirror(
    createApi((m, ...args) => backend.call(m, ...args)),
    events,
  );
  toasts = new Toasts();
  session = new WorkspaceSession(mirror, toasts);
  await mirror.start();
});

afterEach(() => {
  session.dispose();
  mirror.dispose();
  events.dispose();
  toasts.dispose();
  backend.dispose();
  expect(tracker.live()).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
  tracker.end();
  vi.useRealTimers();
});

describe("closing", () => {
  it("does not ask when nothing is lost, and can be undone", async () => {
    await session.closeBlock("a");
    expect(session.closing.store.getState().asking).toBeUndefined();
    expect(shown().map((t) => t.title)).toEqual(["Closed a"]);
    expect(shown()[0]?.actions?.map((x) => x.label)).toEqual(["Undo", "End now"]);
    await session.closing.undoLast();
    expect(shown()).toEqual([]);
    await mirror.pullModel();
    expect(mirror.known.model.workspaces[0]?.layout.root?.pane?.blocks).toEqual(["a", "b"]);
  });

  it("asks once, naming what runs, and keeps everything on no", async () => {
    const items = [{ block: "a", name: "vite", kind: "process", detail: "of a", effect: "ends" }];
    backend.preview = { ask: true, items };
    await session.closeBlock("a");
    expect(session.closing.store.getState().asking).toMatchObject({ title: "a", items });
    session.closing.cancel();
    expect(session.closing.store.getState().asking).toBeUndefined();
    expect(asked("Controllers.Close")).toEqual([]);
    await session.closing.confirm();
    expect(asked("Controllers.Close")).toEqual([]);
  });

  it("closes on yes and says how it ended in one line", async () => {
    backend.preview = { ask: true, items: [] };
    await session.closeBlock("a");
    await session.closing.confirm();
    expect(asked("Controllers.Close")).toEqual([{ blocks: ["a"], workspace: "", now: false }]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(session.closing.store.getState().last).toBe("Closed a: stopped 1, forced 0, survived 0");
    expect(shown()[0]).toMatchObject({ state: "exited", text: "Stopped 1, forced 0, survived 0." });
    await vi.advanceTimersByTimeAsync(6000);
    expect(shown()).toEqual([]);
  });

  it("takes a second close as: now", async () => {
    await session.closeBlock("a");
    await session.closeBlock("a");
    expect(asked("Controllers.Preview")).toHaveLength(1);
    expect(asked("Controllers.CloseNow")).toHaveLength(1);
    expect(session.closing.store.getState().last).toContain("stopped 1");
  });

  it("closes a workspace with its blocks, and brings both back by undo", async () => {
    await session.closeWorkspace("w");
    expect(asked("Controllers.Close")).toEqual([{ blocks: ["a", "b"], workspace: "w", now: false }]);
    expect(shown()[0]?.title).toBe("Closed lantern, 2 terminals");
    expect(mirror.known.model.workspaces.map((w) => w.id)).toEqual(["v"]);
    expect(mirror.known.model.active).toBe("v");
    await session.closing.undoLast();
    expect(mirror.known.model.workspaces.map((w) => w.id)).toEqual(["w", "v"]);
    expect(mirror.known.model.active).toBe("w");
  });

  it("closes an empty workspace too", async () => {
    await session.closeWorkspace("v");
    expect(asked("Controllers.Close")).toEqual([{ blocks: [], workspace: "v", now: false }]);
    expect(mirror.known.model.workspaces.map((w) => w.id)).toEqual(["w"]);
  });

  it("offers the undo again to a page that is loaded meanwhile", async () => {
    await session.closeBlock("a");
    const later = new Mirror(
      createApi((m, ...args) => backend.call(m, ...args)),
      events,
    );
    const page = new WorkspaceSession(later, toasts);
    toasts.remove(shown()[0]?.id ?? "");
    await later.start();
    expect(shown().map((t) => t.title)).toEqual(["Closed zsh"]);
    expect(Object.keys(later.known.leaving)).toEqual(["a"]);
    await page.closing.undoLast();
    expect(later.known.leaving).toEqual({});
    expect(later.known.model.blocks["a"]).toBeDefined();
    page.dispose();
    later.dispose();
  });

  it("takes the offer away when the end of a close was not heard", async () => {
    await session.closeBlock("a");
    expect(mirror.known.leaving["a"]?.name).toBe("a");
    backend.lose();
    await vi.advanceTimersByTimeAsync(10_000);
    await mirror.start();
    expect(mirror.known.closings).toEqual({});
    expect(shown().every((t) => !t.actions?.length)).toBe(true);
  });

  it("says what went wrong with an undo that came too late", async () => {
    await session.closeBlock("a");
    const undo = shown()[0]?.actions?.[0];
    backend.failing["Controllers.Undo"] = "cannot undo: it has ended already";
    undo?.run();
    await vi.advanceTimersByTimeAsync(0);
    expect(shown().at(-1)).toMatchObject({ level: "error", text: "cannot undo: it has ended already" });
  });
});

describe("opening", () => {
  it("makes a workspace first when there is none", async () => {
    backend.change((m) => ({ ...m, active: "", workspaces: [], blocks: {} }));
    await mirror.pullModel();
    const made = await session.openTerminal({ side: "center" });
    expect(mirror.known.model.workspaces).toHaveLength(1);
    expect(mirror.known.model.blocks[made.id]?.workspace).toBe(mirror.known.model.active);
  });

  it("passes the backend's refusal on", async () => {
    await expect(session.openTerminal({ side: "center", dir: "/nowhere" })).rejects.toContain(
      "no such folder",
    );
  });

  it("puts workspaces in order", async () => {
    await session.reorder("v", "w");
    expect(mirror.known.model.workspaces.map((w) => w.id)).toEqual(["v", "w"]);
    await session.reorder("v", "w");
    expect(mirror.known.model.workspaces.map((w) => w.id)).toEqual(["w", "v"]);
  });
});

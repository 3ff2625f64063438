import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeBackend, status } from "../../test/fake";
import { createApi } from "./api";
import { Events } from "./events";
import { Mirror } from "./mirror";

let backend: FakeBackend;
let events: Events;
let mirror: Mirror;
const calls = (method: string) => backend.calls.filter((c) => c.method === method).length;

beforeEach(async () => {
  backend = new FakeBackend();
  backend.statuses["a"] = status("a");
  events = new Events(backend.runtime);
  mirror = new Mirror(
    createApi((m, ...args) => backend.call(m, ...args)),
    events,
  );
  await mirror.start();
});

afterEach(() => {
  mirror.dispose();
  events.dispose();
  backend.dispose();
  expect(backend.listeners()).toBe(0);
});

describe("mirror", () => {
  it("pulls everything at the start", () => {
    expect(mirror.known.ready).toBe(true);
    expect(mirror.known.statuses["a"]?.state).toBe("running");
    expect(mirror.known.settings?.settings.theme).toBe("system");
  });

  it("follows events without pulling more than they say", async () => {
    backend.setStatus({ block: "a", state: "stopping" });
    expect(mirror.known.statuses["a"]?.state).toBe("stopping");
    backend.change((m) => ({ ...m, active: "w" }));
    await vi.waitFor(() => expect(mirror.known.model.active).toBe("w"));
    expect(calls("Controllers.List")).toBe(1);
    expect(calls("Workspaces.Snapshot")).toBe(2);
  });

  it("pulls everything after a gap in the numbers", async () => {
    backend.setStatus({ block: "a" });
    backend.statuses["b"] = status("b", { state: "failed" });
    backend.lose();
    backend.emit("activity", {});
    await vi.waitFor(() => expect(mirror.known.statuses["b"]?.state).toBe("failed"));
    expect(calls("Controllers.List")).toBe(2);
  });

  it("does not go back to an older status or model", () => {
    backend.setStatus({ block: "a", state: "exited" });
    mirror.takeStatus(status("a", { version: 1, state: "starting" }));
    expect(mirror.known.statuses["a"]?.state).toBe("exited");
    mirror.takeModel({ ...backend.model, version: 0, active: "old" });
    expect(mirror.known.model.active).not.toBe("old");
  });

  it("pulls once more, and not ten times, for what comes while it pulls", async () => {
    const before = calls("Activity.Snapshot");
    for (let i = 0; i < 10; i++) backend.emit("activity", {});
    await vi.waitFor(() => expect(calls("Activity.Snapshot")).toBe(before + 2));
    await mirror.pullActivity();
    expect(calls("Activity.Snapshot")).toBe(before + 3);
  });

  it("says why it could not pull, and stops saying so once it can", async () => {
    backend.failing["Workspaces.Snapshot"] = "cannot read: the disk is gone";
    await mirror.pullModel();
    expect(mirror.known.trouble).toBe("cannot read: the disk is gone");
    delete backend.failing["Workspaces.Snapshot"];
    await mirror.pullModel();
    expect(mirror.known.trouble).toBe("");
  });

  it("pulls everything again when the link of a browser is back", async () => {
    mirror.link({ state: "lost", attempt: 1, nextTry: 0 });
    backend.statuses["c"] = status("c");
    mirror.link({ state: "up" });
    await vi.waitFor(() => expect(mirror.known.statuses["c"]).toBeDefined());
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type BoundWindow, boundCall, isBound } from "./bound";
import { BrowserLink } from "./browser";

/** A socket whose other end is the test. */
class TestSocket {
  sent: { id: number; method: string; args: unknown[] }[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((e: { data: string }) => void) | null = null;
  onclose: ((e: { code: number }) => void) | null = null;
  readonly protocols: string[];
  constructor(protocols: string[]) {
    this.protocols = protocols;
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {}
  say(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

let sockets: TestSocket[];
let alive: boolean;
let link: BrowserLink;
const last = () => sockets.at(-1) as TestSocket;

beforeEach(() => {
  vi.useFakeTimers();
  sockets = [];
  alive = false;
  link = new BrowserLink({
    url: "ws://x/api",
    key: "secret",
    open: (_, protocols) => {
      const socket = new TestSocket(protocols);
      sockets.push(socket);
      return socket as unknown as WebSocket;
    },
    alive: async () => alive,
  });
});

afterEach(() => {
  link.dispose();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe("the link of a browser", () => {
  it("binds the backend to the window as Wails does", async () => {
    const win: BoundWindow = {};
    link.install(win);
    expect(isBound(win)).toBe(true);
    last().onopen?.();
    await link.ready();
    expect(last().protocols).toEqual(["drover.1", "token.secret"]);
    const call = boundCall(win);
    const good = call("Workspaces.Create", { name: "x" });
    const bad = call("Workspaces.Rename", { id: "y" });
    await vi.waitFor(() => expect(last().sent).toHaveLength(2));
    expect(last().sent[0]).toMatchObject({ method: "Workspaces.Create", args: [{ name: "x" }] });
    last().say({ id: last().sent[1]?.id, error: "cannot rename: no such workspace" });
    last().say({ id: last().sent[0]?.id, result: { id: "w" } });
    await expect(good).resolves.toEqual({ id: "w" });
    await expect(bad).rejects.toThrow("no such workspace");
  });

  it("passes events on until nobody listens", () => {
    const win: BoundWindow = {};
    link.install(win);
    const heard: unknown[] = [];
    const off = win.runtime?.EventsOn("status", (data) => heard.push(data));
    last().onopen?.();
    last().say({ event: "status", data: { seq: 1 } });
    off?.();
    last().say({ event: "status", data: { seq: 2 } });
    expect(heard).toEqual([{ seq: 1 }]);
  });

  it("rejects what was in flight, waits longer each time, and comes back", async () => {
    last().onopen?.();
    const flying = link.call("App.Hello");
    flying.catch(() => {});
    last().onclose?.({ code: 1006 });
    await expect(flying).rejects.toThrow("may or may not have been done");
    await vi.advanceTimersByTimeAsync(0);
    expect(link.state).toMatchObject({ state: "lost", attempt: 1 });
    await expect(link.call("App.Hello")).rejects.toThrow("lost");
    await vi.advanceTimersByTimeAsync(250);
    expect(sockets).toHaveLength(2);
    last().onclose?.({ code: 1006 });
    await vi.advanceTimersByTimeAsync(250);
    expect(sockets).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(250);
    expect(sockets).toHaveLength(3);
    last().onopen?.();
    expect(link.state.state).toBe("up");
  });

  it("tells a wrong key from a server that is gone", async () => {
    const ready = link.ready();
    ready.catch(() => {});
    alive = true;
    last().onclose?.({ code: 1006 });
    await expect(ready).rejects.toThrow("not the right one");
    expect(link.state.state).toBe("refused");
  });

  it("refuses a key that no socket can carry", async () => {
    const broken = new BrowserLink({
      url: "ws://x/api",
      key: "not a key",
      open: () => {
        throw new SyntaxError("the subprotocol is invalid");
      },
    });
    await expect(broken.ready()).rejects.toThrow("not the right one");
    broken.dispose();
  });

  it("asks for the key again when a server that was started anew has another one", async () => {
    last().onopen?.();
    last().onclose?.({ code: 1006 });
    await vi.advanceTimersByTimeAsync(250);
    alive = true;
    last().onclose?.({ code: 1006 });
    await vi.advanceTimersByTimeAsync(500);
    last().onclose?.({ code: 1006 });
    await vi.advanceTimersByTimeAsync(0);
    expect(link.state.state).toBe("refused");
  });

  it("does not take a network that comes back between a try and the look after it for a refusal", async () => {
    last().onopen?.();
    last().onclose?.({ code: 1006 });
    await vi.advanceTimersByTimeAsync(250);
    alive = true;
    last().onclose?.({ code: 1006 });
    await vi.advanceTimersByTimeAsync(0);
    expect(link.state.state).toBe("lost");
    await vi.advanceTimersByTimeAsync(500);
    last().onopen?.();
    expect(link.state.state).toBe("up");
  });

  it("goes on trying while there is no server at all", async () => {
    last().onclose?.({ code: 1006 });
    await vi.advanceTimersByTimeAsync(0);
    expect(link.state.state).toBe("lost");
    link.retryNow();
    expect(sockets).toHaveLength(2);
  });

  it("gives up when the server takes the key back", async () => {
    last().onopen?.();
    last().onclose?.({ code: 4401 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(link.state.state).toBe("refused");
    expect(sockets).toHaveLength(1);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type ChannelHandler, StreamClient } from "./stream";
import { FakeSocket } from "./stream-fake";

const area = { cols: 80, rows: 24, xpixel: 600, ypixel: 432 };
const text = (value: string) => new TextEncoder().encode(value);

function handler() {
  const calls: unknown[][] = [];
  const note =
    (name: string) =>
    (...args: unknown[]) => {
      calls.push([
        name,
        ...args.map((arg) => (arg instanceof Uint8Array ? new TextDecoder().decode(arg) : arg)),
      ]);
    };
  const names = ["opened", "data", "screen", "size", "lost", "refused", "failed", "held"] as const;
  const made = Object.fromEntries(names.map((name) => [name, note(name)])) as unknown as ChannelHandler;
  return { calls, handler: made, of: (name: string) => calls.filter(([n]) => n === name) };
}

let sockets: FakeSocket[];
let client: StreamClient;
const last = () => sockets.at(-1) as FakeSocket;
const settle = () => vi.advanceTimersByTimeAsync(0);

async function connect(): Promise<FakeSocket> {
  await settle();
  last().fire("open");
  return last();
}

function opened(socket: FakeSocket, next = 0): void {
  socket.say({ type: "opened", channel: socket.channel, first: 0, next, cols: 80, rows: 24 });
}

beforeEach(() => {
  vi.useFakeTimers();
  sockets = [];
  client = new StreamClient({
    endpoint: () => ({ url: "ws://127.0.0.1:1/stream", token: "secret" }),
    open: (url, protocols) => {
      const socket = new FakeSocket(url, protocols);
      sockets.push(socket);
      return socket;
    },
    client: 42n,
  });
});

afterEach(() => {
  client.close();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe("link", () => {
  it("offers the version and the token as subprotocols", async () => {
    const socket = await connect();
    expect(socket.protocols).toEqual(["drover.1", "token.secret"]);
    expect(socket.binaryType).toBe("arraybuffer");
    expect(client.state.link).toBe("connected");
  });

  it("tries again after 100 ms, doubling to 2 s, and says so", async () => {
    const states: string[] = [];
    client.onState(({ link, tries }) => states.push(`${link} ${tries}`));
    await settle();
    for (const pause of [100, 200, 400, 800, 1600, 2000, 2000]) {
      const before = sockets.length;
      last().fire("close");
      await vi.advanceTimersByTimeAsync(pause - 1);
      expect(sockets.length).toBe(before);
      await vi.advanceTimersByTimeAsync(1);
      expect(sockets.length).toBe(before + 1);
    }
    last().fire("open");
    expect(states).toEqual([...[1, 2, 3, 4, 5, 6, 7].map((n) => `lost ${n}`), "connected 0"]);
  });

  it("starts with the short pause again once the backend has spoken", async () => {
    const { handler: view } = handler();
    client.attach({ block: "b", area, visible: true }, view);
    await settle();
    for (const pause of [100, 200]) {
      last().fire("close");
      await vi.advanceTimersByTimeAsync(pause);
    }
    last().fire("open");
    opened(last());
    last().fire("close");
    const before = sockets.length;
    await vi.advanceTimersByTimeAsync(100);
    expect(sockets.length).toBe(before + 1);
  });

  it("tries at once when asked", async () => {
    await settle();
    last().fire("close");
    client.retryNow();
    await settle();
    expect(sockets.length).toBe(2);
    client.retryNow();
    await settle();
    expect(sockets.length).toBe(2);
  });

  it("opens again when a frame cannot be read", async () => {
    const socket = await connect();
    socket.fire("message", new Uint8Array([66, 0]).buffer);
    expect(socket.closed).toBe(true);
    expect(client.state.link).toBe("lost");
  });

  it("ignores a type that it does not know and a channel that is gone", async () => {
    const socket = await connect();
    socket.fire("message", new Uint8Array([250, 0, 0, 0, 9]).buffer);
    socket.say({ type: "data", channel: 77, offset: 0, data: text("x") });
    expect(client.state.link).toBe("connected");
  });

  it("tells the load once, and again to a new backend", async () => {
    const socket = await connect();
    client.setLate(true);
    client.setLate(true);
    expect(socket.of("load")).toEqual([{ type: "load", channel: 0, late: true }]);
    socket.fire("close");
    await vi.advanceTimersByTimeAsync(100);
    last().fire("open");
    expect(last().of("load")).toHaveLength(1);
    client.setLate(false);
    expect(last().of("load").at(-1)?.late).toBe(false);
  });

  it("does nothing after close", async () => {
    const socket = await connect();
    client.close();
    client.close();
    socket.fire("close");
    await vi.advanceTimersByTimeAsync(5000);
    expect(sockets.length).toBe(1);
    expect(socket.closed).toBe(true);
  });
});

describe("channel", () => {
  it("attaches from the oldest byte with its size, client and block", async () => {
    client.attach({ block: "b1", area, visible: true }, handler().handler);
    const socket = await connect();
    expect(socket.of("attach")).toEqual([
      {
        type: "attach",
        channel: socket.channel,
        from: "oldest",
        cols: 80,
        rows: 24,
        visible: true,
        screens: true,
        client: 42n,
        block: "b1",
      },
    ]);
  });

  it("hands bytes on by number and trims what it has already", async () => {
    const view = handler();
    client.attach({ block: "b", area, visible: true }, view.handler);
    const socket = await connect();
    const { channel } = socket;
    opened(socket, 10);
    socket.say({ type: "data", channel, offset: 10, data: text("abc") });
    socket.say({ type: "data", channel, offset: 11, data: text("bcde") });
    socket.say({ type: "data", channel, offset: 12, data: text("cd") });
    expect(view.of("opened")).toEqual([["opened", 10, 80, 24]]);
    expect(view.of("data")).toEqual([
      ["data", 10, "abc"],
      ["data", 13, "de"],
    ]);
  });

  it("attaches from the oldest byte again as long as it has had only part of a screen", async () => {
    const view = handler();
    const channel = client.attach({ block: "b", area, visible: true }, view.handler);
    const socket = await connect();
    const screen = (offset: number, whole: boolean) =>
      socket.say({
        type: "screen",
        channel: socket.channel,
        offset,
        cols: 80,
        rows: 24,
        owner: true,
        whole,
        data: text("x"),
      });
    const from = () => {
      channel.reopen();
      return socket.of("attach").at(-1)?.from;
    };
    opened(socket);
    screen(1000, true);
    expect(from()).toBe(1000);
    opened(socket, 1000);
    screen(2000, false);
    socket.say({ type: "data", channel: socket.channel, offset: 2000, data: text("ab") });
    expect(from()).toBe("oldest");
    opened(socket, 2002);
    screen(3000, true);
    socket.say({ type: "data", channel: socket.channel, offset: 3000, data: text("ab") });
    channel.hide(3001);
    channel.show();
    expect(socket.of("attach").at(-1)?.from).toBe(3001);
    opened(socket, 3001);
    channel.hide(undefined);
    channel.show();
    expect(socket.of("attach").at(-1)?.from).toBe("oldest");
  });

  it("tells what was lost, also when only a gap shows it", async () => {
    const view = handler();
    client.attach({ block: "b", area, visible: true }, view.handler);
    const socket = await connect();
    const { channel } = socket;
    opened(socket);
    socket.say({ type: "lost", channel, from: 0, to: 100, unsure: true });
    socket.say({ type: "data", channel, offset: 100, data: text("a") });
    socket.say({ type: "data", channel, offset: 111, data: text("b") });
    expect(view.of("lost")).toEqual([
      ["lost", 0, 100, true],
      ["lost", 101, 111, false],
    ]);
  });

  it("goes on after a reconnect from the byte that it misses, its input under the old numbers", async () => {
    const view = handler();
    const pane = client.attach({ block: "b", area, visible: true }, view.handler);
    const socket = await connect();
    opened(socket);
    socket.say({ type: "data", channel: socket.channel, offset: 0, data: text("12345") });
    pane.send(text("a"));
    socket.say({ type: "taken", channel: socket.channel, seq: 0 });
    pane.send(text("b"));
    socket.say({ type: "taken", channel: socket.channel, seq: 1 });
    const old = socket.channel;
    socket.fire("close");
    pane.send(text("c"));
    expect(pane.held).toBe(2);
    await vi.advanceTimersByTimeAsync(100);
    last().fire("open");
    expect(last().of("attach")).toMatchObject([{ from: 5, client: 42n }]);
    expect(last().channel).not.toBe(old);
    expect(last().of("input")).toEqual([]);
    last().say({ type: "opened", channel: last().channel, first: 0, next: 5, cols: 80, rows: 24 });
    expect(
      last()
        .of("input")
        .map(({ seq, data }) => [seq, new TextDecoder().decode(data)]),
    ).toEqual([
      [2, "b"],
      [3, "c"],
    ]);
    last().say({ type: "taken", channel: last().channel, seq: 3 });
    expect(pane.held).toBe(0);
    expect(view.of("held").at(-1)).toEqual(["held", 0]);
  });

  it("starts anew when the log behind the block is another one", async () => {
    const view = handler();
    client.attach({ block: "b", area, visible: true, from: 500 }, view.handler);
    const socket = await connect();
    opened(socket, 500);
    socket.say({ type: "data", channel: socket.channel, offset: 500, data: text("x") });
    socket.fire("close");
    await vi.advanceTimersByTimeAsync(100);
    last().fire("open");
    last().say({ type: "opened", channel: last().channel, first: 0, next: 3, cols: 80, rows: 24 });
    expect(view.of("opened").at(-1)).toEqual(["opened", 3, 80, 24]);
  });

  it("acks in steps, and always when nothing is left", async () => {
    const pane = client.attach({ block: "b", area, visible: true }, handler().handler);
    const socket = await connect();
    opened(socket);
    const half = new Uint8Array(50_000);
    socket.say({ type: "data", channel: socket.channel, offset: 0, data: half });
    socket.say({ type: "data", channel: socket.channel, offset: 50_000, data: half });
    for (let at = 10_000; at <= 100_000; at += 10_000) pane.ack(at);
    pane.ack(100_000);
    expect(socket.of("ack").map(({ offset }) => offset)).toEqual([40_000, 80_000, 100_000]);
  });

  it("sends one resize for many, the last, and none for the same", async () => {
    const pane = client.attach({ block: "b", area, visible: true }, handler().handler);
    const socket = await connect();
    opened(socket);
    await vi.advanceTimersByTimeAsync(100);
    const before = socket.of("resize").length;
    for (let cols = 81; cols <= 99; cols++) pane.resize({ ...area, cols });
    await vi.advanceTimersByTimeAsync(100);
    pane.resize({ ...area, cols: 99 });
    await vi.advanceTimersByTimeAsync(100);
    expect(
      socket
        .of("resize")
        .slice(before)
        .map(({ cols }) => cols),
    ).toEqual([81, 99]);
  });

  it("drops what comes for a hidden view and goes on from what was parsed", async () => {
    const view = handler();
    const pane = client.attach({ block: "b", area, visible: true }, view.handler);
    const socket = await connect();
    opened(socket);
    const say = (offset: number, value: string) =>
      socket.say({ type: "data", channel: socket.channel, offset, data: text(value) });
    say(0, "seen unseen");
    pane.hide(4);
    say(11, "more");
    pane.resize({ ...area, cols: 10 });
    expect(view.of("data")).toHaveLength(1);
    expect(socket.of("visible")).toMatchObject([{ visible: false }]);
    expect(socket.of("resize").some(({ cols }) => cols === 10)).toBe(false);
    const old = socket.channel;
    pane.show();
    expect(socket.of("detach")).toEqual([{ type: "detach", channel: old }]);
    expect(socket.of("attach").at(-1)).toMatchObject({ from: 4, visible: true, cols: 10 });
    opened(socket, 4);
    say(4, " unseenmore");
    expect(view.of("data").at(-1)).toEqual(["data", 4, " unseenmore"]);
  });

  it("only says that it is visible again when nothing was missed", async () => {
    const pane = client.attach({ block: "b", area, visible: true }, handler().handler);
    const socket = await connect();
    opened(socket);
    pane.hide(0);
    pane.show();
    expect(socket.of("attach")).toHaveLength(1);
    expect(socket.of("visible").map(({ visible }) => visible)).toEqual([false, true]);
  });

  it("tells a refusal with the bytes that will not arrive, and an error that closes", async () => {
    const view = handler();
    const pane = client.attach({ block: "b", area, visible: true }, view.handler);
    const socket = await connect();
    opened(socket);
    pane.send(text("abc"));
    socket.say({ type: "taken", channel: socket.channel, seq: 0 });
    socket.say({ type: "refused", channel: socket.channel, seq: 1, reason: "it is closing" });
    expect(view.of("refused")).toEqual([["refused", 3, "it is closing"]]);
    socket.say({ type: "error", channel: socket.channel, text: "no such block" });
    expect(view.of("failed")).toEqual([["failed", "no such block"]]);
    pane.reopen();
    expect(socket.of("attach")).toHaveLength(2);
  });

  it("keeps the input of a view that was moved", async () => {
    const first = client.attach({ block: "b", area, visible: true }, handler().handler);
    const socket = await connect();
    opened(socket);
    first.send(text("a"));
    socket.say({ type: "taken", channel: socket.channel, seq: 0 });
    first.dispose();
    first.dispose();
    expect(socket.of("detach")).toHaveLength(1);
    client.attach({ block: "b", area, visible: true }, handler().handler);
    socket.say({ type: "opened", channel: socket.channel, first: 0, next: 0, cols: 80, rows: 24 });
    expect(socket.of("input").map(({ seq }) => seq)).toEqual([0, 1, 1]);
  });
});

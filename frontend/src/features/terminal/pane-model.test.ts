import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { defaults, exitOf, status as fakeStatus } from "../../../test/fake";
import { StreamClient } from "../../bridge/stream";
import { FakeSocket } from "../../bridge/stream-fake";
import type { BlockEvent, Modes, Status } from "../../bridge/types";
import { Emitter } from "../../lib/emitter";
import { terminalCommands } from "./commands";
import { Emulator } from "./emulator";
import { TerminalHost } from "./host";
import { jsdomScreen } from "./jsdom-screen";
import { PaneModel } from "./pane-model";
import type { TerminalServices, TerminalSettings } from "./services";

const settings: TerminalSettings = {
  ...defaults.terminal,
  fontFamily: "",
  scrollback: 1000,
  cursorBlink: false,
  renderer: "dom",
};
const area = { cols: 80, rows: 24, xpixel: 600, ypixel: 432 };

let sockets: FakeSocket[];
let stream: StreamClient;
let host: TerminalHost;
let pane: PaneModel;
let status: Status | undefined;
let modes: Modes;
let statusListeners: Set<() => void>;
let calls: unknown[][];
let clipboard: string;
let happened: Emitter<BlockEvent>;
const tell = (event: Partial<BlockEvent>) =>
  happened.fire({ seq: 1, block: "b", event: "bell", title: "", text: "", exit: 0, took: 0, ...event });

const socket = () => sockets.at(-1) as FakeSocket;
const say = (text: string, offset = 0) =>
  socket().say({ type: "data", channel: socket().channel, offset, data: new TextEncoder().encode(text) });
const screen = () => pane.text();
const state = () => pane.store.getState();
const typed = () =>
  socket()
    .of("input")
    .map(({ data }) => new TextDecoder().decode(data));
const later = (ms = 50) => vi.advanceTimersByTimeAsync(ms);
const become = (change: Partial<Status>) => {
  status = { ...fakeStatus("b"), exit: exitOf(0), pid: 1, message: "", ...change };
  for (const listener of statusListeners) listener();
};

function services(): TerminalServices {
  const note =
    (name: string) =>
    async (...args: unknown[]) => {
      calls.push([name, ...args]);
    };
  return {
    platform: "linux",
    hostname: "",
    stream,
    settings: { get: () => settings, subscribe: () => () => {} },
    happened: () => happened,
    setColours: () => {},
    status: () => ({
      get: () => status,
      subscribe: (listener) => {
        statusListeners.add(listener);
        return () => statusListeners.delete(listener);
      },
    }),
    nameOf: () => "zsh",
    ensure: note("ensure"),
    close: note("close"),
    modes: async () => modes,
    interrupt: note("interrupt"),
    clipboard: {
      read: async () => clipboard,
      write: async (text) => {
        clipboard = text;
      },
    },
    locate: async () => ({ found: false, below: 0 }),
    openLink: note("open"),
    saveText: note("save"),
    notify: note("notify"),
    isCommandKey: () => false,
  };
}

beforeEach(async () => {
  vi.useFakeTimers();
  vi.spyOn(Emulator.prototype, "fit").mockReturnValue(area);
  sockets = [];
  calls = [];
  clipboard = "";
  happened = new Emitter();
  status = undefined;
  modes = { known: true, canonical: false, echo: true, lineLimit: 4095 };
  statusListeners = new Set();
  stream = new StreamClient({
    endpoint: () => ({ url: "ws://x", token: "t" }),
    open: (url, protocols) => {
      sockets.push(new FakeSocket(url, protocols));
      return socket();
    },
  });
  host = new TerminalHost(services());
  pane = new PaneModel(host, "b");
  await later(0);
  socket().fire("open");
});

afterEach(() => {
  pane.dispose();
  pane.dispose();
  host.dispose();
  stream.close();
  expect(statusListeners.size).toBe(0);
  vi.useRealTimers();
});

function show(): void {
  const element = jsdomScreen();
  Object.defineProperty(element, "clientWidth", { value: 610 });
  pane.mount(element);
  pane.setVisible(true);
  vi.advanceTimersToNextFrame(); // its size lasts
}

async function attached(): Promise<void> {
  show();
  pane.setFocused(true);
  socket().say({ type: "opened", channel: socket().channel, first: 0, next: 0, cols: 80, rows: 24 });
  await later();
}

/** Lets the backend take the empty first input, so that the others go out. */
function takeFirst(): void {
  socket().say({ type: "taken", channel: socket().channel, seq: 0 });
}

describe("pane", () => {
  it("attaches when it is first seen, with its size, and starts what never ran", () => {
    become({ state: "idle" });
    expect(socket().of("attach")).toEqual([]);
    show();
    expect(socket().of("attach")).toMatchObject([{ block: "b", cols: 80, rows: 24, from: "oldest" }]);
    expect(calls).toEqual([["ensure", "b", { cols: 80, rows: 24, force: false }]]);
  });

  it("does not start what has ended", () => {
    become({ state: "exited" });
    show();
    expect(calls).toEqual([]);
  });

  it("shows what comes and acks what was parsed", async () => {
    await attached();
    say("hello");
    await later();
    expect(screen()).toBe("hello\n");
    expect(socket().of("ack").at(-1)?.offset).toBe(5);
  });

  it("resizes the emulator only when the stream says so", async () => {
    await attached();
    vi.mocked(Emulator.prototype.fit).mockReturnValue({ ...area, cols: 100 });
    pane.zoom("out");
    await later(100);
    expect(socket().of("resize").at(-1)?.cols).toBe(100);
    expect(pane.emulator.terminal.cols).toBe(80);
    say("x");
    socket().say({ type: "size", channel: socket().channel, offset: 1, cols: 100, rows: 24, owner: true });
    await later();
    expect(pane.emulator.terminal.cols).toBe(100);
    expect(state().foreignSize).toBeUndefined();
  });

  it("says when another window decides the size", async () => {
    await attached();
    socket().say({ type: "size", channel: socket().channel, offset: 0, cols: 120, rows: 40, owner: false });
    await later();
    expect(state().foreignSize).toBe("120 × 40");
  });

  it("is not parsed while hidden and goes on where it was", async () => {
    await attached();
    say("seen");
    await later();
    pane.setVisible(false);
    say(" hidden", 4);
    await later();
    expect(screen()).toBe("seen\n");
    pane.setVisible(true);
    expect(socket().of("attach").at(-1)).toMatchObject({ from: 4, visible: true });
  });

  it("shows a loss on its screen and nothing else there", async () => {
    await attached();
    say("old");
    await later();
    socket().say({ type: "lost", channel: socket().channel, from: 3, to: 1003, unsure: false });
    say("new", 1003);
    await later();
    expect(screen()).toBe("old\n1,000 bytes lost\nnew\n");
  });

  it("sends what is typed, and nothing to a program that has ended but Enter restarts it", async () => {
    await attached();
    become({ state: "running" });
    pane.emulator.terminal.input("a", true);
    takeFirst();
    expect(typed()).toEqual(["", "a"]);
    become({ state: "exited" });
    pane.emulator.terminal.input("b", true);
    pane.emulator.terminal.input("\r", true);
    expect(typed()).toEqual(["", "a"]);
    expect(calls).toContainEqual(["ensure", "b", { cols: 80, rows: 24, force: true }]);
  });

  it("says what an ended program did not read, and gives the credit back", async () => {
    await attached();
    become({ state: "running" });
    pane.emulator.terminal.input("abc", true);
    become({ state: "exited" });
    expect(state().strips[0]).toMatchObject({ title: "Exited with 0" });
    vi.runOnlyPendingTimers();
    expect(state().strips[0]).toMatchObject({ title: "Input was refused" });
    expect(state().strips[0]?.rest).toContain("3 bytes");
  });

  it("takes mouse and paste reports back when the program is gone", async () => {
    await attached();
    become({ state: "running" });
    say("\x1b[?1003h\x1b[?2004h\x1b[?25l");
    await later();
    expect(pane.programHasMouse).toBe(true);
    become({ state: "exited" });
    await later();
    expect(pane.programHasMouse).toBe(false);
    expect(pane.emulator.bracketed).toBe(false);
  });

  it("holds input while the link is lost, and says so", async () => {
    await attached();
    socket().fire("close");
    pane.emulator.terminal.input("abc", true);
    expect(state().strips.map(({ title }) => title)).toEqual(["Held, 3 bytes", "Reconnecting"]);
    pane.act("discard");
    expect(state().strips.map(({ title }) => title)).toEqual(["Reconnecting"]);
  });

  it("tells Ctrl+S only by the silence after it", async () => {
    await attached();
    pane.emulator.terminal.input("\x13", true);
    say("more");
    await later(1000);
    expect(state().strips).toEqual([]);
    pane.emulator.terminal.input("\x13", true);
    await later(1000);
    expect(state().strips).toMatchObject([{ title: "Output stopped" }]);
    pane.emulator.terminal.input("\x11", true);
    expect(state().strips).toEqual([]);
  });

  it("shows a refusal and a closed channel", async () => {
    await attached();
    socket().say({ type: "refused", channel: socket().channel, seq: 1, reason: "it is closing" });
    socket().say({ type: "error", channel: socket().channel, text: "no such block" });
    expect(state().strips.map(({ title }) => title)).toEqual(["Input was refused", "Not attached"]);
    pane.act("reopen");
    pane.act("dismiss");
    expect(state().strips).toEqual([]);
    expect(socket().of("attach")).toHaveLength(2);
  });
});

describe("a block that starts later", () => {
  it("is attached again when it runs", async () => {
    become({ state: "idle" });
    await attached();
    socket().say({ type: "error", channel: socket().channel, text: "it has never run" });
    expect(state().strips.map(({ title }) => title)).toEqual(["Not attached"]);
    become({ state: "running" });
    expect(state().strips).toEqual([]);
    expect(socket().of("attach")).toHaveLength(2);
    become({ state: "running" });
    expect(socket().of("attach")).toHaveLength(2);
  });
});

describe("paste and copy", () => {
  it("asks before lines that a plain shell would run", async () => {
    await attached();
    clipboard = "a\nb";
    pane.paste();
    await later(0);
    expect(state().question).toMatchObject({ lines: 2 });
    pane.answerPaste("cancel");
    expect(typed()).toEqual([]);
    pane.pasteText("a\nb");
    pane.answerPaste("one-line");
    pane.pasteText("a\nb");
    pane.answerPaste("paste");
    takeFirst();
    expect(typed()).toEqual(["", "a ba\rb"]);
  });

  it.each([
    ["a line that the terminal would cut", { known: true, canonical: true }, 5000, true],
    ["none that it keeps", { known: true, canonical: true }, 4095, false],
    ["none to a program that takes input as it comes", { known: true, canonical: false }, 5000, false],
    ["none where nobody knows", { known: false, canonical: true }, 5000, false],
  ])("asks about %s", async (_, known, length, asks) => {
    await attached();
    modes = { ...modes, ...known };
    pane.pasteText("x".repeat(length));
    await later();
    expect(state().question?.longest ?? 0).toBe(asks ? length : 0);
    if (!asks) takeFirst();
    expect(typed().join("").length).toBe(asks ? 0 : length);
  });

  it("marks a paste for a program that wants it, and does not ask", async () => {
    await attached();
    say("\x1b[?2004h");
    await later();
    pane.pasteText("a\nb\x1b[201~");
    takeFirst();
    expect(typed()).toEqual(["", "\x1b[200~a\rb\x1b[201~"]);
  });

  it("copies the selection, and by itself only if set so", async () => {
    await attached();
    say("word");
    await later();
    pane.selectAll();
    await later(500);
    expect(clipboard).toBe("");
    pane.copy();
    expect(clipboard).toContain("word");
  });

  it("lets a program write the clipboard with a notice, and not read it", async () => {
    await attached();
    tell({ event: "clipboard", text: "fresh" });
    tell({ event: "clipboard-asked" });
    await later();
    expect(clipboard).toBe("fresh");
    expect(calls).toContainEqual([
      "notify",
      expect.objectContaining({ title: "zsh put text into the clipboard" }),
    ]);
  });

  it("flashes at a bell", async () => {
    await attached();
    tell({ event: "bell" });
    expect(pane.store.getState().bells).toBe(1);
  });

  it.each([
    ["Insert", { shiftKey: true }, "text"],
    ["v", { ctrlKey: true, shiftKey: true }, "text"],
    ["v", { ctrlKey: true }, "\x16"],
    ["c", { ctrlKey: true }, "\x03"],
  ])("%s with %j types %j", async (key, modifiers, wanted) => {
    await attached();
    clipboard = "text";
    const code = key.length === 1 ? `Key${key.toUpperCase()}` : key;
    const keyCode = key === "Insert" ? 45 : key.toUpperCase().charCodeAt(0);
    pane.emulator.terminal.textarea?.dispatchEvent(
      new KeyboardEvent("keydown", { key, code, keyCode, bubbles: true, cancelable: true, ...modifiers }),
    );
    await later(0);
    takeFirst();
    expect(typed().at(-1)).toBe(wanted);
  });
});

describe("commands", () => {
  it("act on the pane that had the focus last", async () => {
    const commands = terminalCommands(() => host.focused, false);
    const run = (id: string) => {
      const command = commands.find((known) => known.id === `terminal.${id}`);
      return command?.when?.() ? command.run() : "none";
    };
    expect(run("interrupt")).toBe("none");
    await attached();
    run("interrupt");
    run("find");
    expect(calls).toContainEqual(["interrupt", "b"]);
    expect(state().find).toMatchObject({ text: "" });
    run("textView");
    expect(state().text).toBe("");
    pane.dispose();
    expect(run("find")).toBe("none");
  });

  it("have ids of their own and name no key twice", () => {
    for (const mac of [false, true]) {
      const commands = terminalCommands(() => undefined, mac);
      const keys = commands.flatMap(({ keys = [] }) => keys);
      expect(new Set(commands.map(({ id }) => id)).size).toBe(commands.length);
      expect(new Set(keys).size).toBe(keys.length);
    }
  });
});

import type { BoundWindow, Runtime } from "../../src/bridge/bound";
import type {
  ActivitySnapshot,
  Block,
  ClosePreview,
  Closing,
  EventMap,
  Hello,
  HistoryCommand,
  Layout,
  Model,
  OpenTerminal,
  Place,
  Search,
  SearchHit,
  SearchHits,
  Settings,
  SettingsView,
  Status,
  TerminalState,
} from "../../src/bridge/types";
import { emptyModel, status, withBlock, withoutBlocks } from "./model";

export const defaults: Settings = {
  theme: "system",
  terminal: {
    fontFamily: "JetBrains Mono",
    fontSize: 12.5,
    lineHeight: 1.44,
    scrollback: 5000,
    cursorStyle: "block",
    cursorBlink: true,
    copyOnSelect: false,
    confirmMultilinePaste: true,
    shellIntegration: true,
    commandHistory: true,
    bell: "visual",
    renderer: "auto",
    shell: "",
    closeOnExit: "auto",
    screenReader: false,
    images: true,
  },
  log: { perTerminalMiB: 64, totalGiB: 4 },
  keys: {},
  view: { treeWidth: 300, dockRows: 4, treeShown: true, dockShown: true },
};

function valueAt(settings: Settings, path: string): unknown {
  return path.split(".").reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], settings);
}

// biome-ignore lint/suspicious/noExplicitAny: requests arrive untyped, as they do in the real backend
type Request = any;

/** The contract in memory: what the page asks is done at once and announced as the backend would. */
export class FakeBackend {
  hello: Hello = {
    version: "0.0.0-fake",
    platform: "linux",
    home: "/home/ada",
    dataDir: "/home/ada/.local/share/drover",
    shell: "/usr/bin/zsh",
    browser: false,
    binary: "/usr/bin/drover",
    hostname: "lovelace",
    run: "one",
    streamUrl: "ws://127.0.0.1:1/stream",
    streamToken: "fake",
    notices: [],
  };
  model: Model = emptyModel();
  statuses: Record<string, Status> = {};
  activity: ActivitySnapshot = {
    seq: 1,
    at: "",
    cpu: 2,
    memory: 2.0e9,
    totalMemory: 16 * 1024 ** 3,
    hosts: [],
    ended: [],
  };
  terminals: Record<string, TerminalState> = {};
  view: SettingsView = {
    settings: structuredClone(defaults),
    problems: [],
    path: "/home/ada/.config/drover/settings.json",
    defaults,
  };
  /** What terminals have kept: the lines of a block, the oldest first; a line's number is its place. */
  outputs: Record<string, string[]> = {};
  /** The commands that were run, the newest first. */
  history: HistoryCommand[] = [];
  dirs: Record<string, string[]> = { "/home/ada": ["lantern", "website"], "/home/ada/lantern": ["dialer"] };
  preview: ClosePreview = { ask: false, items: [] };
  clipboard = "";
  /** Every call in order, for tests that look at what was asked. */
  calls: { method: string; args: unknown[] }[] = [];
  /** Methods that fail with this text. */
  failing: Record<string, string> = {};
  /** Milliseconds in which a close can be undone. */
  undoFor = 10_000;
  #seq = 0;
  #next = 1;
  #listeners = new Map<string, Set<(data: unknown) => void>>();
  #closings = new Map<string, { closing: Closing; timer: ReturnType<typeof setTimeout>; before: Model }>();

  async call(method: string, ...args: unknown[]): Promise<unknown> {
    this.calls.push({ method, args });
    const failure = this.failing[method];
    if (failure) throw failure;
    const handler = this.#handlers[method];
    if (!handler) throw new Error(`the fake does not have ${method}`);
    return structuredClone(handler(structuredClone(args[0])) ?? null);
  }

  emit<K extends keyof EventMap>(name: K, payload: Omit<EventMap[K], "seq">): void {
    this.#seq++;
    for (const fn of this.#listeners.get(name) ?? []) fn(structuredClone({ ...payload, seq: this.#seq }));
  }

  /** Loses one event, as a busy window may. */
  lose(): void {
    this.#seq++;
  }

  setStatus(part: Partial<Status> & { block: string }): void {
    const old = this.statuses[part.block];
    const next = { ...(old ?? status(part.block)), ...part, version: (old?.version ?? 0) + 1 };
    this.statuses[part.block] = next;
    this.emit("status", { status: next });
  }

  change(fn: (model: Model) => Model): void {
    this.model = { ...fn(this.model), version: this.model.version + 1 };
    this.emit("workspaces", { version: this.model.version });
  }

  get runtime(): Pick<Runtime, "EventsOn"> {
    return {
      EventsOn: (name, fn) => {
        const set = this.#listeners.get(name) ?? new Set();
        this.#listeners.set(name, set.add(fn));
        return () => void set.delete(fn);
      },
    };
  }

  listeners(): number {
    return [...this.#listeners.values()].reduce((n, set) => n + set.size, 0);
  }

  install(win: BoundWindow): void {
    const area = (name: string) =>
      new Proxy(
        {},
        {
          get:
            (_, method) =>
            (...args: unknown[]) =>
              this.call(`${name}.${String(method)}`, ...args),
        },
      );
    win.go = { api: new Proxy({}, { get: (_, name) => area(String(name)) }) };
    win.runtime = {
      ...this.runtime,
      ClipboardGetText: async () => this.clipboard,
      ClipboardSetText: async (text) => {
        this.clipboard = text;
        return true;
      },
      BrowserOpenURL: () => {},
    };
  }

  dispose(): void {
    for (const { timer } of this.#closings.values()) clearTimeout(timer);
  }

  #id(kind: string): string {
    return `${kind}-${this.#next++}`;
  }

  #layout(workspace: string, fn: (layout: Layout) => Layout): (model: Model) => Model {
    return (model) => ({
      ...model,
      workspaces: model.workspaces.map((w) =>
        w.id === workspace ? { ...w, layout: fn(w.layout), layoutVersion: model.version + 1 } : w,
      ),
    });
  }

  #open(req: OpenTerminal): Block {
    if (req.dir && !this.dirs[req.dir]) throw `cannot start in ${req.dir}: there is no such folder`;
    const ws = req.place.workspace || this.model.active;
    const block: Block = {
      id: this.#id("block"),
      workspace: ws,
      kind: "shell",
      name: req.name,
      dir: req.dir || this.hello.home,
      command: req.command,
      commandLine: req.commandLine,
      shell: req.shell,
      env: req.env,
      closeOnExit: "",
      unrecorded: req.unrecorded,
      created: new Date().toISOString(),
    };
    this.change((m) => ({ ...m, blocks: { ...m.blocks, [block.id]: block } }));
    const place: Place = { ...req.place, workspace: ws };
    this.change(this.#layout(ws, (l) => withBlock(l, block.id, place, this.#id("pane"))));
    this.setStatus({ block: block.id, state: "running" });
    return block;
  }

  #close(blocks: string[], workspace: string, now: boolean): Closing {
    const before = this.model;
    const gone = new Set(blocks);
    this.change((m) => ({
      ...m,
      active: m.active === workspace ? (m.workspaces.find((w) => w.id !== workspace)?.id ?? "") : m.active,
      blocks: Object.fromEntries(Object.entries(m.blocks).filter(([id]) => !gone.has(id))),
      workspaces: m.workspaces
        .filter((w) => w.id !== workspace)
        .map((w) => ({ ...w, layout: withoutBlocks(w.layout, gone) })),
    }));
    for (const block of blocks) this.setStatus({ block, closing: true });
    const closing: Closing = {
      id: this.#id("closing"),
      blocks,
      workspace,
      undoUntil: new Date(Date.now() + this.undoFor).toISOString(),
      state: "undoable",
      result: "",
    };
    const timer = setTimeout(() => this.#finish(closing.id), now ? 0 : this.undoFor);
    this.#closings.set(closing.id, { closing, timer, before });
    this.emit("closing", { closing });
    return closing;
  }

  #finish(id: string): Closing {
    const entry = this.#closings.get(id);
    if (!entry) throw `cannot close ${id}: it is over`;
    clearTimeout(entry.timer);
    this.#closings.delete(id);
    const done: Closing = {
      ...entry.closing,
      state: "done",
      result: `stopped ${entry.closing.blocks.length}, forced 0, survived 0`,
    };
    this.emit("closing", { closing: done });
    return done;
  }

  #undo(id: string): Closing {
    const entry = this.#closings.get(id);
    if (!entry) throw "cannot undo: it has ended already";
    clearTimeout(entry.timer);
    this.#closings.delete(id);
    this.change((m) => ({ ...entry.before, version: m.version }));
    for (const block of entry.closing.blocks) this.setStatus({ block, closing: false });
    const undone: Closing = { ...entry.closing, state: "undone" };
    this.emit("closing", { closing: undone });
    return undone;
  }

  #search(req: Search): SearchHits {
    let pattern: RegExp;
    try {
      const text = req.regexp ? req.text : req.text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
      pattern = new RegExp(req.word ? `\\b(?:${text})\\b` : text, req.matchCase ? "" : "i");
    } catch {
      throw `this is no regular expression: ${req.text}`;
    }
    const hits: SearchHit[] = [];
    for (const [line, text] of (this.outputs[req.block] ?? []).entries()) {
      const found = pattern.exec(text);
      if (!found) continue;
      const end = found.index + found[0].length;
      hits.push({ line, before: text.slice(0, found.index), match: found[0], after: text.slice(end) });
    }
    return { hits: hits.reverse(), next: 0, done: true };
  }

  #set(req: { path: string; value: unknown }): SettingsView {
    const settings = structuredClone(this.view.settings);
    const parts = req.path.split(".");
    const last = parts.pop() ?? "";
    let at = settings as unknown as Record<string, unknown>;
    if (!req.path.startsWith("keys.")) for (const part of parts) at = at[part] as Record<string, unknown>;
    if (last === "fontSize" && Number(req.value) > 100) throw "terminal.fontSize must be from 4 to 100";
    if (req.path.startsWith("keys.")) {
      const id = req.path.slice("keys.".length);
      const { [id]: _, ...rest } = settings.keys;
      settings.keys = req.value === null ? rest : { ...rest, [id]: String(req.value) };
    } else at[last] = req.value ?? valueAt(defaults, req.path);
    this.view = { ...this.view, settings };
    this.emit("settings", {});
    return this.view;
  }

  #handlers: Record<string, (req: Request) => unknown> = {
    "App.Hello": () => this.hello,
    "App.OpenLink": () => undefined,
    "App.ClipboardText": () => this.clipboard,
    "App.SetClipboardText": (text) => {
      this.clipboard = text;
    },
    "App.Quit": () => undefined,
    "Workspaces.Snapshot": () => this.model,
    "Workspaces.Create": (req) => {
      if (!req.name) throw "cannot create a workspace: it needs a name";
      const ws = {
        id: this.#id("ws"),
        name: req.name,
        dir: req.dir,
        layout: { root: null, floating: [], focus: "", zoomed: "" },
        layoutVersion: 0,
        unplaced: [],
      };
      this.change((m) => ({ ...m, active: ws.id, workspaces: [...m.workspaces, ws] }));
      return ws;
    },
    "Workspaces.Rename": (req) =>
      this.change((m) => ({
        ...m,
        workspaces: m.workspaces.map((w) => (w.id === req.id ? { ...w, name: req.name } : w)),
      })),
    "Workspaces.Activate": (req) => this.change((m) => ({ ...m, active: req.id })),
    "Workspaces.Reorder": (req) =>
      this.change((m) => ({
        ...m,
        workspaces: req.ids.flatMap((id: string) => m.workspaces.filter((w) => w.id === id)),
      })),
    "Workspaces.SetLayout": (req) => {
      const at = this.model.workspaces.find((w) => w.id === req.workspace)?.layoutVersion ?? 0;
      if (req.base < at || req.base > this.model.version) throw "conflict: the layout has changed meanwhile";
      this.change(this.#layout(req.workspace, () => req.layout));
      return this.model;
    },
    "Workspaces.OpenTerminal": (req) => this.#open(req),
    "Workspaces.MoveBlock": (req) => {
      const gone = new Set<string>([req.block]);
      this.change((m) => ({
        ...m,
        blocks: {
          ...m.blocks,
          [req.block]: { ...(m.blocks[req.block] as Block), workspace: req.place.workspace },
        },
        workspaces: m.workspaces.map((w) => {
          const layout = withoutBlocks(w.layout, gone);
          const unplaced = w.unplaced.filter((b) => b !== req.block);
          if (w.id !== req.place.workspace) return { ...w, layout, unplaced };
          return { ...w, unplaced, layout: withBlock(layout, req.block, req.place, this.#id("pane")) };
        }),
      }));
    },
    "Workspaces.RenameBlock": (req) =>
      this.change((m) => ({
        ...m,
        blocks: { ...m.blocks, [req.id]: { ...(m.blocks[req.id] as Block), name: req.name } },
      })),
    "Workspaces.ListDir": (req) => {
      const typed = String(req.path).replace(/(.)\/$/, "$1");
      const path = typed === "" || typed === "~" ? this.hello.home : typed;
      if (!this.dirs[path]) throw `cannot list ${path}: there is no such folder`;
      return { path, dirs: this.dirs[path] };
    },
    "Workspaces.Shells": () => ["/usr/bin/zsh", "/bin/bash", "/usr/bin/fish"],
    "Controllers.List": () => Object.values(this.statuses),
    "Controllers.Ensure": (req) => {
      this.setStatus({
        block: req.block,
        state: "running",
        instance: (this.statuses[req.block]?.instance ?? 0) + 1,
      });
      return this.statuses[req.block];
    },
    "Controllers.Signal": () => undefined,
    "Controllers.Stop": () => undefined,
    "Controllers.Type": () => undefined,
    "Controllers.Modes": () => ({ known: false, canonical: false, echo: false, lineLimit: 0 }),
    "Controllers.Closings": () => [...this.#closings.values()].map(({ closing }) => closing),
    "Controllers.Preview": () => this.preview,
    "Controllers.Close": (req) => this.#close(req.blocks, req.workspace, req.now),
    "Controllers.Undo": (req) => this.#undo(req.id),
    "Controllers.CloseNow": (req) => this.#finish(req.id),
    "Activity.Snapshot": () => this.activity,
    "Terminals.Search": (req) => this.#search(req),
    "Terminals.Around": ({ block, offset, above, below }) => {
      const lines = (this.outputs[block] ?? []).map((text, at) => ({ offset: at, text }));
      const from = Math.max(0, offset - above);
      return { lines: lines.slice(from, offset + below + 1), at: offset - from };
    },
    "Terminals.Record": (req) => `${this.hello.home}/Downloads/${req.name}.cast`,
    "App.SaveText": (req) => `${this.hello.home}/Downloads/${req.name}.txt`,
    "Terminals.SetColours": () => undefined,
    "History.Find": ({ text }) => {
      const commands = this.history.filter((c) => c.text.includes(text));
      return { commands, total: commands.length };
    },
    "History.Forget": ({ id }) => {
      this.history = this.history.filter((c) => c.id !== id);
    },
    "History.Clear": () => {
      this.history = [];
    },
    "Terminals.States": () => Object.values(this.terminals),
    "Activity.Dismiss": (req) => {
      this.activity = { ...this.activity, ended: this.activity.ended.filter((e) => e.id !== req.id) };
      this.emit("activity", {});
    },
    "Activity.DismissAll": () => {
      this.activity = { ...this.activity, ended: [] };
      this.emit("activity", {});
    },
    "Activity.End": () => undefined,
    "Settings.Load": () => this.view,
    "Settings.Set": (req) => this.#set(req),
  };
}

import { createStore, type StoreApi } from "zustand/vanilla";
import { type Disposable, DisposableStore } from "../lib/disposable";
import { Emitter } from "../lib/emitter";
import { errorText } from "../lib/format";
import type { Api } from "./api";
import type { LinkState } from "./browser";
import type { Events } from "./events";
import type {
  ActivitySnapshot,
  Block,
  ClosePreview,
  Closing,
  EventMap,
  Hello,
  Model,
  Notice,
  SettingsView,
  Status,
  TerminalState,
} from "./types";

/** What the page knows of the backend. Replaced piece by piece, never changed in place. */
export interface Known {
  hello: Hello | undefined;
  model: Model;
  statuses: Readonly<Record<string, Status>>;
  activity: ActivitySnapshot;
  settings: SettingsView | undefined;
  closings: Readonly<Record<string, Closing>>;
  /** The blocks of the closings: the model has them no more, they still run. */
  leaving: Readonly<Record<string, Block>>;
  notices: readonly Notice[];
  /** What the programs of terminals say of themselves. */
  terminals: Readonly<Record<string, TerminalState>>;
  link: LinkState;
  /** Why the last pull failed, "" if it did not. */
  trouble: string;
  /** True once everything has been pulled. */
  ready: boolean;
}

const nothing: Known = {
  hello: undefined,
  model: { version: 0, active: "", workspaces: [], blocks: {} },
  statuses: {},
  activity: { seq: 0, at: "", cpu: 0, memory: 0, totalMemory: 0, hosts: [], ended: [] },
  settings: undefined,
  closings: {},
  leaving: {},
  notices: [],
  terminals: {},
  link: { state: "up" },
  trouble: "",
  ready: false,
};

/** What is known of a block that was closed before this page was there: its status tells its name. */
const unseen = (id: string, status: Status | undefined): Block => ({
  id,
  workspace: "",
  kind: "shell",
  name: status?.identity.name ?? "",
  dir: "",
  command: [],
  commandLine: "",
  shell: "",
  env: {},
  closeOnExit: "",
  unrecorded: false,
  created: "",
});

/** How many blocks that left the model are remembered: a close is told after them. */
const mostGone = 200;

const byBlock = (states: readonly TerminalState[]) => Object.fromEntries(states.map((s) => [s.block, s]));

/** Runs a job; asked while it runs, it runs once more afterwards, and never twice at a time. */
class Puller {
  #running: Promise<void> | undefined;
  #again = false;
  #job: () => Promise<void>;

  constructor(job: () => Promise<void>) {
    this.#job = job;
  }

  ask(): Promise<void> {
    this.#again = true;
    this.#running ??= this.#loop();
    return this.#running;
  }

  async #loop(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      await this.#job();
    }
    // In the same turn as the look at #again: who asks from here on starts anew.
    this.#running = undefined;
  }
}

/**
 * The page's copy of what the backend knows. Only the backend's answers change
 * it: events tell it what to pull, versions tell it what is newer.
 */
export class Mirror implements Disposable {
  readonly store: StoreApi<Known> = createStore<Known>(() => nothing);
  readonly onBlockEvent = new Emitter<EventMap["block"]>();
  readonly onClosing = new Emitter<Closing>();
  readonly onNotice = new Emitter<Notice>();
  /** The window was asked to close, and something would end by it. */
  readonly onQuit = new Emitter<ClosePreview>();
  readonly api: Api;
  #disposables = new DisposableStore();
  #events: Events;
  #onNewRun: () => void;
  #model: Puller;
  #activity: Puller;
  #settings: Puller;
  #terminals: Puller;
  #everything: Puller;
  #gone = new Map<string, Block>();
  #over = new Set<string>();

  /** onNewRun: another run of the app answers than before, so that nothing known holds any more. */
  constructor(api: Api, events: Events, onNewRun: () => void = () => {}) {
    this.api = api;
    this.#onNewRun = onNewRun;
    this.#events = events;
    this.#model = this.#puller(async () => this.takeModel(await api.workspaces.snapshot()));
    this.#activity = this.#puller(async () => this.#set({ activity: await api.activity.snapshot() }));
    this.#settings = this.#puller(async () => this.#set({ settings: await api.settings.load() }));
    this.#terminals = this.#puller(async () =>
      this.#set({ terminals: byBlock(await api.terminals.states()) }),
    );
    this.#everything = this.#puller(() => this.#pullEverything());
    const d = this.#disposables;
    d.add(events.onGap.on(() => void this.#everything.ask()));
    d.add(events.on("workspaces", (e) => void (e.version > this.known.model.version && this.#model.ask())));
    d.add(events.on("activity", () => void this.#activity.ask()));
    d.add(events.on("settings", () => void this.#settings.ask()));
    d.add(events.on("terminals", () => void this.#terminals.ask()));
    d.add(events.on("status", (e) => this.takeStatus(e.status)));
    d.add(events.on("closing", (e) => this.takeClosing(e.closing)));
    d.add(events.on("notice", (e) => this.#notice(e.notice)));
    d.add(events.on("quit", (e) => this.onQuit.fire(e.preview)));
    d.add(events.on("block", (e) => this.onBlockEvent.fire(e)));
    for (const emitter of [this.onBlockEvent, this.onClosing, this.onNotice, this.onQuit]) d.add(emitter);
  }

  get known(): Known {
    return this.store.getState();
  }

  /** Pulls everything. Resolves when it is there or has failed; trouble says which. */
  start(): Promise<void> {
    return this.#everything.ask();
  }

  /** Follows the socket of a browser: a new connection pulls everything again. */
  link(state: LinkState): void {
    const before = this.known.link.state;
    this.#set({ link: state });
    if (state.state === "up" && before !== "up" && this.known.ready) {
      this.#events.restart();
      void this.#everything.ask();
    }
  }

  pullModel(): Promise<void> {
    return this.#model.ask();
  }

  pullActivity(): Promise<void> {
    return this.#activity.ask();
  }

  /** Takes a model that a call returned, unless a newer one is known. */
  takeModel(model: Model): void {
    if (model.version >= this.known.model.version) this.#set(this.#modelWith(model));
  }

  takeStatus(status: Status): void {
    const have = this.known.statuses[status.block];
    if (have && have.version >= status.version) return;
    this.#set({ statuses: { ...this.known.statuses, [status.block]: status } });
  }

  takeClosing(closing: Closing): void {
    const { [closing.id]: _, ...rest } = this.known.closings;
    const over = closing.state === "done" || closing.state === "undone";
    if (over) this.#over.add(closing.id);
    else if (this.#over.has(closing.id)) return;
    const closings = over ? rest : { ...rest, [closing.id]: closing };
    this.#set({ closings, leaving: this.#leaving(this.known.model, closings) });
    this.onClosing.fire(closing);
  }

  takeSettings(settings: SettingsView): void {
    this.#set({ settings });
  }

  dismissNotice(id: string): void {
    this.#set({ notices: this.known.notices.filter((n) => n.id !== id) });
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  async #pullEverything(): Promise<void> {
    const api = this.api;
    const first = !this.known.ready;
    const [hello, model, list, activity, settings, closings, terminals] = await Promise.all([
      api.app.hello(),
      api.workspaces.snapshot(),
      api.controllers.list(),
      api.activity.snapshot(),
      api.settings.load(),
      api.controllers.closings(),
      api.terminals.states(),
    ]);
    if (this.known.hello && this.known.hello.run !== hello.run) this.#onNewRun();
    const old = this.known.statuses;
    const statuses: Record<string, Status> = {};
    for (const status of list) {
      const have = old[status.block];
      statuses[status.block] = have && have.version > status.version ? have : status;
    }
    // Not by version: after a restart of the backend the numbers may start anew.
    this.#set({
      ...this.#modelWith(model),
      hello,
      statuses,
      activity,
      settings,
      terminals: byBlock(terminals),
      ready: true,
      trouble: "",
    });
    this.#takeClosings(closings);
    if (first) for (const notice of hello.notices) this.#notice(notice);
  }

  /** Takes the list of closings: what is not on it any more ended unheard. */
  #takeClosings(list: readonly Closing[]): void {
    const listed = new Set(list.map((c) => c.id));
    for (const c of Object.values(this.known.closings)) {
      if (listed.has(c.id)) continue;
      const back = c.blocks.some((b) => this.known.model.blocks[b]);
      this.takeClosing({ ...c, state: back ? "undone" : "done", result: "" });
    }
    for (const c of list) this.takeClosing(c);
  }

  #modelWith(model: Model): Pick<Known, "model" | "leaving"> {
    for (const [id, block] of Object.entries(this.known.model.blocks)) {
      if (!model.blocks[id]) this.#gone.set(id, block);
    }
    for (const id of this.#gone.keys()) {
      if (model.blocks[id] || this.#gone.size > mostGone) this.#gone.delete(id);
    }
    return { model, leaving: this.#leaving(model, this.known.closings) };
  }

  #leaving(model: Model, closings: Known["closings"]): Known["leaving"] {
    const ids = Object.values(closings).flatMap((c) => c.blocks);
    if (ids.length === 0) return nothing.leaving;
    const leaving: Record<string, Block> = {};
    for (const id of ids) {
      if (!model.blocks[id]) leaving[id] = this.#gone.get(id) ?? unseen(id, this.known.statuses[id]);
    }
    return leaving;
  }

  #puller(job: () => Promise<void>): Puller {
    return new Puller(async () => {
      try {
        await job();
        if (this.known.trouble) this.#set({ trouble: "" });
      } catch (error) {
        this.#set({ trouble: errorText(error) });
      }
    });
  }

  #notice(notice: Notice): void {
    this.#set({ notices: [...this.known.notices.filter((n) => n.id !== notice.id), notice] });
    this.onNotice.fire(notice);
  }

  #set(part: Partial<Known>): void {
    if (!this.#disposables.disposed) this.store.setState(part);
  }
}

import { createStore, type StoreApi } from "zustand/vanilla";
import { blockName, rowsByBlock } from "../../bridge/describe";
import type { Mirror } from "../../bridge/mirror";
import type { Block, OpenTerminal, Place, Side, Workspace } from "../../bridge/types";
import { type Disposable, DisposableStore } from "../../lib/disposable";
import { Emitter } from "../../lib/emitter";
import { count, errorText } from "../../lib/format";
import type { Toasts } from "../../ui/toasts";
import { CloseFlow } from "./closing";
import { type DockController, Docks } from "./dockController";
import { paneWith } from "./layout";

/** What is open over the panes, and what is being renamed. */
export interface WorkspaceUi {
  /** The dialogue for a new terminal, with where it would go. */
  newTerminal: { side: Side } | undefined;
  openFolder: boolean;
  /** A block or a workspace whose name is being edited. */
  renaming: string;
}

const wanted = {
  name: "",
  dir: "",
  like: "",
  command: [],
  commandLine: "",
  shell: "",
  env: {},
  unrecorded: false,
  // Its pane starts it, in the size that the pane has: a program is born with its size.
  later: true,
  cols: 0,
  rows: 0,
};

/** A terminal that nobody has come to see is started after so long, in a common size (milliseconds). */
const unseen = { after: 1000, cols: 80, rows: 24 };

/** What a person can do with workspaces, panes and blocks. It asks the backend; the mirror shows what came of it. */
export class WorkspaceSession implements Disposable {
  /** The workspace that was asked for and is not shown yet; "" if there is none. */
  #wanted = "";
  #activating: Promise<void> = Promise.resolve();
  /** The workspaces and terminals that are being made: keys come faster than answers, and each means what the ones before it made. */
  #making: Promise<unknown> = Promise.resolve();
  readonly mirror: Mirror;
  readonly toasts: Toasts;
  readonly closing: CloseFlow;
  readonly docks = new Docks();
  /** A person opens a terminal: what is typed from now on is meant for it. */
  readonly onOpening = new Emitter<Promise<Block>>();
  /** A person asked for a block: whatever draws it takes the keys, even if its pane had the focus before. */
  readonly onFocus = new Emitter<string>();
  readonly ui: StoreApi<WorkspaceUi> = createStore<WorkspaceUi>(() => ({
    newTerminal: undefined,
    openFolder: false,
    renaming: "",
  }));
  #unmade = 0;
  /** The block that was opened last, here. */
  #newest: string | undefined;
  #disposables = new DisposableStore();

  constructor(mirror: Mirror, toasts: Toasts) {
    this.mirror = mirror;
    this.toasts = toasts;
    this.closing = this.#disposables.add(new CloseFlow(mirror, toasts));
    this.#disposables.add(this.onFocus);
    this.#disposables.add(this.onOpening);
  }

  get active(): Workspace | undefined {
    const { model } = this.mirror.known;
    return model.workspaces.find((w) => w.id === model.active);
  }

  get dock(): DockController | undefined {
    const active = this.active;
    return active && this.docks.of(active.id);
  }

  /** The block in front in the focused pane. */
  get block(): Block | undefined {
    const id = this.dock?.activeBlock;
    return id === undefined ? undefined : this.mirror.known.model.blocks[id];
  }

  /** The folder in which the person is: that of the block in front, else the workspace's; "" is home. */
  get dir(): string {
    const { block } = this;
    const row = block && rowsByBlock(this.mirror.known.activity).get(block.id);
    return row?.dir || block?.dir || this.active?.dir || "";
  }

  nameOf(block: string): string {
    const { model, statuses } = this.mirror.known;
    const record = model.blocks[block];
    // Not by what runs in front: that changes while a person reads it.
    return record ? blockName(record, statuses[block]) : "a terminal";
  }

  place(side: Side): Place {
    const workspace = this.active?.id ?? "";
    const { dock } = this;
    // One that was just opened may not be drawn yet: the backend knows which it is.
    const newest = this.#newest === undefined ? undefined : this.mirror.known.model.blocks[this.#newest];
    const undrawn = newest?.workspace === workspace && !dock?.has(newest.id);
    return (!undrawn && dock?.place(side)) || { workspace, pane: "", side, index: -1 };
  }

  /**
   * Opens a terminal, once what was asked for before is there; rejects with the
   * backend's text. Without a workspace one is made first. It takes the keys
   * unless the person has gone to another workspace meanwhile.
   */
  openTerminal(req: Partial<OpenTerminal> & { side: Side }): Promise<Block> {
    const opened = this.#make(async () => {
      const { side, ...rest } = req;
      await this.#activating.catch(() => undefined);
      if (!this.active) await this.#create("", "");
      const block = await this.mirror.api.workspaces.openTerminal({
        ...wanted,
        place: this.place(side),
        // A person goes on where they are.
        like: this.block?.id ?? "",
        ...rest,
      });
      await this.mirror.pullModel();
      if (this.#current() === block.workspace) {
        this.focusBlock(block.id);
        this.#newest = block.id;
      }
      this.#startUnseen(block.id);
      return block;
    });
    this.onOpening.fire(opened);
    return opened;
  }

  #startUnseen(block: string): void {
    const { after, cols, rows } = unseen;
    const timer = setTimeout(() => {
      if (this.mirror.known.statuses[block]) return;
      const started = this.mirror.api.controllers.ensure({ block, force: false, revive: false, cols, rows });
      this.try(
        "It was not started",
        started.then((status) => this.mirror.takeStatus(status)),
      );
    }, after);
    this.#disposables.defer(() => clearTimeout(timer));
  }

  createWorkspace(name: string, dir: string): Promise<Workspace> {
    return this.#make(() => this.#create(name, dir));
  }

  /** Whether something that was asked for is not there yet: what comes after it may be about it. */
  get making(): boolean {
    return this.#unmade > 0;
  }

  #make<T>(job: () => Promise<T>): Promise<T> {
    this.#unmade++;
    const made = this.#making.then(job).finally(() => this.#unmade--);
    this.#making = made.catch(() => undefined);
    return made;
  }

  async #create(name: string, dir: string): Promise<Workspace> {
    const ws = await this.mirror.api.workspaces.create({ name: name || this.#freeName(), dir });
    await this.mirror.pullModel();
    if (this.mirror.known.model.active !== ws.id) await this.activate(ws.id);
    return ws;
  }

  #freeName(): string {
    const taken = new Set(this.mirror.known.model.workspaces.map((w) => w.name));
    let n = 1;
    while (taken.has(`workspace ${n}`)) n++;
    return `workspace ${n}`;
  }

  /**
   * Shows a workspace. Keys come faster than answers: the next step goes from the
   * workspace that was asked for last, and what was overtaken is not asked for.
   */
  activate(id: string): Promise<void> {
    if (this.#current() !== id) {
      this.#wanted = id;
      const before = this.#activating.catch(() => undefined);
      this.#activating = before.then(() => this.#carryOut(id));
    }
    return this.#activating;
  }

  #current(): string {
    return this.#wanted || this.mirror.known.model.active;
  }

  async #carryOut(id: string): Promise<void> {
    if (this.#wanted !== id) return;
    try {
      await this.mirror.api.workspaces.activate({ id });
      await this.mirror.pullModel();
    } finally {
      if (this.#wanted === id) this.#wanted = "";
    }
  }

  /** Goes to the workspace before or after the active one. */
  async step(by: 1 | -1): Promise<void> {
    await this.#making;
    const { workspaces: all } = this.mirror.known.model;
    const at = all.findIndex((w) => w.id === this.#current());
    const next = all[(at + by + all.length) % all.length];
    if (next) await this.activate(next.id);
  }

  async rename(id: string, name: string): Promise<void> {
    this.ui.setState({ renaming: "" });
    const { model } = this.mirror.known;
    if (model.blocks[id]) await this.mirror.api.workspaces.renameBlock({ id, name: name.trim() });
    else if (name.trim()) await this.mirror.api.workspaces.rename({ id, name: name.trim() });
    await this.mirror.pullModel();
  }

  /** Puts a workspace in the place of another in the row of tabs; those between move up. */
  async reorder(id: string, target: string): Promise<void> {
    const all = this.mirror.known.model.workspaces.map((w) => w.id);
    const at = all.indexOf(target);
    if (at < 0 || !all.includes(id)) return;
    const ids = all.filter((w) => w !== id);
    ids.splice(at, 0, id);
    await this.mirror.api.workspaces.reorder({ ids });
    await this.mirror.pullModel();
  }

  async moveBlock(block: string, place: Place): Promise<void> {
    await this.mirror.api.workspaces.moveBlock({ block, place });
    await this.mirror.pullModel();
  }

  /** Shows a block wherever it is and gives it the keys. */
  focusBlock(id: string): void {
    const { model } = this.mirror.known;
    const ws = model.workspaces.find((w) => paneWith(w.layout, id) || w.unplaced.includes(id));
    if (!ws) return;
    const show = async () => {
      if (ws.unplaced.includes(id)) {
        await this.moveBlock(id, { workspace: ws.id, pane: "", side: "center", index: -1 });
      }
      await this.activate(ws.id);
      this.docks.of(ws.id)?.focusBlock(id);
      this.onFocus.fire(id);
    };
    this.try("That pane could not be shown", show());
  }

  closeBlock(id: string): Promise<void> {
    return this.closing.close({ blocks: [id], workspace: "", title: this.nameOf(id) });
  }

  /** Closes a workspace with its blocks. */
  async closeWorkspace(id: string): Promise<void> {
    const { model } = this.mirror.known;
    const ws = model.workspaces.find((w) => w.id === id);
    if (!ws) return;
    const blocks = Object.values(model.blocks)
      .filter((b) => b.workspace === id && !this.isClosing(b.id))
      .map((b) => b.id);
    const title = blocks.length > 1 ? `${ws.name}, ${count(blocks.length, "terminal")}` : ws.name;
    await this.closing.close({ blocks, workspace: id, title });
  }

  isClosing(block: string): boolean {
    return this.mirror.known.statuses[block]?.closing ?? false;
  }

  /** Starts a block's program anew. */
  async restart(id: string): Promise<void> {
    const status = await this.mirror.api.controllers.ensure({
      block: id,
      force: true,
      revive: true,
      cols: 0,
      rows: 0,
    });
    this.mirror.takeStatus(status);
  }

  /** Runs what may fail and says so where everybody looks. */
  try(title: string, done: Promise<unknown>): void {
    done.catch((error: unknown) => this.toasts.show({ level: "error", title, text: errorText(error) }));
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}

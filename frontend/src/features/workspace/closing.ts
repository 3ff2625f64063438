import { createStore, type StoreApi } from "zustand/vanilla";
import { blockName } from "../../bridge/describe";
import type { Mirror } from "../../bridge/mirror";
import type { ClosePreview, Closing } from "../../bridge/types";
import { type Disposable, DisposableStore } from "../../lib/disposable";
import { count, errorText, moment } from "../../lib/format";
import type { Toasts } from "../../ui/toasts";

/** What is closed: blocks, and the workspace that goes with them or "". */
export interface Target {
  blocks: readonly string[];
  workspace: string;
  /** Names it in the question and in the toast. */
  title: string;
}

/** A close that waits for a person's yes. */
export interface Asking extends Target {
  title: string;
  items: ClosePreview["items"];
}

interface State {
  asking: Asking | undefined;
  /** How the last close ended, in one line; "" before the first. */
  last: string;
}

/**
 * Closing: a preview, one question if something would end by it, then the panes
 * are gone at once and can be brought back while the backend says so. A second
 * close of the same blocks ends the wait.
 */
export class CloseFlow implements Disposable {
  readonly store: StoreApi<State> = createStore<State>(() => ({ asking: undefined, last: "" }));
  #mirror: Mirror;
  #toasts: Toasts;
  #disposables = new DisposableStore();
  #titles = new Map<string, string>();

  constructor(mirror: Mirror, toasts: Toasts) {
    this.#mirror = mirror;
    this.#toasts = toasts;
    this.#disposables.add(mirror.onClosing.on((c) => this.#heard(c)));
  }

  /** Closes what is named, asking first if the backend says that something is lost. */
  async close(target: Target): Promise<void> {
    const begun = this.#closingOf(target);
    if (begun) {
      await this.now(begun.id);
      return;
    }
    const blocks = [...target.blocks];
    const preview = await this.#mirror.api.controllers.preview({
      blocks,
      workspace: target.workspace,
      now: false,
    });
    if (preview.ask) this.store.setState({ asking: { ...target, items: preview.items } });
    else await this.#begin(target);
  }

  /** The yes to the open question. */
  async confirm(): Promise<void> {
    const { asking } = this.store.getState();
    if (!asking) return;
    this.store.setState({ asking: undefined });
    await this.#begin(asking);
  }

  cancel(): void {
    this.store.setState({ asking: undefined });
  }

  async undo(id: string): Promise<void> {
    this.#mirror.takeClosing(await this.#mirror.api.controllers.undo({ id }));
    await this.#mirror.pullModel();
  }

  /** Brings back what was closed last, if it still can be. */
  async undoLast(): Promise<void> {
    const last = this.undoable.at(-1);
    if (last) await this.undo(last.id);
  }

  /** Ends the wait for an undo. */
  async now(id: string): Promise<void> {
    // Only its events are heard: this answer may come after them, and be older.
    await this.#mirror.api.controllers.closeNow({ id });
  }

  get undoable(): Closing[] {
    return Object.values(this.#mirror.known.closings).filter((c) => c.state === "undoable");
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #closingOf({ blocks, workspace }: Target): Closing | undefined {
    return this.undoable.find((c) =>
      blocks.length > 0 ? blocks.every((b) => c.blocks.includes(b)) : c.workspace === workspace,
    );
  }

  async #begin({ blocks, workspace, title }: Target): Promise<void> {
    const closing = await this.#mirror.api.controllers.close({ blocks: [...blocks], workspace, now: false });
    this.#titles.set(closing.id, title);
    // Its event may have come first, before the title was known.
    this.#mirror.takeClosing(closing);
    await this.#mirror.pullModel();
  }

  #heard(closing: Closing): void {
    const id = `closing-${closing.id}`;
    const title = `Closed ${this.#titles.get(closing.id) ?? this.#name(closing)}`;
    switch (closing.state) {
      case "undoable": {
        const until = moment(closing.undoUntil);
        this.#toasts.show({
          id,
          state: "stopping",
          title,
          text: "What runs in it goes on for 10 s.",
          life: 0,
          ...(until === undefined ? {} : { until }),
          actions: [
            { label: "Undo", command: "close.undo", keep: true, run: () => this.#try(this.undo(closing.id)) },
            { label: "End now", keep: true, run: () => this.#try(this.now(closing.id)) },
          ],
        });
        return;
      }
      case "ending":
        this.#toasts.show({ id, state: "stopping", title, text: "Ending what runs in it…", life: 0 });
        return;
      case "undone":
        this.#titles.delete(closing.id);
        this.#toasts.remove(id);
        return;
      case "done": {
        if (!closing.result) {
          // It ended unheard: how is not known.
          this.#titles.delete(closing.id);
          this.#toasts.remove(id);
          return;
        }
        this.store.setState({ last: `${title}: ${closing.result}` });
        const survived = /survived [1-9]/.test(closing.result);
        this.#toasts.show({
          id,
          state: survived ? "failed" : "exited",
          title,
          text: sentence(closing.result),
          ...(survived ? { life: 0 } : {}),
        });
        this.#titles.delete(closing.id);
      }
    }
  }

  #name(closing: Closing): string {
    const { model, leaving, statuses } = this.#mirror.known;
    const only = closing.blocks.length === 1 ? closing.blocks[0] : undefined;
    const block = only === undefined ? undefined : (model.blocks[only] ?? leaving[only]);
    return block ? blockName(block, statuses[block.id]) : count(closing.blocks.length, "terminal");
  }

  #try(done: Promise<void>): void {
    done.catch((error: unknown) =>
      this.#toasts.show({ level: "error", title: "That close could not be changed", text: errorText(error) }),
    );
  }
}

const sentence = (text: string) => (text ? `${text.charAt(0).toUpperCase()}${text.slice(1)}.` : "");

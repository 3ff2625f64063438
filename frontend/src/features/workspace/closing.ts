import { createStore, type StoreApi } from "zustand/vanilla";
import { blockName } from "../../bridge/describe";
import type { Mirror } from "../../bridge/mirror";
import type { ClosePreview, Closing } from "../../bridge/types";
import { type Disposable, DisposableStore } from "../../lib/disposable";
import { count, errorText, moment } from "../../lib/format";
import type { Toasts } from "../../ui/toasts";

/** A close that waits for a person's yes. */
export interface Asking {
  blocks: readonly string[];
  title: string;
  items: NonNullable<ClosePreview["items"]>;
}

/** What a close of more than panes does at its turns. */
export interface CloseHooks {
  begun?: () => void;
  undone?: () => void;
  /** Once it can no longer be undone and all has ended. */
  done?: () => Promise<void>;
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
  #hooks = new Map<string, CloseHooks>();

  constructor(mirror: Mirror, toasts: Toasts) {
    this.#mirror = mirror;
    this.#toasts = toasts;
    this.#disposables.add(mirror.onClosing.on((c) => this.#heard(c)));
  }

  /**
   * Closes blocks, asking first if the backend says that something is lost.
   * title names them in the question and in the toast.
   */
  async close(blocks: readonly string[], title: string, hooks?: CloseHooks): Promise<void> {
    if (blocks.length === 0) return;
    const begun = this.#closingOf(blocks);
    if (begun) {
      await this.now(begun.id);
      return;
    }
    const preview = await this.#mirror.api.controllers.preview({ blocks: [...blocks] });
    if (hooks) this.#hooks.set(key(blocks), hooks);
    if (preview.ask) {
      this.store.setState({ asking: { blocks, title, items: preview.items ?? [] } });
    } else await this.#begin(blocks, title);
  }

  /** The yes to the open question. */
  async confirm(): Promise<void> {
    const { asking } = this.store.getState();
    if (!asking) return;
    this.store.setState({ asking: undefined });
    await this.#begin(asking.blocks, asking.title);
  }

  cancel(): void {
    const { asking } = this.store.getState();
    if (asking) this.#hooks.delete(key(asking.blocks));
    this.store.setState({ asking: undefined });
  }

  async undo(id: string): Promise<void> {
    this.#mirror.takeClosing(await this.#mirror.api.controllers.undo({ id }));
  }

  /** Brings back what was closed last, if it still can be. */
  async undoLast(): Promise<void> {
    const last = this.undoable.at(-1);
    if (last) await this.undo(last.id);
  }

  /** Ends the wait for an undo. */
  async now(id: string): Promise<void> {
    this.#mirror.takeClosing(await this.#mirror.api.controllers.closeNow({ id }));
  }

  get undoable(): Closing[] {
    return Object.values(this.#mirror.known.closings).filter((c) => c.state === "undoable");
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #closingOf(blocks: readonly string[]): Closing | undefined {
    return this.undoable.find((c) => blocks.every((b) => c.blocks.includes(b)));
  }

  async #begin(blocks: readonly string[], title: string): Promise<void> {
    const closing = await this.#mirror.api.controllers.close({ blocks: [...blocks], now: false });
    this.#titles.set(closing.id, title);
    this.#hooks.get(key(blocks))?.begun?.();
    this.#mirror.takeClosing(closing);
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
          text: "What runs in it goes on until then.",
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
        this.#hooks.get(key(closing.blocks))?.undone?.();
        this.#over(closing);
        this.#toasts.remove(id);
        return;
      case "done": {
        this.store.setState({ last: `${title}: ${closing.result}` });
        const survived = /survived [1-9]/.test(closing.result);
        this.#toasts.show({
          id,
          state: survived ? "failed" : "exited",
          title,
          text: sentence(closing.result),
          ...(survived ? { life: 0 } : {}),
        });
        const done = this.#hooks.get(key(closing.blocks))?.done;
        this.#over(closing);
        if (done) this.#try(done());
      }
    }
  }

  #over(closing: Closing): void {
    this.#titles.delete(closing.id);
    this.#hooks.delete(key(closing.blocks));
  }

  #name(closing: Closing): string {
    const { model, statuses } = this.#mirror.known;
    const only = closing.blocks.length === 1 ? closing.blocks[0] : undefined;
    const block = only === undefined ? undefined : model.blocks[only];
    return block ? blockName(block, statuses[block.id]) : count(closing.blocks.length, "pane");
  }

  #try(done: Promise<void>): void {
    done.catch((error: unknown) =>
      this.#toasts.show({ level: "error", title: "That close could not be changed", text: errorText(error) }),
    );
  }
}

const key = (blocks: readonly string[]) => [...blocks].sort().join("\n");

const sentence = (text: string) => (text ? `${text.charAt(0).toUpperCase()}${text.slice(1)}.` : "");

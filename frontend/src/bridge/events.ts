import { type Disposable, DisposableStore, disposable } from "../lib/disposable";
import { Emitter } from "../lib/emitter";
import type { Runtime } from "./bound";
import type { EventMap } from "./types";

const names = [
  "status",
  "workspaces",
  "activity",
  "closing",
  "notice",
  "settings",
  "quit",
  "terminals",
  "block",
] as const;

/**
 * The backend's events as disposables. All of them share one number that rises
 * by one; when one is missing onGap fires, and whoever keeps a copy pulls
 * everything. Events announce, so a late one is still passed on: what it
 * carries has versions of its own.
 */
export class Events implements Disposable {
  readonly onGap = new Emitter<void>();
  #emitters = new Map<string, Emitter<unknown>>();
  #store = new DisposableStore();
  #last: number | undefined;

  constructor(runtime: Pick<Runtime, "EventsOn">) {
    for (const name of names) {
      const emitter = new Emitter<unknown>();
      this.#emitters.set(name, emitter);
      const off = runtime.EventsOn(name, (payload) => this.#arrived(emitter, payload));
      this.#store.add(disposable(off));
      this.#store.add(emitter);
    }
    this.#store.add(this.onGap);
  }

  on<K extends keyof EventMap>(name: K, fn: (payload: EventMap[K]) => void): Disposable {
    const emitter = this.#emitters.get(name);
    if (!emitter) return disposable(() => {});
    return emitter.on(fn as (payload: unknown) => void);
  }

  /** Forgets the number: the next event is the first. For a new connection, after which all is pulled anyway. */
  restart(): void {
    this.#last = undefined;
  }

  dispose(): void {
    this.#store.dispose();
  }

  #arrived(emitter: Emitter<unknown>, payload: unknown): void {
    const seq = (payload as { seq?: number } | undefined)?.seq;
    if (typeof seq === "number") {
      const gap = this.#last !== undefined && seq > this.#last + 1;
      if (this.#last === undefined || seq > this.#last) this.#last = seq;
      if (gap) this.onGap.fire();
    }
    emitter.fire(payload);
  }
}

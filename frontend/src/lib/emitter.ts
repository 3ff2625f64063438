import { type Disposable, disposable } from "./disposable";

/** Announces values to listeners, in the order in which they came. It never steers: a listener's failure stays its own. */
export class Emitter<T> implements Disposable {
  #listeners = new Set<(value: T) => void>();
  #onError: (error: unknown) => void;

  constructor(
    onError: (error: unknown) => void = (error) =>
      queueMicrotask(() => {
        throw error;
      }),
  ) {
    this.#onError = onError;
  }

  on(listener: (value: T) => void): Disposable {
    // A wrapper of its own, so that one function may listen twice.
    const entry = (value: T) => listener(value);
    this.#listeners.add(entry);
    return disposable(() => this.#listeners.delete(entry));
  }

  fire(value: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  get size(): number {
    return this.#listeners.size;
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

/** Something that holds a resource until told to let it go. Disposing twice does nothing more. */
export interface Disposable {
  dispose(): void;
}

/** Reports every disposable made from now on; for the leak check of the tests. Ends with the returned function. */
export function trackDisposables(): { live(): number; end(): void } {
  const live = new Set<object>();
  const watcher = { made: (o: object) => live.add(o), gone: (o: object) => live.delete(o) };
  watchers.add(watcher);
  return { live: () => live.size, end: () => watchers.delete(watcher) };
}

const watchers = new Set<{ made(o: object): void; gone(o: object): void }>();

/** Makes a Disposable of a function that is run once at most. */
export function disposable(run: () => void): Disposable {
  let done = false;
  const it: Disposable = {
    dispose() {
      if (done) return;
      done = true;
      for (const w of watchers) w.gone(it);
      run();
    },
  };
  for (const w of watchers) w.made(it);
  return it;
}

/** Owns disposables and lets them go in reverse order. What is added after disposal is disposed at once. */
export class DisposableStore implements Disposable {
  #items: Disposable[] = [];
  #disposed = false;

  get disposed(): boolean {
    return this.#disposed;
  }

  add<T extends Disposable>(item: T): T {
    if (this.#disposed) item.dispose();
    else this.#items.push(item);
    return item;
  }

  /** Adds a function to be run at disposal. */
  defer(run: () => void): void {
    this.add(disposable(run));
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    for (const item of this.#items.reverse()) item.dispose();
    this.#items = [];
  }
}

/** A DOM listener as a disposable. */
export function listen<K extends keyof WindowEventMap>(
  target: Window,
  name: K,
  fn: (event: WindowEventMap[K]) => void,
  options?: AddEventListenerOptions,
): Disposable {
  target.addEventListener(name, fn, options);
  return disposable(() => target.removeEventListener(name, fn, options));
}

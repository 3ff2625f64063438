import type { Disposable } from "../lib/disposable";
import { Emitter } from "../lib/emitter";
import type { BoundWindow, Runtime } from "./bound";

/** How the socket of `drover serve` is doing. */
export type LinkState =
  | { state: "connecting" }
  | { state: "up" }
  | { state: "lost"; attempt: number; nextTry: number }
  | { state: "refused" };

/** The first wait after a loss in milliseconds; it doubles up to lastWait. */
const firstWait = 250;
const lastWait = 10_000;

// Codes with which the server closes when the key is wrong: our own, and "policy violation".
const refusals = new Set([4401, 1008]);

export interface LinkOptions {
  url: string;
  key: string;
  /** Makes a socket; replaced in tests. */
  open?: (url: string, protocols: string[]) => WebSocket;
  /** Whether the server answers plain requests; tells a refused key from a server that is gone. */
  alive?: () => Promise<boolean>;
}

/** Addresses that this browser opens itself; a file is opened by the machine that it is on. */
const opensHere = (url: unknown): url is string => /^(https?|mailto):/i.test(String(url));

const openHere = async (url: string): Promise<void> => void window.open(url, "_blank", "noopener,noreferrer");

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/**
 * The same window.go and window.runtime as in the app's own window, over the
 * JSON socket of `drover serve`. It reconnects by itself until disposed or
 * refused; calls in flight when the socket breaks are rejected, because nobody
 * can know whether they were carried out.
 */
export class BrowserLink implements Disposable {
  readonly onState = new Emitter<LinkState>();
  #options: LinkOptions;
  #socket: WebSocket | undefined;
  #state: LinkState = { state: "connecting" };
  #waiting = new Map<number, Waiting>();
  #nextId = 1;
  #attempt = 0;
  /** How many times in a row the server answered but did not let the key in. */
  #doubts = 0;
  #wasUp = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #disposed = false;
  #listeners = new Map<string, Set<(...data: unknown[]) => void>>();

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#connect();
  }

  get state(): LinkState {
    return this.#state;
  }

  /** Resolves once the socket is up for the first time; rejects when the key is refused. */
  ready(): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = (s: LinkState): boolean => {
        if (s.state === "up") resolve();
        else if (s.state === "refused") reject(new Error("the access key is not the right one"));
        else return false;
        return true;
      };
      if (look(this.#state)) return;
      const sub = this.onState.on((s) => look(s) && sub.dispose());
    });
  }

  async call(method: string, ...args: unknown[]): Promise<unknown> {
    const socket = this.#socket;
    if (!socket || this.#state.state !== "up") {
      throw new Error("the connection to Drover is lost; it is being tried again");
    }
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      socket.send(JSON.stringify({ id, method, args }));
    });
  }

  /** Tries at once instead of waiting for the next try. */
  retryNow(): void {
    if (this.#state.state !== "lost") return;
    clearTimeout(this.#timer);
    this.#connect();
  }

  /** Puts go and runtime on the window, as Wails does. */
  install(win: BoundWindow): void {
    const area = (name: string) =>
      new Proxy(
        {},
        {
          get: (_, method) =>
            typeof method === "string"
              ? (...args: unknown[]) => {
                  if (`${name}.${method}` === "App.OpenLink" && opensHere(args[0])) return openHere(args[0]);
                  return this.call(`${name}.${method}`, ...args);
                }
              : undefined,
        },
      );
    const api = new Proxy(
      {},
      { get: (_, name) => (typeof name === "string" ? area(name) : undefined) },
    ) as NonNullable<NonNullable<BoundWindow["go"]>["api"]>;
    win.go = { api };
    win.runtime = this.#runtime();
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
    this.#rejectAll("the page is done with this connection");
    this.onState.dispose();
    this.#listeners.clear();
  }

  #runtime(): Runtime {
    const on = (name: string, fn: (...data: unknown[]) => void) => {
      const set = this.#listeners.get(name) ?? new Set();
      this.#listeners.set(name, set.add(fn));
      return () => void set.delete(fn);
    };
    const once = (name: string, fn: (...data: unknown[]) => void) => {
      const off = on(name, (...data) => {
        off();
        fn(...data);
      });
      return off;
    };
    const known: Runtime & Record<string, unknown> = {
      EventsOn: on,
      EventsOnce: once,
      EventsOff: (...gone: string[]) => {
        for (const name of gone) this.#listeners.delete(name);
      },
      ClipboardGetText: () => navigator.clipboard.readText(),
      ClipboardSetText: async (text: string) => {
        await navigator.clipboard.writeText(text);
        return true;
      },
      BrowserOpenURL: (url: string) => void window.open(url, "_blank", "noopener,noreferrer"),
      WindowSetTitle: (title: string) => {
        document.title = title;
      },
    };
    // What a browser cannot do (move the window, log to the app) does nothing.
    return new Proxy(known, {
      get: (target, name) => (typeof name === "string" ? (target[name] ?? (() => undefined)) : undefined),
    });
  }

  #connect(): void {
    if (this.#disposed) return;
    if (this.#attempt === 0) this.#set({ state: "connecting" });
    const open = this.#options.open ?? ((url, protocols) => new WebSocket(url, protocols));
    let socket: WebSocket;
    try {
      socket = open(this.#options.url, ["drover.1", `token.${this.#options.key}`]);
    } catch {
      // No socket can carry such a key (a blank, an umlaut), so it is not ours.
      this.#set({ state: "refused" });
      return;
    }
    this.#socket = socket;
    let opened = false;
    socket.onopen = () => {
      if (socket !== this.#socket) return;
      opened = true;
      this.#attempt = 0;
      this.#doubts = 0;
      this.#wasUp = true;
      this.#set({ state: "up" });
    };
    socket.onmessage = (message) => this.#received(String(message.data));
    socket.onclose = (event) => {
      if (socket === this.#socket) void this.#closed(event.code, opened);
    };
  }

  async #closed(code: number, opened: boolean): Promise<void> {
    this.#socket = undefined;
    this.#rejectAll("the connection was lost before the answer came; it may or may not have been done");
    if (this.#disposed) return;
    // A refused upgrade looks to a page like no server at all, so ask whether
    // there is one: a server that answers but did not let this key in refuses it.
    // One that was started anew has another key. A network that came back between
    // the two looks the same: a key that was right is refused at the second time.
    const neverIn = !opened && ((await this.#options.alive?.()) ?? false);
    if (this.#disposed) return;
    this.#doubts = neverIn ? this.#doubts + 1 : 0;
    if (refusals.has(code) || this.#doubts > (this.#wasUp ? 1 : 0)) {
      this.#set({ state: "refused" });
      return;
    }
    this.#attempt++;
    const wait = Math.min(lastWait, firstWait * 2 ** Math.min(this.#attempt - 1, 10));
    this.#set({ state: "lost", attempt: this.#attempt, nextTry: Date.now() + wait });
    this.#timer = setTimeout(() => this.#connect(), wait);
  }

  #received(text: string): void {
    const message = JSON.parse(text) as {
      id?: number;
      result?: unknown;
      error?: string | { message?: string };
      event?: string;
      data?: unknown;
    };
    if (typeof message.event === "string") {
      for (const fn of [...(this.#listeners.get(message.event) ?? [])]) fn(message.data);
      return;
    }
    const waiting = message.id === undefined ? undefined : this.#waiting.get(message.id);
    if (!waiting || message.id === undefined) return;
    this.#waiting.delete(message.id);
    if (message.error) {
      const text = typeof message.error === "string" ? message.error : message.error.message;
      waiting.reject(new Error(text || "the call failed, and nothing was said about why"));
    } else waiting.resolve(message.result);
  }

  #rejectAll(text: string): void {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const w of all) w.reject(new Error(text));
  }

  #set(state: LinkState): void {
    this.#state = state;
    this.onState.fire(state);
  }
}

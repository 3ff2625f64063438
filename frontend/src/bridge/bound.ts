import type { Call } from "./api";

type Methods = Record<string, (...args: unknown[]) => Promise<unknown>>;

/** The part of Wails' runtime that the page uses. */
export interface Runtime {
  EventsOn(name: string, fn: (...data: unknown[]) => void): () => void;
  ClipboardGetText(): Promise<string>;
  ClipboardSetText(text: string): Promise<boolean>;
  BrowserOpenURL(url: string): void;
}

/** What Wails, or our own socket in a browser, puts on window. */
export interface BoundWindow {
  go?: { api?: Record<string, Methods> };
  runtime?: Runtime;
}

/** Whether somebody has bound the backend to this window. */
export function isBound(win: BoundWindow): boolean {
  return win.go?.api !== undefined && win.runtime !== undefined;
}

/**
 * Calls once the backend has said hello, which waits for its start: before that there
 * is nothing behind what is bound. A start that failed is every call's failure.
 */
export function afterHello(call: Call): Call {
  let started: Promise<unknown> | undefined;
  return async (method, ...args) => {
    if (method === "App.Hello") return call(method, ...args);
    started ??= call("App.Hello").catch((error: unknown) => {
      started = undefined;
      throw error;
    });
    await started;
    return call(method, ...args);
  };
}

/** Calls by way of window.go. */
export function boundCall(win: BoundWindow): Call {
  return async (method, ...args) => {
    const [area = "", name = ""] = method.split(".");
    const fn = win.go?.api?.[area]?.[name];
    if (!fn) throw new Error(`cannot call ${method}: this backend does not have it`);
    return fn(...args);
  };
}

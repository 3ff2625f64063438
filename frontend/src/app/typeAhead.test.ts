import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TypeAhead } from "./typeAhead";

let ahead: TypeAhead;
let keys: string[];
let there: Set<string>;
let typed: Record<string, string>;
let dropped: string[];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["requestAnimationFrame", "performance"] });
  keys = [];
  there = new Set();
  typed = {};
  dropped = [];
  ahead = new TypeAhead(window, {
    hasKeys: (block) => keys.includes(block),
    type: (block, text) => {
      if (!there.has(block)) return false;
      typed[block] = (typed[block] ?? "") + text;
      return true;
    },
    dropped: (text) => dropped.push(text),
  });
});
afterEach(() => {
  ahead.dispose();
  vi.useRealTimers();
});

/** Presses a key; says whether it was kept from everything else. */
function press(key: string, more: KeyboardEventInit = {}): boolean {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
  document.body.dispatchEvent(event);
  return event.defaultPrevented;
}

/** An opening that the test ends. */
function opening() {
  let resolve = (_: { id: string }) => {};
  let reject = (_: string) => {};
  const promise = new Promise<{ id: string }>((ok, fail) => {
    resolve = ok;
    reject = fail;
  });
  return { held: ahead.hold(promise), opened: (id: string) => resolve({ id }), failed: () => reject("no") };
}

const frames = () => vi.advanceTimersByTimeAsync(100);

describe("what is typed while a terminal opens", () => {
  it("goes to the terminal once that has the keys, and nowhere else", async () => {
    expect(press("x")).toBe(false);
    const a = opening();
    for (const key of ["l", "s", "Enter"]) expect(press(key)).toBe(true);
    a.opened("a");
    there.add("a");
    await frames();
    expect(press("c", { ctrlKey: true })).toBe(true);
    expect(typed).toEqual({});
    keys.push("a");
    await frames();
    await a.held;
    expect(typed).toEqual({ a: "ls\r\x03" });
    expect(press("x")).toBe(false);
    expect(dropped).toEqual([]);
  });

  it("goes to the terminal it was typed for when another is opened after it", async () => {
    const a = opening();
    press("1");
    const b = opening();
    press("2");
    a.opened("a");
    b.opened("b");
    there.add("a").add("b");
    keys.push("b");
    await frames();
    await Promise.all([a.held, b.held]);
    expect(typed).toEqual({ a: "1", b: "2" });
  });

  it("leaves chords and the keys of dialogues alone", () => {
    opening();
    for (const chord of [{ ctrlKey: true, shiftKey: true }, { altKey: true }, { metaKey: true }]) {
      expect(press("t", chord)).toBe(false);
    }
    const dialog = document.body.appendChild(document.createElement("div"));
    dialog.setAttribute("role", "dialog");
    const event = new KeyboardEvent("keydown", { key: "x", bubbles: true, cancelable: true });
    dialog.dispatchEvent(event);
    expect(event.defaultPrevented).toBe(false);
    dialog.remove();
  });

  it("is said to be lost when there will be no terminal", async () => {
    const a = opening();
    press("x");
    a.failed();
    await a.held;
    const b = opening();
    press("y");
    b.opened("b");
    await vi.advanceTimersByTimeAsync(4000);
    await b.held;
    expect(dropped).toEqual(["x", "y"]);
    expect(press("x")).toBe(false);
  });
});

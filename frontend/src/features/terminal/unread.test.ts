import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Unread } from "./unread";

let held = 0;
const tell = vi.fn();
const discard = vi.fn(() => {
  const bytes = held;
  held = 0;
  return bytes;
});
let unread: Unread;

beforeEach(() => {
  vi.useFakeTimers();
  tell.mockReset();
  discard.mockClear();
  held = 3;
  unread = new Unread({ discardHeld: discard, refuse: tell });
});

afterEach(() => {
  unread.dispose();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe("input at the end of a program", () => {
  it("is told when no receipt has come for it", () => {
    unread.programEnded();
    vi.runAllTimers();
    expect(tell).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("3"));
  });

  it("is nothing to tell when its receipt came after the news of the end", () => {
    unread.programEnded();
    held = 0;
    vi.runAllTimers();
    expect(tell).not.toHaveBeenCalled();
  });

  it("never reaches the next program", () => {
    unread.programEnded();
    unread.programStarted();
    expect(discard).toHaveBeenCalledOnce();
    expect(tell).not.toHaveBeenCalled();
    unread.programStarted();
    expect(discard).toHaveBeenCalledOnce();
  });
});

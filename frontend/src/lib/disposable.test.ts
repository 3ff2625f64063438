import { describe, expect, it } from "vitest";
import { DisposableStore, disposable, trackDisposables } from "./disposable";
import { Emitter } from "./emitter";

describe("disposables", () => {
  it("lets go once, in reverse order, and at once of what comes late", () => {
    const gone: string[] = [];
    const store = new DisposableStore();
    store.defer(() => gone.push("first"));
    store.defer(() => gone.push("second"));
    store.dispose();
    store.dispose();
    store.defer(() => gone.push("late"));
    expect(gone).toEqual(["second", "first", "late"]);
  });

  it("counts what is not let go", () => {
    const tracker = trackDisposables();
    const one = disposable(() => {});
    const emitter = new Emitter<number>();
    const two = emitter.on(() => {});
    expect(tracker.live()).toBe(2);
    one.dispose();
    two.dispose();
    expect(tracker.live()).toBe(0);
    expect(emitter.size).toBe(0);
    tracker.end();
  });
});

describe("emitter", () => {
  it("reaches the others when one listener fails", () => {
    const failures: unknown[] = [];
    const emitter = new Emitter<number>((e) => failures.push(e));
    const heard: number[] = [];
    emitter.on(() => {
      throw new Error("mine alone");
    });
    emitter.on((n) => heard.push(n));
    emitter.fire(1);
    expect(heard).toEqual([1]);
    expect(failures).toHaveLength(1);
  });

  it("keeps two subscriptions of one function apart", () => {
    const emitter = new Emitter<number>();
    const heard: number[] = [];
    const fn = (n: number) => heard.push(n);
    const first = emitter.on(fn);
    emitter.on(fn);
    first.dispose();
    emitter.fire(7);
    expect(heard).toEqual([7]);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Intake } from "./intake";
import { type FrameSource, WriteScheduler } from "./scheduler";

const text = (value: string) => new TextEncoder().encode(value);

function setUp() {
  const did: string[] = [];
  const acks: number[] = [];
  const frames: ((time: number) => void)[] = [];
  const held: (() => void)[] = [];
  let hold = false;
  const source: FrameSource = {
    now: () => 0,
    requestFrame: (run) => frames.push(run),
    cancelFrame: () => {},
  };
  const queue = new WriteScheduler(source).add({
    write: (data, done) => {
      did.push(new TextDecoder().decode(data));
      if (hold) held.push(done);
      else done();
    },
  });
  const screen = {
    reading: false,
    room: 100,
    draw: (bytes: Uint8Array, done: () => void) => {
      did.push(`screen ${new TextDecoder().decode(bytes)}`);
      done();
    },
    resize: (cols: number, rows: number) => did.push(`${cols}x${rows}`),
    reset: () => did.push("reset"),
    lost: (bytes: number, unsure: boolean, done: () => void) => {
      did.push(`lost ${unsure ? "up to " : ""}${bytes}`);
      done();
    },
  };
  const shown: number[] = [];
  const intake = new Intake(
    queue,
    screen,
    (offset) => acks.push(offset),
    (offset) => shown.push(offset),
  );
  const run = () => {
    for (let i = 0; i < 5; i++) frames.shift()?.(i);
  };
  return {
    intake,
    screen,
    shown,
    did,
    acks,
    run,
    hold: (on: boolean) => {
      hold = on;
    },
    release: () => held.shift()?.(),
  };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("intake", () => {
  it("knows the size before the first byte, and resets only a screen that was used", () => {
    const { intake, did, run } = setUp();
    intake.opened(0, 80, 24);
    intake.data(0, text("a"));
    intake.opened(0, 90, 30);
    intake.data(0, text("b"));
    run();
    expect(did).toEqual(["reset", "90x30", "b"]);
  });

  it("changes the size at its byte, whether it was told before or after", () => {
    const { intake, did, run } = setUp();
    intake.opened(0, 80, 24);
    intake.data(0, text("ab"));
    intake.size(2, 90, 24);
    intake.size(5, 100, 24);
    intake.size(6, 110, 24);
    intake.data(2, text("cdefgh"));
    run();
    expect(did).toEqual(["80x24", "ab", "90x24", "cde", "100x24", "f", "110x24", "gh"]);
  });

  it("shows a loss where it happened and acks past it", () => {
    const { intake, did, acks, run } = setUp();
    intake.opened(0, 80, 24);
    intake.data(0, text("a"));
    intake.size(50, 90, 24);
    intake.lost(1, 100, true);
    intake.data(100, text("b"));
    run();
    expect(did).toEqual(["80x24", "a", "lost up to 99", "90x24", "b"]);
    expect(acks.at(-1)).toBe(101);
  });

  it("drops what waits and goes on at the first byte that the emulator has not got", () => {
    const { intake, did, acks, run, hold, release } = setUp();
    intake.opened(10, 80, 24);
    hold(true);
    intake.data(10, text("abc"));
    intake.data(13, text("def"));
    run();
    expect(did).toEqual(["80x24", "abc"]);
    expect(intake.drop()).toBe(13);
    release();
    expect(acks.at(-1)).toBe(13);
    hold(false);
    intake.data(13, text("def"));
    run();
    expect(did.at(-1)).toBe("def");
  });

  it("asks for a screen again that was dropped before it was drawn", () => {
    const { intake, did, run } = setUp();
    intake.opened(0, 80, 24);
    run();
    intake.draw(1000, 100, 30, text("new"));
    intake.data(1000, text("after"));
    expect(intake.drop()).toBe(undefined);
    run();
    expect(did).toEqual(["80x24"]);
  });

  it("asks for a screen again that was dropped while the one before it was drawn", () => {
    const { intake, screen, shown, run } = setUp();
    intake.opened(0, 80, 24);
    run();
    let drawn = () => {};
    screen.draw = (_, done) => {
      drawn = done;
    };
    intake.draw(1000, 80, 24, text("one"));
    run();
    intake.draw(2000, 80, 24, text("two"));
    drawn();
    expect(shown).toEqual([1000]);
    expect(intake.drop()).toBe(undefined);
  });

  it("goes back before a loss that was not shown", () => {
    const { intake } = setUp();
    intake.opened(0, 80, 24);
    intake.data(0, text("ab"));
    intake.lost(2, 100, false);
    intake.data(100, text("cd"));
    expect(intake.drop()).toBe(0);
  });

  it("drops nothing when nothing waits, and keeps the sizes", () => {
    const { intake, did, run } = setUp();
    intake.opened(0, 80, 24);
    intake.data(0, text("a"));
    run();
    intake.size(1, 90, 24);
    expect(intake.drop()).toBe(1);
    run();
    expect(did).toEqual(["80x24", "a", "90x24"]);
  });

  it("draws a screen in place of what waits, at its own size", () => {
    const { intake, did, shown, acks, run } = setUp();
    intake.opened(0, 80, 24);
    run();
    intake.data(0, text("old"));
    intake.size(3, 90, 24);
    intake.draw(1000, 100, 30, text("new"));
    intake.data(1000, text("after"));
    run();
    expect(did).toEqual(["80x24", "100x30", "screen new", "after"]);
    // The next screen may come with its turn, which an acknowledgement would be taken for.
    expect(shown).toEqual([1000]);
    expect(acks).toEqual([0, 1005]);
    expect(intake.drop()).toBe(1005);
  });

  it("takes nothing from who reads, until they are done", () => {
    const { intake, screen, did, shown, acks, run } = setUp();
    intake.opened(0, 80, 24);
    intake.data(0, text("a"));
    run();
    screen.reading = true;
    intake.draw(1000, 100, 30, text("one"));
    intake.data(1000, text("lost"));
    intake.size(1004, 20, 20);
    intake.lost(1004, 2000, false);
    run();
    expect(intake.behind).toBe(true);
    expect(did).toEqual(["80x24", "a"]);
    expect([shown, acks.at(-1)]).toEqual([[1000], 2000]);
    screen.reading = false;
    intake.draw(3000, 100, 30, text("two"));
    intake.data(3000, text("b"));
    run();
    expect(intake.behind).toBe(false);
    expect(did.slice(2)).toEqual(["100x30", "screen two", "b"]);
  });

  it("lets nothing push out what is read", () => {
    const { intake, screen, did, acks, run, hold } = setUp();
    intake.opened(0, 80, 24);
    run();
    screen.reading = true;
    screen.room = 3;
    hold(true);
    intake.data(0, text("1\n2\n"));
    expect(intake.behind).toBe(false);
    intake.data(4, text("3\n4\n"));
    run();
    expect(intake.behind).toBe(true);
    expect(did).toEqual(["80x24"]);
    expect(acks.at(-1)).toBe(8);
  });
});

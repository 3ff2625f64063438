import { describe, expect, it } from "vitest";
import { FrameWatch, LEAST_SLICE_MS, SLICE_MS } from "./frame-watch";
import { type FrameSource, PIECE_BYTES, WriteScheduler } from "./scheduler";

/** A page whose time passes only when told, and whose parser takes 1 ms a KiB. */
class FakePage implements FrameSource {
  time = 0;
  readonly parsed: string[] = [];
  private frames = new Map<number, (time: number) => void>();
  private ids = 0;
  private tasks: (() => void)[] = [];

  now(): number {
    return this.time;
  }

  requestFrame(run: (time: number) => void): number {
    this.frames.set(++this.ids, run);
    return this.ids;
  }

  cancelFrame(id: number): void {
    this.frames.delete(id);
  }

  get asked(): boolean {
    return this.frames.size > 0;
  }

  sink(name: string, msPerPiece = 1) {
    return {
      write: (data: Uint8Array, done: () => void) => {
        this.tasks.push(() => {
          this.time += msPerPiece;
          this.parsed.push(`${name}${data.length}`);
          done();
        });
      },
    };
  }

  /** Runs what was handed to the emulators. */
  settle(): void {
    for (let task = this.tasks.shift(); task; task = this.tasks.shift()) task();
  }

  frame(at = this.time + 1): void {
    this.time = at;
    const runs = [...this.frames.values()];
    this.frames.clear();
    for (const run of runs) run(at);
    this.settle();
  }

  take(): string[] {
    return this.parsed.splice(0);
  }
}

const bytes = (size: number) => new Uint8Array(size);
const ignore = () => {};

function setUp(report?: (late: boolean) => void) {
  const page = new FakePage();
  return { page, scheduler: new WriteScheduler(page, report) };
}

describe("write scheduler", () => {
  it("cuts into pieces, stays on a pane until it is empty, then goes to the next", () => {
    const { page, scheduler } = setUp();
    const a = scheduler.add(page.sink("a"));
    const b = scheduler.add(page.sink("b"));
    a.push(bytes(PIECE_BYTES * 2 + 5), ignore);
    b.push(bytes(7), ignore);
    expect(page.take()).toEqual([]);
    page.frame();
    expect(page.take()).toEqual([`a${PIECE_BYTES}`, `a${PIECE_BYTES}`, "a5", "b7"]);
  });

  it("ends the slice after 8 ms and gives the next frame to the next pane", () => {
    const { page, scheduler } = setUp();
    const a = scheduler.add(page.sink("a", 4));
    const b = scheduler.add(page.sink("b", 4));
    for (let i = 0; i < 20; i++) {
      a.push(bytes(1), ignore);
      b.push(bytes(1), ignore);
    }
    page.frame();
    expect(page.take()).toEqual(["a1", "a1", "a1"]);
    page.frame();
    expect(page.take()).toEqual(["b1", "b1", "b1"]);
    page.frame();
    expect(page.take()).toEqual(["a1", "a1", "a1"]);
  });

  it("serves the focused pane first, also in the middle of another one's turn", () => {
    const { page, scheduler } = setUp();
    const a = scheduler.add(page.sink("a"));
    const b = scheduler.add(page.sink("b"));
    scheduler.focus(b);
    a.push(bytes(1), () => b.push(bytes(PIECE_BYTES + 1), ignore));
    a.push(bytes(2), ignore);
    page.frame();
    expect(page.take()).toEqual(["a1", `b${PIECE_BYTES}`, "b1", "a2"]);
  });

  it("writes a focused pane's echo at once", () => {
    const { page, scheduler } = setUp();
    const other = scheduler.add(page.sink("other"));
    const focused = scheduler.add(page.sink("focused"));
    scheduler.focus(focused);
    other.push(bytes(100), ignore);
    focused.push(bytes(3), ignore);
    page.settle();
    expect(page.take()).toEqual(["focused3"]);
  });

  it("makes a flood wait for frames, also in the focused pane", () => {
    const { page, scheduler } = setUp();
    const focused = scheduler.add(page.sink("f"));
    scheduler.focus(focused);
    for (let i = 0; i < 10; i++) {
      focused.push(bytes(6 * 1024), ignore);
      page.settle();
    }
    expect(page.take()).toHaveLength(2);
    page.frame();
    expect(page.take()).toHaveLength(8);
  });

  it("tells what was parsed only when it was", () => {
    const { page, scheduler } = setUp();
    const queue = scheduler.add(page.sink("a"));
    const seen: number[] = [];
    queue.push(bytes(PIECE_BYTES + 9), (n) => seen.push(n));
    expect(seen).toEqual([]);
    page.frame();
    expect(seen).toEqual([PIECE_BYTES, PIECE_BYTES + 9]);
  });

  it("runs a step between the bytes where it stands", () => {
    const { page, scheduler } = setUp();
    const queue = scheduler.add(page.sink("a"));
    queue.push(bytes(1), ignore);
    queue.step((done) => {
      page.parsed.push("resize");
      done();
    });
    queue.push(bytes(2), ignore);
    page.frame();
    expect(page.take()).toEqual(["a1", "resize", "a2"]);
  });

  it("asks for frames while there is work, and half a second longer for a flood or a key", () => {
    const { page, scheduler } = setUp();
    page.time = 10_000;
    const queue = scheduler.add(page.sink("a"));
    const push = (after: number) => {
      page.time += after;
      queue.push(bytes(1), ignore);
      expect(page.asked).toBe(true);
      page.frame();
      expect(page.take()).toEqual(["a1"]);
      page.frame(); // sees that nothing is left
      return page.asked;
    };
    expect(page.asked).toBe(false);
    expect([push(0), push(100), push(100)]).toEqual([false, false, false]);
    // Another pane's spinner beside it is no flood either.
    const other = scheduler.add(page.sink("b"));
    page.time += 30;
    other.push(bytes(1), ignore);
    other.step((done) => done());
    page.frame();
    expect(page.take()).toEqual(["b1"]);
    page.frame();
    expect(page.asked).toBe(false);
    const longer = () => {
      const from = page.time;
      while (page.asked) page.frame(page.time + 10);
      return page.time - from;
    };
    push(100);
    expect(push(20)).toBe(true);
    expect(longer()).toBeCloseTo(500, -2);
    scheduler.stir();
    expect(longer()).toBe(500);
  });

  it("forgets a cleared queue, and goes on after one is disposed in its turn", () => {
    const { page, scheduler } = setUp();
    const a = scheduler.add(page.sink("a"));
    const b = scheduler.add(page.sink("b"));
    a.push(bytes(1), () => {
      a.clear();
      a.push(bytes(2), () => a.dispose());
    });
    a.push(bytes(100), ignore);
    b.push(bytes(3), ignore);
    page.frame();
    page.frame();
    expect(page.take()).toEqual(["a1", "a2", "b3"]);
  });

  it("does not double a slice whose write is still on its way", () => {
    const { page, scheduler } = setUp();
    const pending: (() => void)[] = [];
    let writes = 0;
    const queue = scheduler.add({
      write: (_, done) => {
        writes++;
        pending.push(done);
      },
    });
    queue.push(bytes(PIECE_BYTES * 3), ignore);
    page.frame();
    page.frame();
    page.frame();
    expect(writes).toBe(1);
    pending.shift()?.();
    expect(writes).toBe(2);
  });

  it("reports late frames, watches on until they are fine, and rests then", () => {
    const reports: boolean[] = [];
    const { page, scheduler } = setUp((late) => reports.push(late));
    const queue = scheduler.add(page.sink("a", 0));
    for (let i = 0; i < 5; i++) {
      queue.push(bytes(1), ignore);
      page.frame(page.time + (i === 1 ? 16 : 30));
    }
    expect(reports).toEqual([true]);
    for (let i = 0; i < 70 && page.asked; i++) page.frame(page.time + 16);
    expect(reports).toEqual([true, false]);
    expect(page.asked).toBe(false);
  });

  it("spreads the other panes over frames while they are late, never the focused one", () => {
    const { page, scheduler } = setUp();
    const focused = scheduler.add(page.sink("f", 0));
    const other = scheduler.add(page.sink("o", 0));
    scheduler.focus(focused);
    const frame = (gap: number) => {
      for (let i = 0; i < 2; i++) focused.push(bytes(PIECE_BYTES), ignore);
      other.push(bytes(1), ignore);
      page.settle();
      page.frame(page.time + gap);
      const seen = page.take();
      return `${seen.some((s) => s.startsWith("f")) ? "f" : ""}${seen.some((s) => s.startsWith("o")) ? "o" : ""}`;
    };
    for (let i = 0; i < 2; i++) frame(16);
    for (let i = 0; i < 8; i++) frame(40);
    expect(Array.from({ length: 8 }, () => frame(40)).sort()).toEqual([
      "f",
      "f",
      "f",
      "f",
      "f",
      "f",
      "fo",
      "fo",
    ]);
    for (let i = 0; i < 40; i++) frame(16);
    expect(Array.from({ length: 4 }, () => frame(16))).toEqual(["fo", "fo", "fo", "fo"]);
  });

  it("ends its frames on dispose", () => {
    const { page, scheduler } = setUp();
    scheduler.add(page.sink("a")).push(bytes(1), ignore);
    scheduler.dispose();
    expect(page.asked).toBe(false);
  });
});

describe("frame watch", () => {
  it("wants three late of ten", () => {
    const watch = new FrameWatch();
    let now = 0;
    const frames = (...gaps: number[]) => {
      for (const gap of gaps) {
        now += gap;
        watch.frame(now);
      }
    };
    frames(0, 30, 16, 16, 16, 16, 30, 16, 16, 16, 16, 30);
    expect(watch.late).toBe(false);
    frames(30);
    expect(watch.late).toBe(true);
    frames(16, 16, 16, 16);
    expect(watch.late).toBe(false);
  });

  it("gives parsing less of a frame while they are late, and all of it again later", () => {
    const watch = new FrameWatch();
    let now = 0;
    const frames = (count: number, gap: number) => {
      for (let i = 0; i < count; i++) {
        now += gap;
        watch.frame(now);
      }
    };
    frames(3, 16);
    expect(watch.slice).toBe(SLICE_MS);
    frames(1, 40);
    expect(watch.slice).toBe(SLICE_MS * 0.75);
    frames(20, 40);
    expect(watch.slice).toBe(LEAST_SLICE_MS);
    frames(24, 16);
    expect(watch.slice).toBe(SLICE_MS);
  });

  it("does not call a slow display late", () => {
    const watch = new FrameWatch();
    for (let i = 0; i < 30; i++) watch.frame(i * 33);
    expect(watch.late).toBe(false);
    expect(watch.slice).toBe(SLICE_MS);
  });

  it("takes neither a rest nor a hidden page for load", () => {
    const watch = new FrameWatch();
    for (let i = 0; i < 10; i++) {
      watch.frame(i * 5000);
      watch.frame(i * 5000 + 16);
      watch.rest();
      watch.frame(i * 5000 + 700);
    }
    expect(watch.late).toBe(false);
  });
});

// Between the stream and the emulator: puts bytes, changes of size and losses
// into one queue, in the order of the stream.

import type { WriteQueue } from "./scheduler";

/** What the stream does to an emulator besides bytes. */
export interface Screen {
  resize(cols: number, rows: number): void;
  reset(): void;
  /** Shows what these bytes draw, in place of all that is there, in one go. */
  draw(bytes: Uint8Array, done: () => void): void;
  /** Whether the person reads what is above, or has selected something: that must not be taken from them. */
  readonly reading: boolean;
  /** How many lines may still come before what is read leaves the scrollback. */
  readonly room: number;
  /** Says that bytes are gone, below what is there; unsure: at most so many. */
  lost(bytes: number, unsure: boolean, done: () => void): void;
}

export class Intake {
  private readonly queue: WriteQueue;
  private readonly screen: Screen;
  private readonly acked: (offset: number) => void;
  private readonly shown: (offset: number) => void;
  private end = 0;
  private started = false;
  // What waits or is being parsed, for the byte at which a drop goes on.
  private pushed: { offset: number; size: number; lines: number }[] = [];
  private lostFrom: number | undefined;
  // The emulator was left as it is, because the person reads: what comes is not
  // for it any more until a screen is.
  private left = false;
  // The place of a screen that waits to be drawn: bytes behind it are of no use without it.
  private screenWaits: number | undefined;
  // Sizes whose byte has not come yet.
  private ahead: { offset: number; cols: number; rows: number }[] = [];

  /** `acked` hears the first byte that has not been parsed yet, `shown` the place of a screen that is done with. Only one of them for a place: the next screen comes when it is said. */
  constructor(
    queue: WriteQueue,
    screen: Screen,
    acked: (offset: number) => void,
    shown: (offset: number) => void,
  ) {
    this.queue = queue;
    this.screen = screen;
    this.acked = acked;
    this.shown = shown;
  }

  /** True while the emulator shows what was, because the person reads it. */
  get behind(): boolean {
    return this.left;
  }

  opened(next: number, cols: number, rows: number): void {
    this.forget();
    this.left = false;
    this.end = next;
    const again = this.started;
    this.started = true;
    this.queue.step((done) => {
      if (again) this.screen.reset();
      this.screen.resize(cols, rows);
      this.acked(next);
      done();
    });
  }

  /** The newest screen, in place of what has not been parsed and of what came before it. */
  draw(offset: number, cols: number, rows: number, bytes: Uint8Array): void {
    this.forget();
    this.end = offset;
    this.left = this.screen.reading;
    if (this.left) {
      this.shown(offset);
      return;
    }
    this.screenWaits = offset;
    this.queue.step((done) => {
      this.screen.resize(cols, rows);
      this.screen.draw(bytes, () => {
        if (this.screenWaits === offset) this.screenWaits = undefined;
        this.shown(offset);
        done();
      });
    });
  }

  data(offset: number, bytes: Uint8Array): void {
    if (this.screen.reading && !this.left && lines(bytes) + this.coming > this.screen.room) {
      this.left = true;
      this.forget();
    }
    if (this.left) {
      this.end = offset + bytes.length;
      this.acked(this.end);
      return;
    }
    let at = 0;
    for (let next = this.ahead[0]; next && next.offset <= offset + bytes.length; next = this.ahead[0]) {
      this.ahead.shift();
      const split = Math.max(at, next.offset - offset);
      this.push(offset + at, bytes.subarray(at, split));
      at = split;
      this.resize(next.cols, next.rows);
    }
    this.push(offset + at, bytes.subarray(at));
  }

  size(offset: number, cols: number, rows: number): void {
    if (this.left) return; // the screen that comes has it
    if (offset > this.end) this.ahead.push({ offset, cols, rows });
    else this.resize(cols, rows);
  }

  lost(from: number, to: number, unsure: boolean): void {
    if (this.left) {
      this.end = to;
      this.acked(to);
      return;
    }
    this.lostFrom ??= from;
    this.queue.step((done) => {
      this.lostFrom = undefined;
      this.screen.lost(to - from, unsure, () => {
        this.acked(to);
        done();
      });
    });
    for (let next = this.ahead[0]; next && next.offset <= to; next = this.ahead[0]) {
      this.ahead.shift();
      this.resize(next.cols, next.rows);
    }
    this.end = to;
  }

  /**
   * Forgets what has not gone to the emulator and says from which byte the stream
   * must go on. Sizes and losses that wait with it come again with the attach.
   * Undefined: a screen was forgotten, so it must begin with one.
   */
  drop(): number | undefined {
    if (this.screenWaits !== undefined) {
      this.forget();
      return undefined;
    }
    let waiting = this.queue.waiting;
    if (waiting === 0 && this.lostFrom === undefined) return this.end;
    for (let last = this.pushed.pop(); last && waiting > 0; last = this.pushed.pop()) {
      const handed = Math.max(0, last.size - waiting);
      waiting -= last.size - handed;
      this.end = last.offset + handed;
    }
    this.end = Math.min(this.end, this.lostFrom ?? this.end);
    this.forget();
    return this.end;
  }

  dispose(): void {
    this.queue.dispose();
  }

  /** Lines that wait, or are being parsed. */
  private get coming(): number {
    return this.pushed.reduce((sum, piece) => sum + piece.lines, 0);
  }

  private forget(): void {
    this.screenWaits = undefined;
    this.queue.clear();
    this.pushed = [];
    this.lostFrom = undefined;
    this.ahead = [];
  }

  private push(offset: number, bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.end = offset + bytes.length;
    this.pushed.push({ offset, size: bytes.length, lines: lines(bytes) });
    this.queue.push(bytes, (count) => {
      if (this.pushed[0] && this.pushed[0].offset + this.pushed[0].size <= offset + count)
        this.pushed.shift();
      this.acked(offset + count);
    });
  }

  private resize(cols: number, rows: number): void {
    this.queue.step((done) => {
      this.screen.resize(cols, rows);
      done();
    });
  }
}

/** How many lines end in these bytes. */
function lines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++;
  return count;
}

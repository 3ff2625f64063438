// Shares the page's time for parsing among its terminals. The parser is the
// slowest part between a PTY and the screen, and it runs on the thread that
// also draws: so it gets a slice of each frame, and who is looked at goes first.

import { FrameWatch } from "./frame-watch";

/** The most bytes in one write: about 1.3 ms of parsing. */
export const PIECE_BYTES = 16 * 1024;
/** What the focused pane may write between two frames without waiting for one. */
const AT_ONCE_BYTES = 16 * 1024;
/**
 * So long frames are asked for after the last work, in ms. WebKit stops its frame
 * clock when nobody asks, and starting it costs a frame or two: beside sixteen floods
 * an echo took 130 ms at worst, and 65 with the clock running.
 */
const WARM_MS = 500;
/** What comes for a pane so soon after the last keeps them running too, in ms: a flood, not a spinner. */
const DENSE_MS = 50;

/** What the scheduler needs of the page. */
export interface FrameSource {
  /** Milliseconds, monotonic. */
  now(): number;
  requestFrame(run: (time: number) => void): number;
  cancelFrame(id: number): void;
}

/** Where a queue's bytes go: an emulator. `done` is called when they are parsed. */
export interface Sink {
  write(data: Uint8Array, done: () => void): void;
}

/** Something that must happen between two bytes, such as a change of size. */
export type Step = (done: () => void) => void;

export interface WriteQueue {
  /** Bytes; `parsed` is called with how many of them have been parsed so far. */
  push(data: Uint8Array, parsed: (bytes: number) => void): void;
  /** Runs when everything pushed before has been parsed. */
  step(run: Step): void;
  /** Forgets what waits. What is being parsed already goes on. */
  clear(): void;
  readonly empty: boolean;
  /** Bytes that have not been handed to the sink. */
  readonly waiting: number;
  dispose(): void;
}

type Item = { data: Uint8Array; at: number; parsed: (bytes: number) => void } | { step: Step };

/** One for the page. It asks for frames only while there is something to do, and a little longer. */
export class WriteScheduler {
  private readonly source: FrameSource;
  private readonly report: (late: boolean) => void;
  private readonly watch = new FrameWatch();
  private readonly queues: Queue[] = [];
  private focused: Queue | undefined;
  private turn: Queue | undefined;
  private frame: number | undefined;
  // The end of the slice; undefined until its first write has ended, because a
  // write begins some time after it was asked for.
  private deadline: number | undefined;
  private inSlice = false;
  private atOnce = AT_ONCE_BYTES;
  private worked = 0;
  // Frames since the panes that are not focused had a turn.
  private skipped = 0;

  /** `report` hears when frames start to come late, and when they are fine again. */
  constructor(source: FrameSource, report: (late: boolean) => void = () => {}) {
    this.source = source;
    this.report = report;
  }

  add(sink: Sink): WriteQueue {
    const queue: Queue = new Queue(sink, this.source, {
      pushed: (dense) => this.pushed(queue, dense),
      free: () => this.next(queue),
      gone: () => this.remove(queue),
    });
    this.queues.push(queue);
    return queue;
  }

  /** Names the pane that the person looks at; undefined for none. */
  focus(queue: WriteQueue | undefined): void {
    this.focused = this.queues.find((known) => known === queue);
  }

  /** Something will come soon: has the frames ready. */
  stir(): void {
    this.worked = this.source.now();
    this.ask();
  }

  dispose(): void {
    for (const queue of [...this.queues]) queue.dispose();
    if (this.frame !== undefined) this.source.cancelFrame(this.frame);
    this.frame = undefined;
  }

  private pushed(queue: Queue, dense: boolean): void {
    if (dense) this.worked = this.source.now();
    this.ask();
    // An echo must not wait for a frame: when the focused pane has nothing else
    // to do, it is written now, as long as that stays small.
    if (queue !== this.focused || queue.busy || queue.waiting > this.atOnce) return;
    this.atOnce -= queue.waiting;
    queue.write();
  }

  private ask(): void {
    this.frame ??= this.source.requestFrame((time) => this.onFrame(time));
  }

  private onFrame(time: number): void {
    this.frame = undefined;
    this.atOnce = AT_ONCE_BYTES;
    if (this.watch.frame(time)) this.report(this.watch.late);
    const busy = this.queues.some((queue) => !queue.empty);
    // While frames are late they are watched until they are fine, work or not.
    if (busy || time - this.worked < WARM_MS || this.watch.late) this.ask();
    else this.watch.rest();
    this.skipped++;
    // A slice whose write is still being parsed goes on; it is not doubled.
    if (!this.inSlice) this.start();
    else this.deadline = undefined;
  }

  private start(): void {
    this.deadline = undefined;
    const all = this.skipped >= this.watch.stride;
    if (all) this.skipped = 0;
    const queue = all ? this.choose() : this.focusedReady();
    if (!queue) return;
    this.inSlice = true;
    queue.write();
  }

  /** A write ended: go on with the same pane, then with the next, until time is up. */
  private next(queue: Queue): void {
    // Not the slice's own write but one at once: what is left waits for a frame.
    if (queue !== this.turn || !this.inSlice) return;
    const now = this.source.now();
    this.deadline ??= now + this.watch.slice;
    if (now >= this.deadline) {
      this.inSlice = false;
      return;
    }
    // Staying is cheap, changing costs a timer: so a pane keeps its turn until
    // it is empty, unless the focused one has something.
    const stay = queue.ready && !this.focused?.ready;
    // A slice that belongs to the focused pane alone does not go on to the others.
    const chosen = stay ? queue : this.skipped > 0 ? this.focusedReady() : this.choose();
    if (chosen) chosen.write();
    else this.inSlice = false;
  }

  /** The focused pane, then the others in turn, from the one after the last. */
  private choose(): Queue | undefined {
    const focused = this.focusedReady();
    if (focused) return focused;
    const from = this.turn ? this.queues.indexOf(this.turn) + 1 : 0;
    for (let i = 0; i < this.queues.length; i++) {
      const queue = this.queues[(from + i) % this.queues.length];
      if (queue?.ready) {
        this.turn = queue;
        return queue;
      }
    }
    return undefined;
  }

  private focusedReady(): Queue | undefined {
    if (!this.focused?.ready) return undefined;
    this.turn = this.focused;
    return this.focused;
  }

  private remove(queue: Queue): void {
    const at = this.queues.indexOf(queue);
    if (at >= 0) this.queues.splice(at, 1);
    if (this.focused === queue) this.focused = undefined;
    if (this.turn === queue) {
      this.turn = undefined;
      this.inSlice = false;
    }
  }
}

interface Owner {
  /** dense: so soon after the last that it is a flood. */
  pushed(dense: boolean): void;
  free(): void;
  gone(): void;
}

class Queue implements WriteQueue {
  waiting = 0;
  busy = false;
  private items: Item[] = [];
  private gone = false;
  private came = Number.NEGATIVE_INFINITY;
  private readonly sink: Sink;
  private readonly source: FrameSource;
  private readonly owner: Owner;

  constructor(sink: Sink, source: FrameSource, owner: Owner) {
    this.sink = sink;
    this.source = source;
    this.owner = owner;
  }

  get empty(): boolean {
    return this.items.length === 0;
  }

  get ready(): boolean {
    return !this.busy && this.items.length > 0;
  }

  push(data: Uint8Array, parsed: (bytes: number) => void): void {
    if (this.gone || data.length === 0) return;
    this.items.push({ data, at: 0, parsed });
    this.waiting += data.length;
    const now = this.source.now();
    const dense = now - this.came < DENSE_MS;
    this.came = now;
    this.owner.pushed(dense);
  }

  step(run: Step): void {
    if (this.gone) return;
    this.items.push({ step: run });
    this.owner.pushed(false);
  }

  clear(): void {
    this.items = [];
    this.waiting = 0;
  }

  dispose(): void {
    if (this.gone) return;
    this.gone = true;
    this.clear();
    this.owner.gone();
  }

  /** Hands the next piece on. Only when `ready`. */
  write(): void {
    const item = this.items[0];
    if (!item) return;
    this.busy = true;
    if ("step" in item) {
      this.items.shift();
      item.step(() => this.done());
      return;
    }
    const piece = item.data.subarray(item.at, item.at + PIECE_BYTES);
    item.at += piece.length;
    this.waiting -= piece.length;
    if (item.at >= item.data.length) this.items.shift();
    const { at, parsed } = item;
    this.sink.write(piece, () => {
      if (this.gone) return;
      parsed(at);
      this.done();
    });
  }

  private done(): void {
    this.busy = false;
    if (!this.gone) this.owner.free();
  }
}

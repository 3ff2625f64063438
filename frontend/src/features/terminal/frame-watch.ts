// Watches whether animation frames come late, and says how much of a frame may
// be spent on parsing.

/** A frame that comes later than this after the one before is late. */
export const LATE_FRAME_MS = 24;
/** The most time for writing in one frame. */
export const SLICE_MS = 8;
/** The least, so that a flood never stands still. */
export const LEAST_SLICE_MS = 4;
/** Panes that nobody types into are written at least every so many frames. */
export const MOST_STRIDE = 4;
const CALMER = 0.1;
/** Longer pauses are a hidden page or a sleeping machine, not load. */
const PAUSE_MS = 1000;
const WINDOW = 10;
const LATE_AT = 3;

/**
 * Late: 3 of the last 10 frames were, which makes 47 a second.
 *
 * Drawing a pane costs more than parsing for it, and the page draws all that
 * changed at once. So each late frame also spreads the slices out, up to one in
 * four frames; the frames between stay short, and a key is echoed in them.
 *
 * The slice shrinks by a quarter with each late frame and grows by a quarter of
 * a millisecond with each other one. Where drawing leaves no room, a full slice
 * only starves the tasks that bring input and output: beside 16 floods on two
 * busy cores, 4 ms instead of 8 parsed as much, at 55 frames instead of 37 a
 * second, with the echo after 20 ms instead of 70.
 */
export class FrameWatch {
  private recent: boolean[] = [];
  private last: number | undefined;
  private isLate = false;
  private now = SLICE_MS;
  private spread = 1;
  // The shortest gap seen. A display of 30 Hz is not late all the time.
  private period = Number.POSITIVE_INFINITY;

  get late(): boolean {
    return this.isLate;
  }

  /** Time for writing in this frame, in ms. */
  get slice(): number {
    return this.now;
  }

  /** Every how many frames the panes that nobody types into are written. */
  get stride(): number {
    return Math.round(this.spread);
  }

  /** A frame came at this time, in ms. Says whether `late` changed. */
  frame(now: number): boolean {
    const gap = this.last === undefined ? 0 : now - this.last;
    this.last = now;
    if (gap <= 0 || gap > PAUSE_MS) return false;
    this.period = Math.min(this.period, gap);
    const late = gap > Math.max(LATE_FRAME_MS, this.period * 1.4);
    this.now = late ? Math.max(LEAST_SLICE_MS, this.now * 0.75) : Math.min(SLICE_MS, this.now + 0.25);
    this.spread = late ? Math.min(MOST_STRIDE, this.spread + 1) : Math.max(1, this.spread - CALMER);
    this.recent.push(late);
    if (this.recent.length > WINDOW) this.recent.shift();
    const before = this.isLate;
    this.isLate = this.recent.filter(Boolean).length >= LATE_AT;
    return this.isLate !== before;
  }

  /** Frames stop being asked for: the pause until the next is no lateness. */
  rest(): void {
    this.last = undefined;
  }
}

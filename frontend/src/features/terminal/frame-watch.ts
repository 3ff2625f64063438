// Watches whether animation frames come late.

/** A frame that comes later than this after the one before is late. */
export const LATE_FRAME_MS = 24;
/** Longer pauses are a hidden page or a sleeping machine, not load. */
const PAUSE_MS = 1000;
const WINDOW = 10;
const LATE_AT = 3;
/** So many frames in a row must be in time before the load counts as over. */
const FINE_AFTER = 20;

/** Late: 3 of the last 10 frames were. Fine again: 20 in a row were in time. */
export class FrameWatch {
  private recent: boolean[] = [];
  private inTime = 0;
  private last: number | undefined;
  private isLate = false;

  get late(): boolean {
    return this.isLate;
  }

  /** A frame came at this time, in ms. Says whether `late` changed. */
  frame(now: number): boolean {
    const gap = this.last === undefined ? 0 : now - this.last;
    this.last = now;
    if (gap <= 0 || gap > PAUSE_MS) return false;
    const late = gap > LATE_FRAME_MS;
    this.recent.push(late);
    if (this.recent.length > WINDOW) this.recent.shift();
    this.inTime = late ? 0 : this.inTime + 1;
    const before = this.isLate;
    if (this.isLate) this.isLate = this.inTime < FINE_AFTER;
    else this.isLate = this.recent.filter(Boolean).length >= LATE_AT;
    return this.isLate !== before;
  }

  /** Frames stop being asked for: the pause until the next is no lateness. */
  rest(): void {
    this.last = undefined;
  }
}

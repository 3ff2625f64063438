// The driver of a terminal obeys Ctrl+S without a word, and everything seems
// dead. Only the silence after it shows that output is stopped.

const XOFF = 0x13;
const XON = 0x11;
/** So long without output after Ctrl+S, and it counts as stopped. */
const STOPPED_AFTER_MS = 600;

export class StopHint {
  private readonly changed: () => void;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isStopped = false;

  constructor(changed: () => void) {
    this.changed = changed;
  }

  get stopped(): boolean {
    return this.isStopped;
  }

  /** Input goes out. `line`: no program has the whole screen, where Ctrl+S is a key like others. */
  input(data: Uint8Array, line: boolean): void {
    if (data.length !== 1) return;
    if (data[0] === XON) this.goesOn();
    if (data[0] !== XOFF) return;
    clearTimeout(this.timer);
    if (line) this.timer = setTimeout(() => this.set(true), STOPPED_AFTER_MS);
  }

  /** Output came, or the program is gone. */
  goesOn(): void {
    clearTimeout(this.timer);
    this.set(false);
  }

  private set(stopped: boolean): void {
    if (stopped === this.isStopped) return;
    this.isStopped = stopped;
    this.changed();
  }
}

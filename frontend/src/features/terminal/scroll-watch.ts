// Knows whether the person has scrolled back, and how much came since.

import type { IMarker, Terminal } from "@xterm/xterm";

export interface ScrollState {
  readonly back: boolean;
  /** Lines that came since; -1 when more than the scrollback keeps. */
  readonly newer: number;
}

const AT_BOTTOM: ScrollState = { back: false, newer: 0 };

/** Calls `changed` after each change. Ends with the terminal. */
export class ScrollWatch {
  private readonly terminal: Terminal;
  private readonly changed: (state: ScrollState) => void;
  private state: ScrollState = AT_BOTTOM;
  private mark: IMarker | undefined;

  constructor(terminal: Terminal, changed: (state: ScrollState) => void) {
    this.terminal = terminal;
    this.changed = changed;
    // Rendering follows every scroll, by whomever, and happens once a frame.
    terminal.onRender(() => this.look());
  }

  get current(): ScrollState {
    return this.state;
  }

  private look(): void {
    const { active } = this.terminal.buffer;
    const back = active.viewportY < active.baseY;
    if (back !== this.state.back) {
      this.mark?.dispose();
      this.mark = back ? this.terminal.registerMarker(0) : undefined;
    }
    const next = back ? { back, newer: this.newer() } : AT_BOTTOM;
    if (next.back === this.state.back && next.newer === this.state.newer) return;
    this.state = next;
    this.changed(next);
  }

  private newer(): number {
    const { active } = this.terminal.buffer;
    if (!this.mark || this.mark.isDisposed) return -1;
    return Math.max(0, active.baseY + active.cursorY - this.mark.line);
  }
}

// Who may be sent the next screen of a flood. A screen costs the backend and the
// page more than the person gains from seeing sixteen of them change sixty times
// a second: so the pane they look at gets one a frame, the others take turns.

import type { FrameSource } from "./scheduler";

/** Screens for panes that are not focused, in each frame. */
const OTHERS = 1;

interface Turn {
  readonly pane: string;
  readonly run: () => void;
}

/** One for the page. It asks for frames only while somebody waits. */
export class ScreenTurns {
  private readonly source: FrameSource;
  private readonly focused: () => string | undefined;
  private waiting: Turn[] = [];
  private frame: number | undefined;

  constructor(source: FrameSource, focused: () => string | undefined) {
    this.source = source;
    this.focused = focused;
  }

  /** Runs once it is the pane's turn. A pane that asks again takes its old place. */
  ask(pane: string, run: () => void): void {
    const at = this.waiting.findIndex((turn) => turn.pane === pane);
    if (at >= 0) this.waiting[at] = { pane, run };
    else this.waiting.push({ pane, run });
    this.frame ??= this.source.requestFrame(() => this.next());
  }

  dispose(): void {
    if (this.frame !== undefined) this.source.cancelFrame(this.frame);
    this.frame = undefined;
    this.waiting = [];
  }

  private next(): void {
    this.frame = undefined;
    const focused = this.focused();
    let others = OTHERS;
    const now = this.waiting.filter((turn) => turn.pane === focused || others-- > 0);
    this.waiting = this.waiting.filter((turn) => !now.includes(turn));
    for (const turn of now) turn.run();
    if (this.waiting.length > 0) this.frame ??= this.source.requestFrame(() => this.next());
  }
}

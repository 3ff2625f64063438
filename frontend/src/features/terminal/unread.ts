// Input that a program left unread when it ended. The news of the end and the
// receipts for input come by different ways: the end alone proves nothing.

import type { Disposable } from "../../lib/disposable";
import { sizeText } from "../../lib/format";

/** So long after the end, what has no receipt was not read. */
const RECEIPTS_MS = 1000;

export interface UnreadPane {
  /** Drops what nobody took, so that its credit comes back; says how many bytes. */
  discardHeld(): number;
  refuse(why: string): void;
}

export class Unread implements Disposable {
  private readonly pane: UnreadPane;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(pane: UnreadPane) {
    this.pane = pane;
  }

  programEnded(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = undefined;
      const bytes = this.pane.discardHeld();
      if (bytes > 0) this.pane.refuse(`the program ended before it read ${sizeText(bytes)}`);
    }, RECEIPTS_MS);
  }

  /** Nothing of it may reach the next program. */
  programStarted(): void {
    if (this.timer === undefined) return;
    this.dispose();
    this.pane.discardHeld();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}

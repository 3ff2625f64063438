// Going to a place of the log on the screen. The backend knows on which line a byte
// stands, counted from the bottom and at one moment of the stream; here that moment
// is held on to while output goes on.

import type { Located } from "../../bridge/types";

/** A place in a terminal's log, and what stands there. */
export interface Place {
  /** Number of the first byte of its line. */
  readonly offset: number;
  /** The line before what was found, as far as it is known, and what was found. */
  readonly before: string;
  readonly match: string;
}

/** A line that is followed while others come and go. */
export interface Anchor {
  /** Where the bottom row of then is now; undefined when that is not known any more. */
  line(): number | undefined;
  dispose(): void;
}

/** What a terminal pane does for it. */
export interface Revealing {
  /** Waits until all that has come is on the screen, with its scrollback, and the byte too. */
  still(offset: number): Promise<boolean>;
  /** The number of the first byte that is not on the screen. */
  readonly parsed: number;
  /** Holds on to the bottom row; undefined while another screen covers it. */
  anchor(): Anchor | undefined;
  locate(offset: number, shown: number): Promise<Located>;
  /** Shows and marks the place near a line; false if it is not there. */
  show(line: number, place: Place): boolean;
}

/** Output that comes in screens takes the anchor away: so often it is tried again. */
const TRIES = 5;

export async function reveal(pane: Revealing, place: Place): Promise<boolean> {
  for (let n = 0; n < TRIES; n++) {
    if (!(await pane.still(place.offset))) return false;
    const anchor = pane.anchor();
    if (!anchor) return false;
    try {
      const { found, below } = await pane.locate(place.offset, pane.parsed);
      if (!found) return false;
      const bottom = anchor.line();
      if (bottom !== undefined) return pane.show(bottom - below, place);
    } finally {
      anchor.dispose();
    }
  }
  return false;
}

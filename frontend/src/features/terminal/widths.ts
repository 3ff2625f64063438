// How many cells the emulator gives to characters: the same tables as the
// backend's screens (backend/width), which are generated from one set of rules,
// so that both put the cursor in the same place. Runs without a page.

import type { IUnicodeVersionProvider, Terminal } from "@xterm/xterm";
import { RUNS, STEPS, UNICODE } from "./widths-table";

const POINTS = 0x110000;
const classes = unpack(RUNS);
const steps = Uint8Array.from(STEPS.match(/../g) ?? [], (hex) => Number.parseInt(hex, 16));

/**
 * The widths as xterm.js asks for them. What it hands on from one character to
 * the next, and what it wants back, is state << 3 | cells << 1 | joins; the
 * tables hold just that. 0 is no cluster, as after every escape sequence.
 */
export class ClusterWidths implements IUnicodeVersionProvider {
  readonly version = `drover-${UNICODE}`;

  /** The cells of a character alone. Marks have none. */
  wcwidth(point: number): 0 | 1 | 2 {
    return ((this.charProperties(point, 0) >> 1) & 3) as 0 | 1 | 2;
  }

  charProperties(point: number, preceding: number): number {
    return steps[((preceding >> 3) << 4) | (classes[point] ?? 0)] ?? 0;
  }
}

/** Has the terminal count cells by our table. It needs allowProposedApi. */
export function activateWidths(terminal: Pick<Terminal, "unicode">): void {
  const widths = new ClusterWidths();
  terminal.unicode.register(widths);
  terminal.unicode.activeVersion = widths.version;
}

function unpack(runs: string): Uint8Array {
  const all = new Uint8Array(POINTS);
  let at = 0;
  for (const [, letter, length] of runs.matchAll(/([A-Z])([0-9a-z]+)/g)) {
    const end = at + Number.parseInt(length ?? "", 36);
    const kind = (letter ?? "A").charCodeAt(0) - "A".charCodeAt(0);
    if (kind) all.fill(kind, at, end);
    at = end;
  }
  return all;
}

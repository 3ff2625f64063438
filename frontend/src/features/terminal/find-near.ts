// Finds a text in a terminal's buffer, near a line.

import type { IBuffer } from "@xterm/xterm";
import { type Cell, joined } from "./lines";

/** So many rows around the line are looked at: the emulator may differ a little from what the backend counts. */
const NEAR = 40;

export interface Span {
  readonly x: number;
  readonly y: number;
  /** Cells, counted over the ends of rows. */
  readonly length: number;
}

/** Where `match` stands behind `before`, in the row nearest to `y`. Blanks count as one, as tabs do. */
export function findNear(buffer: IBuffer, y: number, before: string, match: string): Span | undefined {
  for (const wanted of before.trim() === "" ? [""] : [before, ""]) {
    for (let d = 0; d <= NEAR; d++) {
      for (const row of d === 0 ? [y] : [y - d, y + d]) {
        const span = inLine(buffer, row, wanted, match);
        if (span) return span;
      }
    }
  }
  return undefined;
}

function inLine(buffer: IBuffer, row: number, before: string, match: string): Span | undefined {
  if (row < 0 || row >= buffer.length || buffer.getLine(row)?.isWrapped) return undefined;
  const { text, cells } = joined(buffer, row);
  const line = squeeze(text);
  const lead = squeeze(before.trimStart()).text;
  const whole = squeeze(before.trimStart() + match).text;
  const found = line.text.indexOf(whole);
  if (found < 0 || whole.length === lead.length) return undefined;
  const at = (i: number): Cell | undefined => cells[line.from[i] ?? -1];
  const first = at(found + Math.min(lead.length, whole.length - 1));
  const last = at(found + whole.length - 1);
  const cols = buffer.getLine(row)?.length ?? 0;
  if (!first || !last) return undefined;
  return { x: first.x, y: first.y, length: (last.y - first.y) * cols + last.x + last.width - first.x };
}

/** Blanks as one, and where each character was. */
function squeeze(text: string): { text: string; from: number[] } {
  let out = "";
  const from: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const char = /\s/u.test(text[i] ?? "") ? " " : (text[i] ?? "");
    if (char === " " && out.endsWith(" ")) continue;
    out += char;
    from.push(i);
  }
  return { text: out, from };
}

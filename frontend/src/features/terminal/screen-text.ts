// The text of a terminal, for the plain view, for saving and for screen readers.

import type { IBuffer } from "@xterm/xterm";

/** A place in a buffer: its row, from the oldest that is kept, and column, both from 0. */
export interface Cell {
  readonly y: number;
  readonly x: number;
}

/** All lines that are kept, wrapped ones joined, without empty ones at the end. */
export function textOf(buffer: IBuffer): string {
  const text = textBetween(buffer, { y: 0, x: 0 }, { y: buffer.length, x: 0 }).trimEnd();
  return text === "" ? "" : `${text}\n`;
}

/** The text from one cell to another, which is not part of it; wrapped lines joined, blanks at their ends left out. */
export function textBetween(buffer: IBuffer, from: Cell, to: Cell): string {
  const lines: string[] = [];
  for (let y = Math.max(0, from.y); y <= to.y; y++) {
    const line = buffer.getLine(y);
    if (!line || (y === to.y && to.x === 0 && !line.isWrapped)) break;
    // A line that goes on keeps its blanks: they may stand between two words.
    const goesOn = buffer.getLine(y + 1)?.isWrapped ?? false;
    const text = line.translateToString(!goesOn, y === from.y ? from.x : 0, y === to.y ? to.x : undefined);
    if (line.isWrapped && lines.length > 0) lines[lines.length - 1] += text;
    else lines.push(text);
  }
  return lines.map((line) => line.trimEnd()).join("\n");
}

/** The row in which the line of a row begins. */
export function lineStart(buffer: IBuffer, y: number): number {
  let start = y;
  while (start > 0 && buffer.getLine(start)?.isWrapped) start--;
  return start;
}

/** A name for a file of a terminal, without its ending: letters and digits of the title, and the time. */
export function fileNameFor(title: string, at: Date): string {
  const name = title.replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^[-.]+|-+$/g, "");
  const stamp = at.toISOString().slice(0, 19).replace(/[:T]/g, "-");
  return `${name.slice(0, 60) || "terminal"}-${stamp}`;
}

// Lines of a terminal's buffer as they were written, over the rows on which they stand.

import type { IBuffer } from "@xterm/xterm";

/** Wrapped lines are joined up to so many characters on each side. */
const MAX_JOINED = 4096;

export interface Cell {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** The text of which a row is a part, whole even if it is wrapped, and the cell of each character. */
export function joined(buffer: IBuffer, row: number): { text: string; cells: Cell[] } {
  let top = row;
  for (let length = 0; length < MAX_JOINED && buffer.getLine(top)?.isWrapped && top > 0; top--) {
    length += buffer.getLine(top)?.length ?? 0;
  }
  let text = "";
  const cells: Cell[] = [];
  for (let y = top, after = 0; after < MAX_JOINED; y++) {
    const line = buffer.getLine(y);
    if (!line || (y > top && !line.isWrapped)) break;
    if (y > row) after += line.length;
    const next = buffer.getLine(y + 1);
    for (let x = 0; x < line.length; x++) {
      const cell = line.getCell(x);
      if (!cell || cell.getWidth() === 0) continue; // the right half of a wide one
      const chars = cell.getChars();
      // A wide character that did not fit left the last cell of its line empty.
      if (chars === "" && x === line.length - 1 && next?.isWrapped) continue;
      const shown = chars || " ";
      text += shown;
      for (let i = 0; i < shown.length; i++) cells.push({ x, y, width: cell.getWidth() });
    }
  }
  return { text, cells };
}

// How many cells fit into an element.

/** The scroll bar lies over the right edge; text keeps clear of it. */
export const SCROLLBAR_PX = 14;
const LEAST = { cols: 2, rows: 1 };
const MOST = 1000;

export interface Box {
  readonly width: number;
  readonly height: number;
}

export interface Fitted {
  readonly cols: number;
  readonly rows: number;
  readonly xpixel: number;
  readonly ypixel: number;
}

/** The cells that fit; undefined when the element or the cell has no size (hidden). */
export function fitCells(area: Box, cell: Box): Fitted | undefined {
  const width = area.width - SCROLLBAR_PX;
  if (!(width > 0 && area.height > 0 && cell.width > 0 && cell.height > 0)) return undefined;
  const cols = Math.min(MOST, Math.max(LEAST.cols, Math.floor(width / cell.width)));
  const rows = Math.min(MOST, Math.max(LEAST.rows, Math.floor(area.height / cell.height)));
  return {
    cols,
    rows,
    xpixel: Math.min(65535, Math.round(cols * cell.width)),
    ypixel: Math.min(65535, Math.round(rows * cell.height)),
  };
}

/**
 * The line height for xterm.js that makes a row `rowPx` high. xterm multiplies
 * the font's own height `fontPx` (a row at line height 1) and rounds down to
 * device pixels, hence the little more. Never under 1.
 */
export function lineHeightFor(rowPx: number, fontPx: number): number {
  if (!(rowPx > 0 && fontPx > 0)) return 1;
  return Math.max(1, (rowPx + 0.01) / fontPx);
}

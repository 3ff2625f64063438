// Which pane lies beside another.

export type Direction = "left" | "right" | "up" | "down";

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Panes may overlap by the width of a border. */
const BORDER = 2;

/**
 * The box that touches `from` in a direction, or is the nearest there: one that
 * shares part of the side with it, and the most of it. Undefined: none does.
 */
export function beside<T extends { readonly box: Box }>(
  from: Box,
  others: readonly T[],
  direction: Direction,
): T | undefined {
  let best: T | undefined;
  let nearest = Number.POSITIVE_INFINITY;
  let most = 0;
  for (const other of others) {
    const { box } = other;
    const vertical = direction === "up" || direction === "down";
    const gap = {
      left: from.left - box.right,
      right: box.left - from.right,
      up: from.top - box.bottom,
      down: box.top - from.bottom,
    }[direction];
    const shared = vertical
      ? Math.min(from.right, box.right) - Math.max(from.left, box.left)
      : Math.min(from.bottom, box.bottom) - Math.max(from.top, box.top);
    if (gap < -BORDER || shared <= 0) continue;
    if (gap < nearest - BORDER || (gap <= nearest + BORDER && shared > most)) {
      best = other;
      nearest = gap;
      most = shared;
    }
  }
  return best;
}

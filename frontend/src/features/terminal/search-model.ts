// What the search bar knows: options, the count, and colours of matches.

import type { ISearchOptions } from "@xterm/addon-search";
import type { ITheme } from "@xterm/xterm";

export interface FindOptions {
  readonly regex: boolean;
  readonly matchCase: boolean;
  readonly word: boolean;
  /** Stay on the current match while the text grows. */
  readonly incremental?: boolean;
}

/** "3 of 17", "17 found", "none" or "" for no text. The index counts from 0; -1: not known. */
export function countText(text: string, index: number, count: number): string {
  if (text === "") return "";
  if (count === 0) return "none";
  return index < 0 ? `${count} found` : `${index + 1} of ${count}`;
}

/** Colours of matches on the theme's ground: xterm's decorations want #rrggbb. */
export function findColors(theme: ITheme): NonNullable<ISearchOptions["decorations"]> {
  const ground = theme.background ?? "#000000";
  const accent = theme.cursor ?? "#7babf1";
  const current = theme.yellow ?? "#e8be62";
  return {
    matchBackground: mix(ground, accent, 0.28),
    activeMatchBackground: mix(ground, current, 0.6),
    activeMatchBorder: current.slice(0, 7),
    matchOverviewRuler: mix(ground, accent, 0.6),
    activeMatchColorOverviewRuler: mix(ground, current, 1),
  };
}

/** The selection's colours while it is the current match: another colour, not another strength of the one of the rest. */
export function currentMatch(
  theme: ITheme,
): Pick<ITheme, "selectionBackground" | "selectionInactiveBackground"> {
  // Not opaque: xterm would thin that out by itself.
  const color = `${(theme.yellow ?? "#e8be62").slice(0, 7)}99`;
  return { selectionBackground: color, selectionInactiveBackground: color };
}

/** Two #rrggbb colours, mixed: `part` of the second. */
export function mix(a: string, b: string, part: number): string {
  const channel = (color: string, at: number) => Number.parseInt(color.slice(at, at + 2), 16) || 0;
  const mixed = [1, 3, 5].map((at) => Math.round(channel(a, at) * (1 - part) + channel(b, at) * part));
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

import type { Model, Search, SearchHit } from "../../bridge/types";
import { count } from "../../lib/format";
import { panesOf } from "../workspace";

// What the search over kept output knows of queries, rows and words. Pure.

export type Query = Omit<Search, "block" | "before">;

/** What the dialogue opens with; block is "this terminal" if it is not the focused one. */
export interface SearchWish extends Partial<Query> {
  block?: string;
  all?: boolean;
}

/** One terminal's lines, the newest first. */
export interface Group {
  readonly block: string;
  readonly hits: readonly SearchHit[];
  /** Why the rest of it could not be looked through, "" if it could. */
  readonly error: string;
}

export interface Found {
  /** Those that have something to show, in the order in which they are looked through. */
  readonly groups: readonly Group[];
  readonly total: number;
  /** "more": it has stopped at enough rows. "refused": the query is none, error says why. */
  readonly state: "nothing" | "looking" | "more" | "done" | "refused";
  readonly error: string;
  /** The groups are those of the query before: this one has no answer yet. */
  readonly stale: boolean;
}

export const nothing: Found = { groups: [], total: 0, state: "nothing", error: "", stale: false };

/** A row that is chosen. */
export interface Chosen {
  readonly block: string;
  readonly hit: SearchHit;
}

export const keyOf = (block: string, line: number): string => `${block}:${line}`;

/** The terminals to look through: the one in question first, then as they stand in the workspaces, the active one first. */
export function blocksFor(model: Model, first: string): string[] {
  const own = (id: string) => (id === model.active ? 0 : 1);
  const all = [...model.workspaces]
    .sort((a, b) => own(a.id) - own(b.id))
    .flatMap((w) => [...panesOf(w.layout).flatMap((p) => p.blocks), ...w.unplaced]);
  return [...new Set([first, ...all])].filter((id) => model.blocks[id]);
}

/** The row that is `by` rows from the chosen one, or the first; it stays within the list. */
export function step(found: Found, chosen: Chosen | undefined, by: number): Chosen | undefined {
  const rows = found.groups.flatMap(({ block, hits }) => hits.map((hit) => ({ block, hit })));
  const key = chosen && keyOf(chosen.block, chosen.hit.line);
  const at = rows.findIndex((r) => keyOf(r.block, r.hit.line) === key);
  return rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))];
}

/** How much of a line stands before its match in a row: the match must be seen. */
const mostBefore = 36;

/** A hit as a row shows it. */
export function rowText({ before, match, after }: SearchHit): Pick<SearchHit, "before" | "match" | "after"> {
  const start = before.trimStart();
  const cut = [...start];
  return {
    before: cut.length > mostBefore ? `…${cut.slice(1 - mostBefore).join("")}` : start,
    match,
    after,
  };
}

/** The whole of a hit's line, as far as the hit has it. */
export const lineText = ({ before, match, after }: SearchHit): string => before + match + after;

/** Where a hit's match stands in the text of its line; undefined when the text is not that line any more. */
export function markIn(text: string, { before, match }: SearchHit): [number, number] | undefined {
  const at = text.indexOf(before + match);
  return at < 0 ? undefined : [at + before.length, at + before.length + match.length];
}

/** How far it is, in words. */
export function summary({ state, total, groups }: Found): string {
  const lines = count(total, "line");
  const where = groups.filter((g) => g.hits.length > 0).length;
  switch (state) {
    case "looking":
      return total > 0 ? `${lines} so far, looking…` : "Looking…";
    case "more":
      return `The newest ${lines}; the rest is not looked through`;
    case "done":
      if (total === 0) return "All looked through";
      return `${lines}${where > 1 ? ` in ${count(where, "terminal")}` : ""}, all looked through`;
    default:
      return "";
  }
}

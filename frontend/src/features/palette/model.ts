import { blockDir, blockName, rowsByBlock, stateOf } from "../../bridge/describe";
import type { Known } from "../../bridge/mirror";
import type { Command } from "../../lib/commands";
import { match } from "../../lib/fuzzy";
import type { StateName } from "../../lib/state";

// What the palette finds. Pure.

export type Target =
  | { kind: "command"; id: string }
  | { kind: "block"; id: string }
  | { kind: "workspace"; id: string };

export interface Entry {
  key: string;
  group: "Commands" | "Go to";
  title: string;
  detail: string;
  /** Found by these too, though they are not shown. */
  words: string;
  state: StateName | undefined;
  target: Target;
}

export interface Found extends Entry {
  ranges: [number, number][];
}

type Source = Pick<Known, "model" | "statuses" | "activity" | "hello" | "terminals">;

/** Everything that can be chosen, of the commands that may run now; not the palette itself. */
export function entries(commands: readonly Command[], known: Source): Entry[] {
  const rows = rowsByBlock(known.activity);
  const home = known.hello?.home ?? "";
  const names = new Map(known.model.workspaces.map((w) => [w.id, w.name]));
  const out: Entry[] = commands
    .filter((c) => c.id !== "palette.open")
    .map((c) => ({
      key: `command:${c.id}`,
      group: "Commands",
      title: c.title,
      detail: c.detail?.() ?? "",
      words: c.words ?? "",
      state: undefined,
      target: { kind: "command", id: c.id },
    }));
  for (const block of Object.values(known.model.blocks)) {
    const status = known.statuses[block.id];
    const row = rows.get(block.id);
    const dir = blockDir(block, row, home);
    out.push({
      key: `block:${block.id}`,
      group: "Go to",
      title: blockName(block, status, row, known.terminals[block.id]),
      detail: [`in ${names.get(block.workspace) ?? "no workspace"}`, dir].filter(Boolean).join(", "),
      words: "",
      state: stateOf(status),
      target: { kind: "block", id: block.id },
    });
  }
  for (const ws of known.model.workspaces) {
    out.push({
      key: `workspace:${ws.id}`,
      group: "Go to",
      title: ws.name,
      detail: "workspace",
      words: "",
      state: undefined,
      target: { kind: "workspace", id: ws.id },
    });
  }
  return out;
}

const mostOfGroup = 30;

/** What a query finds, best first within each group. ">" asks for commands alone, "@" for panes. */
export function find(all: readonly Entry[], typed: string): Found[] {
  const sign = typed.trimStart().charAt(0);
  const only = sign === ">" ? "Commands" : sign === "@" ? "Go to" : undefined;
  const query = only ? typed.trimStart().slice(1) : typed;
  const hits: { entry: Found; score: number }[] = [];
  for (const entry of all) {
    if (only && entry.group !== only) continue;
    const title = match(entry.title, query);
    // What is beside the title may help to find it, but counts less.
    const hit =
      title ??
      (match(`${entry.title} ${entry.detail} ${entry.words}`, query) ? { score: 0, ranges: [] } : undefined);
    if (hit) hits.push({ entry: { ...entry, ranges: hit.ranges }, score: hit.score });
  }
  if (query.trim()) hits.sort((a, b) => b.score - a.score);
  const groups = ["Commands", "Go to"] as const;
  return groups.flatMap((g) =>
    hits
      .filter((h) => h.entry.group === g)
      .slice(0, mostOfGroup)
      .map((h) => h.entry),
  );
}

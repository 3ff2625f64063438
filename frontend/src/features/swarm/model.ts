import { blockCommand, blockDir, blockName, endText, rowsByBlock, stateOf } from "../../bridge/describe";
import type { Known } from "../../bridge/mirror";
import type { Block, BlockRow, Process, Workspace } from "../../bridge/types";
import { compareUrgency, type StateName } from "../../lib/state";

// The rows of the swarm tree. Pure: from what the page knows to what is drawn.

export type RowKind = "host" | "workspace" | "block" | "process";

export interface TreeRow {
  id: string;
  kind: RowKind;
  depth: number;
  label: string;
  /** Said in a lesser grey behind the label. */
  detail: string;
  /** What it was started with, in full; "" if that says no more. */
  command: string;
  state: StateName | undefined;
  /** Undefined: not known, or nothing to measure. */
  cpu: number | undefined;
  memory: number | undefined;
  /** Whether figures are shown at all; then unknown ones are a dash. */
  measured: boolean;
  ports: readonly number[];
  /** Undefined when there is nothing below it. */
  expanded: boolean | undefined;
  /** What is hidden below a folded row: its two most urgent states. */
  roll: readonly { state: StateName; count: number }[];
  /** One of the two that use most CPU. */
  hot: boolean;
  workspace: string;
  block: string;
  /** The closing that it is part of while that can be undone, else "". */
  closing: string;
  process: Process | undefined;
  /** Place among its siblings, from 1, and how many they are. */
  position: number;
  siblings: number;
}

interface Node {
  row: TreeRow;
  children: Node[];
}

type Source = Pick<Known, "model" | "statuses" | "activity" | "hello" | "leaving" | "closings">;

const blank: Omit<TreeRow, "id" | "kind" | "depth" | "label"> = {
  detail: "",
  command: "",
  state: undefined,
  cpu: undefined,
  memory: undefined,
  measured: false,
  ports: [],
  expanded: undefined,
  roll: [],
  hot: false,
  workspace: "",
  block: "",
  closing: "",
  process: undefined,
  position: 1,
  siblings: 1,
};

/** CPU from which a row counts as busy, in percent of a core. */
const busy = 10;

/** The visible rows, top to bottom. Folded ids hide what is below them; a filter shows what it finds with its ancestors, unfolded. */
export function treeRows(known: Source, folded: ReadonlySet<string>, filter = ""): TreeRow[] {
  let nodes = hostNodes(known);
  const wanted = filter.trim().toLowerCase();
  if (wanted) nodes = nodes.map((n) => filtered(n, wanted)).filter((n) => n !== undefined);
  markHot(nodes);
  const rows: TreeRow[] = [];
  const walk = (list: Node[]) => {
    list.forEach(({ row, children }, i) => {
      const open = wanted !== "" || !folded.has(row.id);
      rows.push({
        ...row,
        position: i + 1,
        siblings: list.length,
        expanded: children.length > 0 ? open : undefined,
        roll: children.length > 0 && !open ? rollUp(children) : [],
      });
      if (open) walk(children);
    });
  };
  walk(nodes);
  return rows;
}

/** The rows, those that are as they were as the same objects: they are not drawn again. */
export function keepSame(old: readonly TreeRow[], rows: readonly TreeRow[]): TreeRow[] {
  const before = new Map(old.map((row) => [row.id, row]));
  return rows.map((row) => {
    const was = before.get(row.id);
    return was && JSON.stringify(was) === JSON.stringify(row) ? was : row;
  });
}

function hostNodes(known: Source): Node[] {
  const { activity, model } = known;
  const hosts = activity.hosts.length
    ? activity.hosts
    : [{ id: "local", name: "This machine", cpu: 0, memory: 0, workspaces: [] }];
  const homeOf = new Map<string, string>();
  for (const h of hosts) for (const w of h.workspaces) homeOf.set(w.id, h.id);
  const stray = Object.values(known.leaving).filter(
    (b) => !model.workspaces.some((w) => w.id === b.workspace),
  );
  return hosts.map((host, i) => {
    const here = model.workspaces.filter((w) => (homeOf.get(w.id) ?? hosts[0]?.id) === host.id);
    return {
      row: {
        ...blank,
        id: `host:${host.id}`,
        kind: "host",
        depth: 0,
        label: i === 0 && host.id === "local" ? "This machine" : host.name,
        cpu: host.cpu,
        memory: host.memory,
        measured: true,
      },
      children: [
        ...here.map((w) => workspaceNode(w, known)),
        // Their workspace is closed with them, or was not told.
        ...(i === 0 ? stray.map((b) => blockNode(b, rowsByBlock(known.activity).get(b.id), known, 1)) : []),
      ],
    };
  });
}

function workspaceNode(ws: Workspace, known: Source): Node {
  const rows = rowsByBlock(known.activity);
  const blocks = blocksOf(ws, { ...known.model.blocks, ...known.leaving });
  const own = known.activity.hosts.flatMap((h) => h.workspaces).find((w) => w.id === ws.id);
  return {
    row: {
      ...blank,
      id: `ws:${ws.id}`,
      kind: "workspace",
      depth: 1,
      label: ws.name,
      cpu: own?.cpu,
      memory: own?.memory,
      measured: blocks.length > 0,
      workspace: ws.id,
    },
    children: blocks.map((b) => blockNode(b, rows.get(b.id), known)),
  };
}

/** Blocks in the order of their panes, then those that no pane holds. */
function blocksOf(ws: Workspace, blocks: Readonly<Record<string, Block>>): Block[] {
  const order: string[] = [];
  const walk = (node: Workspace["layout"]["root"]) => {
    if (node?.pane) order.push(...node.pane.blocks);
    for (const child of node?.children ?? []) walk(child);
  };
  walk(ws.layout.root);
  for (const f of ws.layout.floating) order.push(...f.pane.blocks);
  const places = new Map(order.map((id, i) => [id, i]));
  const at = (id: string) => places.get(id) ?? order.length;
  return Object.values(blocks)
    .filter((b) => b.workspace === ws.id)
    .sort((a, b) => at(a.id) - at(b.id) || a.created.localeCompare(b.created));
}

function blockNode(block: Block, figures: BlockRow | undefined, known: Source, depth = 2): Node {
  const status = known.statuses[block.id];
  const ended = endText(status);
  const where = blockDir(block, figures, known.hello?.home ?? "");
  const kind = block.kind === "shell" ? "terminal" : block.kind;
  const closing = Object.values(known.closings).find((c) => c.blocks.includes(block.id));
  const leaving = closing !== undefined || status?.closing;
  const detail = leaving ? "closing" : ended || [kind, where].filter(Boolean).join(" · ");
  return {
    row: {
      ...blank,
      id: `block:${block.id}`,
      kind: "block",
      depth,
      label: blockName(block, status), // what it runs stands below it
      command: blockCommand(block),
      detail,
      state: leaving ? "stopping" : stateOf(status),
      cpu: figures?.cpu,
      memory: figures?.memory,
      // What has ended uses nothing, which needs no figures.
      measured: (figures?.processes.length ?? 0) > 0,
      ports: ports(figures?.processes?.filter((p) => p.depth === 0)),
      workspace: block.workspace,
      block: block.id,
      closing: closing?.state === "undoable" ? closing.id : "",
    },
    children: processNodes(figures?.processes ?? [], block, depth),
  };
}

const ports = (processes: readonly Process[] | undefined) => processes?.flatMap((p) => p.ports) ?? [];

/** Processes below the block's own, nested by their depth. */
function processNodes(processes: readonly Process[], block: Block, depth: number): Node[] {
  const top: Node[] = [];
  const path: Node[] = [];
  for (const p of processes) {
    if (p.depth < 1) continue;
    const level = Math.min(p.depth, path.length + 1);
    path.length = level - 1;
    const node: Node = {
      row: {
        ...blank,
        id: `proc:${p.id}`,
        kind: "process",
        depth: depth + level,
        label: p.name,
        detail: `pid ${p.pid}`,
        command: p.command,
        state: p.foreground ? "running" : undefined,
        cpu: p.cpu,
        memory: p.memory,
        measured: true,
        ports: p.ports,
        workspace: block.workspace,
        block: block.id,
        process: p,
      },
      children: [],
    };
    (path.at(-1)?.children ?? top).push(node);
    path.push(node);
  }
  return top;
}

function filtered(node: Node, wanted: string): Node | undefined {
  if (`${node.row.label} ${node.row.detail}`.toLowerCase().includes(wanted)) return node;
  const children = node.children.map((c) => filtered(c, wanted)).filter((c) => c !== undefined);
  return children.length > 0 ? { ...node, children } : undefined;
}

function markHot(nodes: Node[]): void {
  const blocks = nodes.flatMap((h) => h.children).flatMap((w) => w.children);
  const top = blocks
    .filter((b) => (b.row.cpu ?? 0) >= busy)
    .sort((a, b) => (b.row.cpu ?? 0) - (a.row.cpu ?? 0))
    .slice(0, 2);
  for (const node of top) node.row.hot = true;
}

function rollUp(children: Node[]): { state: StateName; count: number }[] {
  const counts = new Map<StateName, number>();
  const walk = (nodes: Node[]) => {
    for (const n of nodes) {
      if (n.row.state) counts.set(n.row.state, (counts.get(n.row.state) ?? 0) + 1);
      walk(n.children);
    }
  };
  walk(children);
  return [...counts]
    .sort((a, b) => compareUrgency(a[0], b[0]))
    .slice(0, 2)
    .map(([state, count]) => ({ state, count }));
}

/** What a key does in the tree, as WAI-ARIA asks of a tree. */
export type TreeMove =
  | { do: "focus"; id: string }
  | { do: "fold" | "unfold" | "open"; id: string }
  | undefined;

export function treeKey(rows: readonly TreeRow[], focused: string, key: string): TreeMove {
  const at = rows.findIndex((r) => r.id === focused);
  const row = rows[at];
  const first = rows[0];
  const last = rows.at(-1);
  if (!first || !last) return undefined;
  if (!row) return { do: "focus", id: first.id };
  const focus = (r: TreeRow | undefined): TreeMove => r && { do: "focus", id: r.id };
  switch (key) {
    case "ArrowDown":
      return focus(rows[at + 1]);
    case "ArrowUp":
      return focus(rows[at - 1]);
    case "Home":
      return focus(first);
    case "End":
      return focus(last);
    case "PageDown":
      return focus(rows[Math.min(rows.length - 1, at + 10)]);
    case "PageUp":
      return focus(rows[Math.max(0, at - 10)]);
    case "ArrowRight":
      if (row.expanded === false) return { do: "unfold", id: row.id };
      return row.expanded ? focus(rows[at + 1]) : undefined;
    case "ArrowLeft":
      if (row.expanded) return { do: "fold", id: row.id };
      return focus(rows.slice(0, at).findLast((r) => r.depth < row.depth));
    case "Enter":
    case " ":
      return { do: "open", id: row.id };
    default:
      return undefined;
  }
}

/** The next row, after the focused one and round again, whose label starts with what was typed. */
export function typeAhead(rows: readonly TreeRow[], focused: string, typed: string): string | undefined {
  const at = rows.findIndex((r) => r.id === focused);
  const low = typed.toLowerCase();
  // One letter goes on from the row it found before; more letters narrow it.
  const from = typed.length > 1 ? at : at + 1;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[(from + i + rows.length) % rows.length];
    if (row?.label.toLowerCase().startsWith(low)) return row.id;
  }
  return undefined;
}

/** Every row that can be folded below hosts, for "collapse all". */
export function foldableIds(known: Source): string[] {
  return treeRows(known, new Set())
    .filter((r) => r.expanded !== undefined && r.kind !== "host")
    .map((r) => r.id);
}

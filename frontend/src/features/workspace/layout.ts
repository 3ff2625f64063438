import type { SerializedDockview } from "dockview-react";
import type { Floating, Layout, LayoutNode, Pane, Split } from "../../bridge/types";

// The layout of the model and the serialized form of dockview, both ways. Pure.

export const emptyLayout: Layout = { root: null, floating: [], focus: "", zoomed: "" };

type Grid = SerializedDockview["grid"];
type GridNode = Grid["root"];
type Group = Extract<GridNode["data"], { views: string[] }>;
type Float = NonNullable<SerializedDockview["floatingGroups"]>[number];
type PanelState = SerializedDockview["panels"][string];

export interface Area {
  width: number;
  height: number;
}

/** Names of panes on both sides. dockview makes names of its own for new groups; they are not unique over workspaces. */
export interface PaneNames {
  paneOf(group: string): string;
  groupOf(pane: string): string;
}

/** Remembers which group is which pane; a group that dockview made gets a name from newId. */
export function paneNames(newId: () => string): PaneNames {
  const paneByGroup = new Map<string, string>();
  const groupByPane = new Map<string, string>();
  const link = (group: string, pane: string) => {
    paneByGroup.set(group, pane);
    groupByPane.set(pane, group);
    return pane;
  };
  return {
    paneOf: (group) => paneByGroup.get(group) ?? link(group, newId()),
    groupOf(pane) {
      const group = groupByPane.get(pane);
      if (group !== undefined) return group;
      link(pane, pane);
      return pane;
    },
  };
}

/** The pane that holds a block, docked or floating. */
export function paneWith(layout: Layout, block: string): Pane | undefined {
  return panesOf(layout).find((p) => p.blocks.includes(block));
}

/** All panes, docked ones first, in reading order. */
export function panesOf(layout: Layout): Pane[] {
  const out: Pane[] = [];
  const walk = (node: LayoutNode) => {
    if (node.pane) out.push(node.pane);
    for (const child of node.children ?? []) walk(child);
  };
  if (layout.root) walk(layout.root);
  for (const f of layout.floating ?? []) out.push(f.pane);
  return out;
}

/**
 * The one form of a layout: no empty panes, no split with one child or inside a
 * split of its own direction, weights of siblings that add up to 1, names that
 * point at panes that exist.
 */
export function canonical(layout: Layout): Layout {
  const root = layout.root ? canonicalNode(layout.root) : null;
  const floating = (layout.floating ?? [])
    .filter((f) => f.pane.blocks.length > 0)
    .map((f) => ({ ...f, pane: canonicalPane(f.pane) }));
  const out: Layout = { root: root && { ...root, weight: 1 }, floating, focus: "", zoomed: "" };
  const ids = new Set(panesOf(out).map((p) => p.id));
  const docked = new Set(panesOf({ ...out, floating: [] }).map((p) => p.id));
  if (ids.has(layout.focus)) out.focus = layout.focus;
  // Only what is docked can fill the workspace.
  if (docked.has(layout.zoomed)) out.zoomed = layout.zoomed;
  return out;
}

function canonicalPane(pane: Pane): Pane {
  const active = pane.blocks.includes(pane.active) ? pane.active : (pane.blocks[0] ?? "");
  return { id: pane.id, blocks: [...pane.blocks], active };
}

function canonicalNode(node: LayoutNode): LayoutNode | null {
  if (node.pane) {
    if (node.pane.blocks.length === 0) return null;
    return { split: "", weight: positive(node.weight), children: [], pane: canonicalPane(node.pane) };
  }
  const children: LayoutNode[] = [];
  for (const raw of node.children ?? []) {
    const child = canonicalNode(raw);
    if (!child) continue;
    if (child.split === node.split) {
      // Its children already share 1 among them, so they divide its own share.
      for (const inner of child.children) children.push({ ...inner, weight: inner.weight * child.weight });
    } else children.push(child);
  }
  const only = children[0];
  if (!only) return null;
  if (children.length === 1) return { ...only, weight: positive(node.weight) };
  const sum = children.reduce((n, c) => n + c.weight, 0);
  return {
    split: node.split === "column" ? "column" : "row",
    weight: positive(node.weight),
    children: children.map((c) => ({ ...c, weight: c.weight / sum })),
    pane: null,
  };
}

const positive = (n: number) => (Number.isFinite(n) && n > 0 ? n : 1);

/** What differs less than this part of the whole is the rounding of pixels. */
const near = 0.004;

/** Whether two layouts in canonical form look the same. Without weights: whether they hang together the same. */
export function sameLayout(a: Layout, b: Layout, weights = true): boolean {
  const close = (x: number, y: number) => !weights || Math.abs(x - y) < near;
  const samePane = (x: Pane, y: Pane) =>
    x.id === y.id && x.active === y.active && x.blocks.join("\n") === y.blocks.join("\n");
  const sameNode = (x: LayoutNode | null, y: LayoutNode | null): boolean => {
    if (!x || !y) return x === y;
    if (x.split !== y.split || !close(x.weight, y.weight)) return false;
    if (x.pane || y.pane) return Boolean(x.pane && y.pane && samePane(x.pane, y.pane));
    return (
      x.children.length === y.children.length &&
      x.children.every((c, i) => sameNode(c, y.children[i] ?? null))
    );
  };
  const sameFloat = (x: Floating, y: Floating | undefined) =>
    y !== undefined &&
    samePane(x.pane, y.pane) &&
    close(x.x, y.x) &&
    close(x.y, y.y) &&
    close(x.width, y.width) &&
    close(x.height, y.height);
  return (
    a.focus === b.focus &&
    a.zoomed === b.zoomed &&
    sameNode(a.root, b.root) &&
    a.floating.length === b.floating.length &&
    a.floating.every((f, i) => sameFloat(f, b.floating[i]))
  );
}

/** The serialized form of a layout for an area in pixels. */
export function toDock(
  raw: Layout,
  area: Area,
  panel: (block: string) => PanelState,
  names: PaneNames,
): SerializedDockview {
  const layout = canonical(raw);
  const panels: Record<string, PanelState> = {};
  const group = (pane: Pane): Group => {
    for (const block of pane.blocks) panels[block] = panel(block);
    return { id: names.groupOf(pane.id), views: [...pane.blocks], activeView: pane.active };
  };
  const root = layout.root;
  const vertical = root?.split === "column";
  let zoomed: number[] | undefined;
  // along: the length in the direction of this node's parent; across: the other one.
  const build = (node: LayoutNode, along: number, across: number, at: number[]): GridNode => {
    if (node.pane) {
      if (node.pane.id === layout.zoomed) zoomed = at;
      return { type: "leaf", data: group(node.pane), size: along };
    }
    const data = node.children.map((child, i) => build(child, child.weight * across, along, [...at, i]));
    return { type: "branch", data, size: along };
  };
  const across = vertical ? area.height : area.width;
  const along = vertical ? area.width : area.height;
  let rootNode: GridNode = { type: "branch", data: [], size: along };
  if (root?.pane) {
    rootNode = { type: "branch", data: [build(root, across, along, [0])], size: along };
  } else if (root) rootNode = build(root, along, across, []);
  const floating: Float[] = layout.floating.map((f) => ({
    data: group(f.pane),
    position: {
      left: Math.round(f.x * area.width),
      top: Math.round(f.y * area.height),
      width: Math.round(f.width * area.width),
      height: Math.round(f.height * area.height),
    },
  }));
  const grid = {
    root: rootNode,
    width: area.width,
    height: area.height,
    orientation: (vertical ? "VERTICAL" : "HORIZONTAL") as Grid["orientation"],
    ...(zoomed ? { maximizedNode: { location: zoomed } } : {}),
  };
  return {
    grid,
    panels,
    ...(layout.focus ? { activeGroup: names.groupOf(layout.focus) } : {}),
    ...(floating.length > 0 ? { floatingGroups: floating } : {}),
  };
}

/** The layout that dockview shows, in canonical form. */
export function fromDock(dock: SerializedDockview, area: Area, names: PaneNames): Layout {
  const zoomedAt = (dock.grid as { maximizedNode?: { location: number[] } }).maximizedNode?.location;
  let zoomed = "";
  const pane = (group: Group): Pane => ({
    id: names.paneOf(group.id),
    blocks: [...group.views],
    active: group.activeView ?? group.views[0] ?? "",
  });
  const read = (node: GridNode, split: Split, at: number[]): LayoutNode => {
    const weight = positive(node.size ?? 1);
    if (!Array.isArray(node.data)) {
      const leaf = pane(node.data);
      if (zoomedAt && at.join() === zoomedAt.join()) zoomed = leaf.id;
      return { split: "", weight, children: [], pane: leaf };
    }
    const inner: Split = split === "row" ? "column" : "row";
    return { split, weight, children: node.data.map((c, i) => read(c, inner, [...at, i])), pane: null };
  };
  const splitOf = (orientation: string): Split => (orientation === "VERTICAL" ? "column" : "row");
  const root = read(dock.grid.root, splitOf(dock.grid.orientation), []);
  const floating = (dock.floatingGroups ?? []).flatMap((f): Floating[] => {
    const box = boxOf(f.position, area);
    if (f.data) return [{ pane: pane(f.data), ...box }];
    if (!f.grid) return [];
    // A floating window with several panes becomes one floating pane for each.
    return leaves(canonicalNode(read(f.grid.root, splitOf(f.grid.orientation), [-1])), box);
  });
  const focus = dock.activeGroup === undefined ? "" : names.paneOf(dock.activeGroup);
  return canonical({ root, floating, focus, zoomed });
}

type Box = Omit<Floating, "pane">;

function boxOf(position: Float["position"], area: Area): Box {
  const { width, height } = position;
  const left = "left" in position ? position.left : area.width - position.right - width;
  const top = "top" in position ? position.top : area.height - position.bottom - height;
  const part = (n: number, whole: number) => Math.min(1, Math.max(0, whole > 0 ? n / whole : 0));
  return {
    x: part(left, area.width),
    y: part(top, area.height),
    width: part(width, area.width),
    height: part(height, area.height),
  };
}

function leaves(node: LayoutNode | null, box: Box): Floating[] {
  if (!node) return [];
  if (node.pane) return [{ pane: node.pane, ...box }];
  let done = 0;
  return node.children.flatMap((child) => {
    const part: Box =
      node.split === "column"
        ? { ...box, y: box.y + done * box.height, height: child.weight * box.height }
        : { ...box, x: box.x + done * box.width, width: child.weight * box.width };
    done += child.weight;
    return leaves(child, part);
  });
}

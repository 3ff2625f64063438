import type { Exit, Layout, LayoutNode, Model, Pane, Place, Status } from "../../src/bridge/types";

// What the fake needs of the backend's own workspace model: just enough to place,
// move and remove blocks.

export function status(block: string, part: Partial<Status> = {}): Status {
  const now = new Date().toISOString();
  return {
    block,
    kind: "shell",
    instance: 1,
    version: 1,
    state: "running",
    reason: "",
    message: "",
    pid: 4000,
    process: "zsh",
    since: now,
    started: now,
    ended: "0001-01-01T00:00:00Z",
    exit: exitOf(0, { known: false }),
    identity: { uid: "", stable: "", name: "" },
    can: { input: true, resize: true, signal: true, interrupt: false },
    activity: "",
    closing: false,
    ...part,
  };
}

/** An end that somebody saw. */
export const exitOf = (code: number, part: Partial<Exit> = {}): Exit => ({
  known: true,
  code,
  signal: "",
  error: "",
  note: "",
  hungUp: [],
  leftRunning: [],
  ...part,
});

export const leaf = (pane: Pane, weight = 1): LayoutNode => ({ split: "", weight, children: [], pane });

export const pane = (id: string, blocks: string[], active = blocks[0] ?? ""): Pane => ({
  id,
  blocks,
  active,
});

export const split = (dir: "row" | "column", children: LayoutNode[], weight = 1): LayoutNode => ({
  split: dir,
  weight,
  children,
  pane: null,
});

function mapPanes(
  node: LayoutNode,
  fn: (pane: Pane) => LayoutNode | null,
  weight = node.weight,
): LayoutNode | null {
  if (node.pane) {
    const next = fn(node.pane);
    return next && { ...next, weight };
  }
  const children = node.children.map((c) => mapPanes(c, fn)).filter((c) => c !== null);
  const only = children[0];
  if (!only) return null;
  return children.length === 1 ? { ...only, weight } : { ...node, children };
}

export function withoutBlocks(layout: Layout, gone: ReadonlySet<string>): Layout {
  const strip = (p: Pane): Pane | null => {
    const blocks = p.blocks.filter((b) => !gone.has(b));
    if (blocks.length === 0) return null;
    return { ...p, blocks, active: blocks.includes(p.active) ? p.active : (blocks.at(-1) ?? "") };
  };
  const root =
    layout.root &&
    mapPanes(layout.root, (p) => {
      const next = strip(p);
      return next && leaf(next);
    });
  const floating = layout.floating.flatMap((f) => {
    const next = strip(f.pane);
    return next ? [{ ...f, pane: next }] : [];
  });
  return { ...layout, root, floating };
}

export function withBlock(layout: Layout, block: string, place: Place, newPane: string): Layout {
  const fresh = pane(newPane, [block]);
  if (!layout.root) return { ...layout, root: leaf(fresh), focus: newPane };
  const target = place.pane || layout.focus || firstPane(layout.root).id;
  let focus = newPane;
  const root = mapPanes(layout.root, (p) => {
    if (p.id !== target) return leaf(p);
    if (place.side === "center") {
      focus = p.id;
      const blocks = [...p.blocks];
      blocks.splice(place.index < 0 ? blocks.length : place.index, 0, block);
      return leaf({ ...p, blocks, active: block });
    }
    const dir = place.side === "left" || place.side === "right" ? "row" : "column";
    const before = place.side === "left" || place.side === "above";
    return split(dir, before ? [leaf(fresh), leaf(p)] : [leaf(p), leaf(fresh)]);
  });
  return { ...layout, root, focus };
}

function firstPane(node: LayoutNode): Pane {
  if (node.pane) return node.pane;
  const child = node.children[0];
  if (!child) throw new Error("a split without children");
  return firstPane(child);
}

export function emptyModel(): Model {
  return { version: 1, active: "", workspaces: [], blocks: {} };
}

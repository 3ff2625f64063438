import { createDockview } from "dockview-react";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Layout, LayoutNode, Pane } from "../../bridge/types";
import { canonical, emptyLayout, fromDock, paneNames, panesOf, sameLayout, toDock } from "./layout";

const area = { width: 1200, height: 800 };
const panel = (id: string) => ({ id, contentComponent: "block", title: id });

/** Layouts of every form, those that no sane backend would send included; names are unique. */
function layouts(): fc.Arbitrary<Layout> {
  const leaf = fc.record({
    tabs: fc.integer({ min: 0, max: 3 }),
    active: fc.nat(3),
    weight: fc.integer({ min: 1, max: 9 }),
  });
  const { node } = fc.letrec<{ node: Draft }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      leaf,
      fc.record({
        split: fc.constantFrom<"row" | "column">("row", "column"),
        weight: fc.integer({ min: 1, max: 9 }),
        children: fc.array(tie("node"), { maxLength: 3 }),
      }),
    ),
  }));
  return fc
    .record({
      root: fc.option(node),
      floats: fc.array(leaf, { maxLength: 2 }),
      focus: fc.nat(6),
      zoomed: fc.nat(6),
    })
    .map((draft) => {
      let n = 0;
      const pane = (d: Leaf): Pane => {
        const id = `p${n++}`;
        const blocks = Array.from({ length: d.tabs }, (_, i) => `${id}-b${i}`);
        return { id, blocks, active: blocks[d.active] ?? "" };
      };
      const build = (d: Draft): LayoutNode =>
        "children" in d
          ? { split: d.split, weight: d.weight, children: d.children.map(build), pane: null }
          : { split: "", weight: d.weight, children: [], pane: pane(d) };
      return {
        root: draft.root ? build(draft.root) : null,
        floating: draft.floats.map((f, i) => ({
          pane: pane(f),
          x: 0.1 * (i + 1),
          y: 0.1,
          width: 0.5,
          height: 0.25,
        })),
        focus: `p${draft.focus}`,
        zoomed: `p${draft.zoomed}`,
      };
    });
}
interface Leaf {
  tabs: number;
  active: number;
  weight: number;
}
type Draft = Leaf | { split: "row" | "column"; weight: number; children: Draft[] };

const blocksOf = (layout: Layout) =>
  panesOf(layout)
    .flatMap((p) => p.blocks)
    .sort();

describe("layout", () => {
  it("comes back from the serialized form as it was", () => {
    fc.assert(
      fc.property(layouts(), (layout) => {
        const names = paneNames(() => "new");
        const back = fromDock(toDock(layout, area, panel, names), area, names);
        expect(sameLayout(back, canonical(layout))).toBe(true);
      }),
    );
  });

  it("has one canonical form and loses no block in it", () => {
    fc.assert(
      fc.property(layouts(), (layout) => {
        const once = canonical(layout);
        expect(sameLayout(canonical(once), once)).toBe(true);
        expect(blocksOf(once)).toEqual(blocksOf(layout));
      }),
    );
  });

  it("passes through a real dockview, and no panel is made anew", () => {
    const host = document.body.appendChild(document.createElement("div"));
    let made = 0;
    const api = createDockview(host, {
      createComponent: () => {
        made++;
        return { element: document.createElement("div"), init: () => {} };
      },
    });
    api.layout(area.width, area.height);
    const pane = (id: string): Pane => ({ id, blocks: [`${id}1`, `${id}2`], active: `${id}2` });
    const at = (id: string, weight: number): LayoutNode => ({
      split: "",
      weight,
      children: [],
      pane: pane(id),
    });
    const first: Layout = {
      root: {
        split: "row",
        weight: 1,
        pane: null,
        children: [
          at("a", 1),
          { split: "column", weight: 2, pane: null, children: [at("b", 1), at("c", 3)] },
        ],
      },
      floating: [],
      focus: "c",
      zoomed: "",
    };
    const names = paneNames(() => "new");
    api.fromJSON(toDock(first, area, panel, names), { reuseExistingPanels: true });
    expect(sameLayout(fromDock(api.toJSON(), area, names), canonical(first), false)).toBe(true);
    const second: Layout = {
      ...first,
      root: { split: "column", weight: 1, pane: null, children: [at("c", 1), at("a", 1), at("b", 2)] },
      focus: "a",
    };
    const before = made;
    api.fromJSON(toDock(second, area, panel, names), { reuseExistingPanels: true });
    expect(made).toBe(before);
    expect(sameLayout(fromDock(api.toJSON(), area, names), canonical(second), false)).toBe(true);
    api.dispose();
    host.remove();
  });

  it("gives a group that dockview made a name of its own, once", () => {
    let n = 0;
    const names = paneNames(() => `made-${n++}`);
    expect(names.groupOf("known")).toBe("known");
    const name = names.paneOf("1");
    expect(names.paneOf("1")).toBe(name);
    expect(names.groupOf(name)).toBe("1");
    expect(name).not.toBe("1");
  });

  it("reads an empty dock as an empty layout", () => {
    const names = paneNames(() => "new");
    expect(fromDock(toDock(emptyLayout, area, panel, names), area, names)).toEqual(emptyLayout);
  });
});

import { describe, expect, it } from "vitest";
import { scenes } from "../../../dev/scenes";
import { FakeBackend, status } from "../../../test/fake";
import type { Block, Closing } from "../../bridge/types";
import { foldableIds, keepSame, treeKey, treeRows, typeAhead } from "./model";

function busy() {
  const backend = new FakeBackend();
  scenes["busy"]?.(backend);
  const { model, statuses, activity, hello } = backend;
  return { model, statuses, activity, hello, leaving: {}, closings: {} };
}
const none: ReadonlySet<string> = new Set();
const ids = (rows: { id: string }[]) => rows.map((r) => r.id.replace("id-", ""));

describe("the rows of the tree", () => {
  it("go from hosts over workspaces and blocks to processes, in the order of the panes", () => {
    const rows = treeRows(busy(), none);
    expect(ids(rows)).toEqual([
      "host:local",
      "ws:lantern",
      "block:zsh",
      "proc:4200",
      "block:api",
      "block:lint",
      "block:soak",
      "block:dev",
      "proc:47990",
      "proc:48002",
      "block:tests",
      "proc:48213",
      "ws:website",
      "block:site",
      "block:hugo",
    ]);
    expect(rows.map((r) => r.depth)).toEqual([0, 1, 2, 3, 2, 2, 2, 2, 3, 4, 2, 3, 1, 2, 2]);
  });

  it("are the same objects while they show the same", () => {
    const source = busy();
    const first = treeRows(structuredClone(source), none);
    const row = source.activity.hosts[0]?.workspaces[0]?.blocks[0];
    if (row) row.memory += 1 << 20;
    const next = keepSame(first, treeRows(source, none));
    const changed = next.filter((r) => !first.includes(r));
    expect(ids(changed)).toEqual([`block:${row?.block.replace("id-", "")}`]);
    expect(changed[0]?.memory).toBe(row?.memory);
  });

  it("carry figures, ports, and places among their siblings", () => {
    const rows = treeRows(busy(), none);
    const row = (id: string) => rows.find((r) => r.id.startsWith(id));
    expect(row("proc:id-47990")?.ports).toEqual([5173]);
    expect(row("block:tests")).toMatchObject({ cpu: 19, hot: true, position: 6, siblings: 6 });
    expect(row("block:zsh")?.hot).toBe(false);
    expect(row("block:lint")?.measured).toBe(false);
    expect(row("block:lint")?.expanded).toBeUndefined();
    expect(row("block:hugo")?.state).toBe("failed");
  });

  it("say of a folded row its two most urgent states", () => {
    const rows = treeRows(busy(), new Set(["ws:lantern"]));
    expect(rows.some((r) => r.workspace === "lantern" && r.kind === "block")).toBe(false);
    expect(rows.find((r) => r.id === "ws:lantern")).toMatchObject({
      expanded: false,
      roll: [
        { state: "reconnecting", count: 1 },
        { state: "running", count: 5 },
      ],
    });
  });

  it("show what a filter finds with its ancestors, folded or not", () => {
    const rows = treeRows(busy(), new Set(["ws:lantern", "host:local"]), "esbuild");
    expect(ids(rows)).toEqual(["host:local", "ws:lantern", "block:dev", "proc:47990", "proc:48002"]);
    expect(treeRows(busy(), none, "no such thing")).toEqual([]);
  });

  it("keep what was closed in view while it can be brought back, with its workspace or without", () => {
    const known = busy();
    const { dev, hugo, ...blocks } = known.model.blocks;
    known.model = {
      ...known.model,
      blocks,
      workspaces: known.model.workspaces.filter((w) => w.id !== "website"),
    };
    const closing = (id: string, block: string): Closing => ({
      id,
      blocks: [block],
      workspace: "",
      undoUntil: "",
      state: "undoable",
      result: "",
    });
    const rows = treeRows(
      {
        ...known,
        leaving: { dev: dev as Block, hugo: hugo as Block },
        closings: { c1: closing("c1", "dev"), c2: closing("c2", "hugo") },
      },
      none,
    );
    const of = (block: string) => rows.find((r) => r.id === `block:${block}`);
    expect(of("dev")).toMatchObject({ depth: 2, detail: "closing", state: "stopping", closing: "c1" });
    expect(of("hugo")).toMatchObject({ depth: 1, detail: "closing", closing: "c2" });
  });

  it("keep a block in view that is closing, and one that no activity is known of", () => {
    const known = busy();
    known.statuses["dev"] = status("dev", { closing: true });
    known.activity = { ...known.activity, hosts: [] };
    const rows = treeRows(known, none);
    expect(rows.find((r) => r.block === "dev")).toMatchObject({ state: "stopping", detail: "closing" });
    expect(rows.filter((r) => r.kind === "block")).toHaveLength(8);
  });

  it("nest a process whose parent is missing below the nearest one there is", () => {
    const known = busy();
    const row = known.activity.hosts?.[0]?.workspaces?.[1]?.blocks?.[0];
    if (row) row.processes = row.processes?.map((p) => ({ ...p, depth: 4 })) ?? [];
    expect(treeRows(known, none).find((r) => r.id.startsWith("proc:id-5000"))?.depth).toBe(3);
  });
});

describe("the keys of the tree", () => {
  const rows = treeRows(busy(), none);
  const at = (start: string) => rows.find((r) => r.id.startsWith(start))?.id ?? "";

  it.each([
    ["block:zsh", "ArrowDown", { do: "focus", id: at("proc:id-4200") }],
    ["block:zsh", "ArrowUp", { do: "focus", id: "ws:lantern" }],
    ["block:zsh", "ArrowRight", { do: "focus", id: at("proc:id-4200") }],
    ["block:zsh", "ArrowLeft", { do: "fold", id: "block:zsh" }],
    ["block:api", "ArrowLeft", { do: "focus", id: "ws:lantern" }],
    ["block:api", "ArrowRight", undefined],
    ["proc:id-48002", "ArrowLeft", { do: "focus", id: at("proc:id-47990") }],
    ["block:api", "Home", { do: "focus", id: "host:local" }],
    ["block:api", "End", { do: "focus", id: "block:hugo" }],
    ["host:local", "ArrowUp", undefined],
    ["block:hugo", "ArrowDown", undefined],
    ["block:api", "Enter", { do: "open", id: "block:api" }],
    ["block:api", "x", undefined],
    ["gone", "ArrowDown", { do: "focus", id: "host:local" }],
  ])("%s and %s", (focused, key, move) => {
    expect(treeKey(rows, at(focused) || focused, key)).toEqual(move);
  });

  it("unfold a folded row first", () => {
    const folded = treeRows(busy(), new Set(["ws:lantern"]));
    expect(treeKey(folded, "ws:lantern", "ArrowRight")).toEqual({ do: "unfold", id: "ws:lantern" });
  });

  it("find by typing, and go round", () => {
    expect(typeAhead(rows, "host:local", "z")).toBe("block:zsh");
    expect(typeAhead(rows, "block:zsh", "z")).toBe("block:site");
    expect(typeAhead(rows, "block:site", "z")).toBe("block:zsh");
    expect(typeAhead(rows, "host:local", "go")).toBe("block:lint");
    expect(typeAhead(rows, "block:lint", "g")).toBe("block:tests");
    expect(typeAhead(rows, "host:local", "qq")).toBeUndefined();
  });

  it("can fold everything but hosts", () => {
    const all = new Set(foldableIds(busy()));
    expect(ids(treeRows(busy(), all))).toEqual(["host:local", "ws:lantern", "ws:website"]);
  });
});

import { describe, expect, it } from "vitest";
import { scenes } from "../../../dev/scenes";
import { FakeBackend } from "../../../test/fake";
import type { SearchHit } from "../../bridge/types";
import { blocksFor, type Found, markIn, nothing, rowText, step, summary } from "./model";

const hit = (line: number, before = "", match = "x", after = ""): SearchHit => ({
  line,
  before,
  match,
  after,
});
const found = (part: Partial<Found>): Found => ({ ...nothing, ...part });
const two = found({
  groups: [
    { block: "a", hits: [hit(9), hit(3)], error: "" },
    { block: "gone", hits: [], error: "cannot" },
    { block: "b", hits: [hit(9)], error: "" },
  ],
  total: 3,
});

describe("the terminals that are looked through", () => {
  const backend = new FakeBackend();
  scenes["busy"]?.(backend);
  const { model } = backend;

  it("begin with the one in question, have each once, and those of the active workspace before others", () => {
    const last = Object.keys(model.blocks).at(-1) ?? "";
    const all = blocksFor(model, last);
    expect(all[0]).toBe(last);
    expect(all.toSorted()).toEqual(Object.keys(model.blocks).toSorted());
    const others = all.slice(1).map((id) => model.blocks[id]?.workspace !== model.active);
    expect(others).toEqual(others.toSorted((a, b) => Number(a) - Number(b)));
  });

  it("hold none that is closed", () => {
    expect(blocksFor(model, "closed long ago")).not.toContain("closed long ago");
  });
});

describe("the rows", () => {
  it("are gone through over the borders of terminals, and not beyond the ends", () => {
    const start = step(two, undefined, 1);
    expect(start).toMatchObject({ block: "a", hit: { line: 9 } });
    const third = step(two, step(two, start, 1), 1);
    expect(third).toMatchObject({ block: "b", hit: { line: 9 } });
    expect(step(two, third, 1)).toEqual(third);
    expect(step(two, start, -1)).toEqual(start);
    expect(step(nothing, start, 1)).toBeUndefined();
  });

  it("keep the choice while more come before it, with the match as it is now", () => {
    const chosen = { block: "a", hit: hit(3, "", "old") };
    expect(step(two, chosen, 0)).toEqual({ block: "a", hit: hit(3) });
  });

  it("show the match, however far it stands in its line", () => {
    expect(rowText(hit(0, "  at ", "x", " y")).before).toBe("at ");
    const { before } = rowText(hit(0, "0123456789".repeat(5), "x"));
    expect(before).toHaveLength(36);
    expect(before).toMatch(/^….*789$/);
    // No character is cut in two.
    expect(rowText(hit(0, "😀".repeat(50))).before).toBe(`…${"😀".repeat(35)}`);
  });

  it("have their match marked in the whole line, of which they may hold a part", () => {
    expect(markIn("one x, two x", hit(0, ", two ", "x"))).toEqual([11, 12]);
    expect(markIn("another line", hit(0, "two ", "x"))).toBeUndefined();
  });
});

describe("what is said", () => {
  it.each([
    [found({ state: "looking" }), "Looking…"],
    [found({ ...two, state: "looking" }), "3 lines so far, looking…"],
    [found({ ...two, state: "done" }), "3 lines in 2 terminals, all looked through"],
    [found({ groups: two.groups.slice(0, 1), total: 1, state: "done" }), "1 line, all looked through"],
    [found({ state: "done" }), "All looked through"],
    [found({ ...two, state: "more" }), "The newest 3 lines; the rest is not looked through"],
    [nothing, ""],
  ])("%#", (state, text) => expect(summary(state)).toBe(text));
});

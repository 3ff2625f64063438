import { describe, expect, it } from "vitest";
import { beside, type Direction } from "./beside";

// Two rows over the whole width above a third of three panes:
//   aaaaaaaa
//   bbbbbbbb
//   ccccdde
const panes = Object.entries({
  a: [0, 0, 800, 100],
  b: [0, 104, 800, 200],
  c: [0, 204, 400, 300],
  d: [404, 204, 600, 300],
  e: [604, 204, 800, 300],
}).map(([name, [left = 0, top = 0, right = 0, bottom = 0]]) => ({ name, box: { left, top, right, bottom } }));

describe("the pane beside another", () => {
  it.each([
    ["e", "up", "b"],
    ["b", "up", "a"],
    ["a", "down", "b"],
    ["b", "down", "c"],
    ["c", "right", "d"],
    ["d", "right", "e"],
    ["e", "left", "d"],
    ["a", "up", undefined],
    ["e", "right", undefined],
    ["c", "left", undefined],
  ] as [string, Direction, string | undefined][])("from %s %s is %s", (name, direction, wanted) => {
    const from = panes.find((p) => p.name === name);
    if (!from) throw new Error(name);
    const others = panes.filter((p) => p !== from);
    expect(beside(from.box, others, direction)?.name).toBe(wanted);
  });
});

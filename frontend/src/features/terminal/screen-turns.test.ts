import { describe, expect, it } from "vitest";
import { ScreenTurns } from "./screen-turns";

function setUp(focused?: string) {
  const frames: ((time: number) => void)[] = [];
  const did: string[] = [];
  const turns = new ScreenTurns(
    { now: () => 0, requestFrame: (run) => frames.push(run), cancelFrame: () => frames.splice(0) },
    () => focused,
  );
  const ask = (pane: string, what = pane) => turns.ask(pane, () => void did.push(what));
  const frame = () => {
    did.splice(0);
    frames.shift()?.(0);
    return did.join(" ");
  };
  return { turns, ask, frame, frames };
}

describe("the turns of screens", () => {
  it("give the focused pane one in each frame, and the others one after the other", () => {
    const { ask, frame, frames } = setUp("b");
    for (const pane of ["a", "b", "c"]) ask(pane);
    expect(frame()).toBe("a b");
    ask("b");
    ask("a");
    expect(frame()).toBe("c b");
    expect(frame()).toBe("a");
    expect(frames).toEqual([]);
  });

  it("keep a pane's place when it asks again", () => {
    const { ask, frame } = setUp();
    ask("a", "old");
    ask("b");
    ask("a", "new");
    expect([frame(), frame(), frame()]).toEqual(["new", "b", ""]);
  });

  it("end with the page", () => {
    const { turns, ask, frame } = setUp();
    ask("a");
    turns.dispose();
    expect(frame()).toBe("");
  });
});

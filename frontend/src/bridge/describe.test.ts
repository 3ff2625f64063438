import { describe, expect, it } from "vitest";
import { exitOf, status } from "../../test/fake";
import { stateNames, stateWords } from "../lib/state";
import { endText, programOf, progressOf, stateOf, urgentState, waitingBlocks } from "./describe";
import type { AgentActivity, ControllerState } from "./types";

const states: ControllerState[] = [
  "idle",
  "starting",
  "running",
  "reconnecting",
  "stopping",
  "killing",
  "exited",
  "failed",
];
const doing: AgentActivity[] = ["", "idle", "thinking", "tool", "waiting-for-you", "stalled"];
const exit = (code: number, signal = "") => exitOf(code, { signal });

describe("the name of a block", () => {
  it.each([
    ["npm run dev", "npm"],
    ["PORT=1 exec /usr/bin/npm run dev", "npm"],
    ["sudo -n make; ls", "make"],
    ["(sleep 1; true) | cat", "sleep"],
    ["'/opt/my tool' x", "my"],
    ["exec", "exec"],
    ["for i in 1 2; do echo $i; done", ""],
  ])("of %j is its program", (line, name) => expect(programOf(line)).toBe(name));
});

describe("progress", () => {
  const said = (progress: number, percent = 0) => ({ block: "a", title: "", progress, percent });
  const running = status("a", { state: "running" });

  it.each([
    [said(0), undefined],
    [said(1, 43), { kind: "normal", percent: 43, words: "43 % done" }],
    [said(2, 43), { kind: "error", percent: 43, words: "failed at 43 %" }],
    [said(2), { kind: "error", percent: 100, words: "failed" }],
    [said(3, 43), { kind: "busy", percent: undefined, words: "busy" }],
    [said(4, 43), { kind: "paused", percent: 43, words: "paused at 43 %" }],
    [said(9), undefined],
  ])("of %j is %j", (state, progress) => expect(progressOf(running, state)).toEqual(progress));

  it("goes with the program's end", () => {
    expect(progressOf(status("a", { state: "exited" }), said(1, 43))).toBeUndefined();
    expect(progressOf(undefined, said(1, 43))).toBeUndefined();
    expect(progressOf(running, undefined)).toBeUndefined();
  });
});

describe("the state of a block", () => {
  it("has a glyph and a word for everything that a controller can say", () => {
    for (const state of states) {
      for (const activity of doing) {
        const name = stateOf(status("a", { state, activity }));
        expect(stateNames).toContain(name);
        expect(stateWords[name]).not.toBe("");
      }
    }
  });

  it("says not known, never exited, when nobody saw the end", () => {
    expect(stateOf(status("a", { state: "exited" }))).toBe("unknown");
    expect(endText(status("a", { state: "exited" }))).toContain("not seen");
  });

  it("tells an end by itself with an error from one that was asked for", () => {
    expect(stateOf(status("a", { state: "exited", reason: "self", exit: exit(1) }))).toBe("failed");
    expect(stateOf(status("a", { state: "exited", reason: "user", exit: exit(-1, "SIGTERM") }))).toBe(
      "exited",
    );
    expect(endText(status("a", { state: "exited", exit: exit(-1, "SIGTERM") }))).toContain("SIGTERM");
  });

  it("puts what waits for a person first", () => {
    const statuses = {
      a: status("a", { state: "failed" }),
      b: status("b", { activity: "waiting-for-you", since: "2026-01-01T00:00:02Z" }),
      c: status("c", { activity: "waiting-for-you", since: "2026-01-01T00:00:01Z" }),
      d: status("d", { activity: "waiting-for-you", closing: true }),
    };
    expect(urgentState(["a", "b"], statuses)).toBe("waiting");
    expect(urgentState([], statuses)).toBeUndefined();
    expect(waitingBlocks(statuses).map((s) => s.block)).toEqual(["c", "b"]);
  });
});

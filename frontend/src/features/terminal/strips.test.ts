import { describe, expect, it } from "vitest";
import { exitOf } from "../../../test/fake";
import type { Status } from "../../bridge/types";
import { type StripFacts, stripsOf } from "./strips";

const exit = exitOf(0);
const status: Status = {
  block: "b",
  kind: "shell",
  instance: 1,
  version: 1,
  state: "running",
  reason: "",
  message: "",
  pid: 7,
  process: "zsh",
  since: "2026-01-01T10:00:00Z",
  started: "2026-01-01T10:00:00Z",
  ended: "0001-01-01T00:00:00Z",
  exit,
  identity: { uid: "", stable: "", name: "" },
  can: { input: true, resize: true, signal: true, interrupt: false },
  activity: "",
  closing: false,
};
const facts: StripFacts = {
  status,
  link: { link: "connected", tries: 0 },
  failed: "",
  held: 0,
  stopped: false,
  refused: "",
  noted: 0,
};
const ended: Status = { ...status, state: "exited", reason: "self", ended: "2026-01-01T10:41:00Z" };

function said(change: Partial<StripFacts>): string[] {
  return stripsOf({ ...facts, ...change }).map(
    ({ state, title, rest = "", small = "", actions }) =>
      `${state}: ${title}${rest}${small && ` (${small})`} [${actions.map(({ label }) => label).join(", ")}]`,
  );
}

describe("strips", () => {
  it("says nothing of a terminal that runs, or is not known yet", () => {
    expect(said({})).toEqual([]);
    expect(said({ status: undefined })).toEqual([]);
  });

  it.each<[string, Status, string]>([
    ["an exit", ended, "exited: Exited with 0 after 41 m [Restart, Close]"],
    ["a code", { ...ended, exit: { ...exit, code: 2 } }, "failed: Exited with 2 after 41 m [Restart, Close]"],
    [
      "a signal and why",
      { ...ended, message: "The machine ran out of memory.", exit: { ...exit, code: -1, signal: "SIGKILL" } },
      "failed: Ended by SIGKILL after 41 m (The machine ran out of memory.) [Restart, Close]",
    ],
    [
      "what the end took along and what it left",
      {
        ...ended,
        exit: { ...exit, hungUp: ["sleep (4711)"], leftRunning: [{ pid: 5, started: "", name: "vite" }] },
      },
      "exited: Exited with 0 after 41 m (Hung up with it: sleep (4711). Still running: vite (5).) [Restart, Close]",
    ],
    [
      "an end that nobody saw",
      { ...ended, exit: { ...exit, known: false } },
      "unknown: Ended, nobody saw how (Drover was not there when it ended. Its output is kept.) [Restart, Close]",
    ],
    [
      "a start that failed",
      { ...status, state: "failed", pid: 0, message: "cannot start fish: not found" },
      "failed: It could not start (cannot start fish: not found) [Try again, Close]",
    ],
    ["a start", { ...status, state: "starting" }, "starting: Starting []"],
    [
      "an end with a note",
      { ...ended, exit: { ...exit, note: "It closed its terminal first." } },
      "exited: Exited with 0 after 41 m (It closed its terminal first.) [Restart, Close]",
    ],
    [
      "a start that has a story",
      { ...status, message: "This is a new shell in the last folder." },
      "running: Started anew (This is a new shell in the last folder.) [Dismiss]",
    ],
    ["a stop", { ...status, state: "stopping" }, "stopping: Stopping []"],
  ])("%s", (_, now, text) => {
    expect(said({ status: now })).toEqual([text]);
  });

  it("tells the story of a start until it was read", () => {
    const now = { ...status, instance: 2, message: "This is a new shell in the last folder." };
    expect(said({ status: now, noted: 1 })).toHaveLength(1);
    expect(said({ status: now, noted: 2 })).toEqual([]);
  });

  it("puts the lost link first and what is held above it", () => {
    expect(said({ status: ended, link: { link: "lost", tries: 3 }, held: 17 })).toEqual([
      "scheduled: Held, 17 bytes. Sent in order once attached. [Discard]",
      "reconnecting: Reconnecting (The connection to Drover broke.) [Try now]",
    ]);
  });

  it("tells stopped output, refused input and a closed channel", () => {
    expect(said({ stopped: true, refused: "it is closing", failed: "no such block" })).toEqual([
      "interrupted: Input was refused: it is closing [Dismiss]",
      "interrupted: Output stopped by Ctrl+S, Ctrl+Q goes on []",
      "failed: Not attached: no such block [Try again, Close]",
    ]);
  });
});

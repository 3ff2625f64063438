import { describe, expect, it } from "vitest";
import { rowOf, summary } from "./model";

const now = Date.parse("2026-03-01T12:00:00Z");
const command = {
  id: 7,
  text: "make test",
  dir: "/home/ada/lantern",
  block: "b",
  exit: 0,
  began: "2026-03-01T11:00:00Z",
  took: 300,
};

describe("a row of the history", () => {
  it("says what is worth a word", () => {
    expect(rowOf(command, "/home/ada", now)).toEqual({
      key: "7",
      text: "make test",
      more: 0,
      dir: "~/lantern",
      state: "done",
      exit: "",
      took: "",
      age: "60 m ago",
    });
    const failed = rowOf({ ...command, text: "for i in 1\ndo x\ndone", exit: 2, took: 65_000 }, "", now);
    expect(failed).toMatchObject({
      text: "for i in 1",
      more: 2,
      state: "failed",
      exit: "exit 2",
      took: "1:05",
    });
    expect(rowOf({ ...command, exit: -1, began: "0001-01-01T00:00:00Z" }, "", now)).toMatchObject({
      state: "unknown",
      age: "",
    });
  });

  it("tells that there are more than are shown", () => {
    expect(summary(3, 3)).toBe("");
    expect(summary(300, 3214)).toBe("The newest 300 of 3,214. Type more to find others.");
  });
});

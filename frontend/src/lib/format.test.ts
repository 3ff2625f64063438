import { describe, expect, it } from "vitest";
import {
  ageText,
  bytesText,
  cpuText,
  errorText,
  memoryOf,
  middleCut,
  moment,
  sizeText,
  tildePath,
} from "./format";
import { match, pieces } from "./fuzzy";

describe("format", () => {
  it.each([
    [undefined, "–"],
    [0, "0"],
    [11 * 1024 ** 2, "11 M"],
    [640 * 1024, "640 K"],
    [4.2 * 1024 ** 3, "4.2 G"],
    [12 * 1024 ** 3, "12 G"],
  ])("%s bytes are %s", (n, text) => expect(bytesText(n)).toBe(text));

  it.each([
    [1, "1 byte"],
    [9999, "9,999 bytes"],
    [87 * 1024, "87 KB"],
    [1_234_567, "1.2 MB"],
    [150 * 1024 ** 2, "150 MB"],
  ])("%s bytes in a sentence are %s", (n, text) => expect(sizeText(n)).toBe(text));

  it.each([
    [0, "0 s"],
    [59_999, "59 s"],
    [72_000, "1:12"],
    [2_460_000, "41 m"],
    [3 * 3_600_000, "3 h"],
    [3 * 86_400_000, "3 d"],
    [-5, "0 s"],
  ])("%s ms are %s", (ms, text) => expect(ageText(ms)).toBe(text));

  it("says what is not known", () => {
    expect(cpuText(undefined)).toBe("–");
    expect(cpuText(-1)).toBe("–");
    expect(bytesText(-1)).toBe("–");
    expect(moment("0001-01-01T00:00:00Z")).toBeUndefined();
    expect(moment("nonsense")).toBeUndefined();
    expect(moment("2026-01-01T00:00:00Z")).toBe(Date.UTC(2026, 0, 1));
  });

  it("writes the home folder as ~, and only that one", () => {
    expect(tildePath("/home/ada/x", "/home/ada")).toBe("~/x");
    expect(tildePath("/home/ada", "/home/ada")).toBe("~");
    expect(tildePath("/home/adam/x", "/home/ada")).toBe("/home/adam/x");
    expect(tildePath("/srv", "")).toBe("/srv");
  });

  it("cuts in the middle to the length asked for", () => {
    expect(middleCut("short", 10)).toBe("short");
    const cut = middleCut("~/a/very/long/path/to/the/dialer", 16);
    expect(cut).toHaveLength(16);
    expect(cut.endsWith("dialer")).toBe(true);
  });

  it("reads errors of every make", () => {
    expect(errorText("plain")).toBe("plain");
    expect(errorText(new Error("of ours"))).toBe("of ours");
    expect(memoryOf(0, 24 * 1024 ** 3)).toBe("0 of 24 GB");
    expect(memoryOf(4.2 * 1024 ** 3, 16 * 1024 ** 3)).toBe("4.2 of 16 GB");
  });
});

describe("fuzzy", () => {
  it("wants every word, prefers starts, and marks what it found", () => {
    expect(match("Open a terminal", "term open")?.ranges).toEqual([
      [0, 4],
      [7, 11],
    ]);
    expect(match("Open a terminal", "close")).toBeUndefined();
    const start = match("Restart", "res")?.score ?? 0;
    expect(start).toBeGreaterThan(match("presets", "res")?.score ?? 0);
    expect(pieces("presets", [[1, 4]])).toEqual([
      { text: "p", hit: false },
      { text: "res", hit: true },
      { text: "ets", hit: false },
    ]);
  });
});

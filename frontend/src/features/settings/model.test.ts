import { describe, expect, it } from "vitest";
import { defaults } from "../../../test/fake";
import { readNumber, rowsFor, settingRows, valueAt } from "./model";

/** Paths of all values of the settings but the keys, which have a page of their own. */
function leavesOf(value: object, base = ""): string[] {
  return Object.entries(value).flatMap(([name, v]) => {
    const path = base ? `${base}.${name}` : name;
    if (path === "keys") return [];
    return typeof v === "object" && v !== null ? leavesOf(v, path) : [path];
  });
}

describe("settings", () => {
  it("have a row for every value, and no row without one", () => {
    expect(settingRows.map((r) => r.path).sort()).toEqual(leavesOf(defaults).sort());
  });

  it("offer the default among the choices, and allow it as a number", () => {
    for (const row of settingRows) {
      const value = valueAt(defaults, row.path);
      if (row.control.kind === "choice") expect(row.control.options.map((o) => o.value)).toContain(value);
      if (row.control.kind === "number") expect(readNumber(String(value), row.control)).toEqual({ value });
    }
  });

  it("are found by title, help and path, over all sections", () => {
    expect(rowsFor("look", "cursor").map((r) => r.path)).toEqual([
      "terminal.cursorStyle",
      "terminal.cursorBlink",
    ]);
    expect(rowsFor("terminal", "log.total")).toHaveLength(1);
    expect(rowsFor("keys", "")).toEqual([]);
  });

  it("refuse what is no number or out of bounds, with the bounds", () => {
    const control = { kind: "number", min: 6, max: 40, step: 1 } as const;
    expect(readNumber("12,5", control)).toEqual({ value: 12.5 });
    expect(readNumber("", control)).toHaveProperty("error");
    expect(readNumber("large", control)).toHaveProperty("error");
    expect(readNumber("99", control)).toEqual({ error: "This must be from 6 to 40." });
  });
});

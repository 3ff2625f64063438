import { Terminal } from "@xterm/xterm";
import { describe, expect, it } from "vitest";
import { FindModel, type FindState } from "./find-model";
import { fileNameFor, textOf } from "./screen-text";
import { countText, findColors, mix } from "./search-model";

function setUp() {
  const asked: string[] = [];
  let state: FindState | undefined;
  const model = new FindModel(
    {
      find: (text, how, direction) => {
        if (how.regex) new RegExp(text);
        asked.push(`${direction}${how.incremental ? "+" : ""} ${text}`);
      },
      endFind: () => asked.push("end"),
    },
    (next) => {
      state = next;
    },
  );
  return { model, asked, state: () => state };
}

describe("search", () => {
  it("stays on its match while the text grows, and goes on when asked", () => {
    const { model, asked } = setUp();
    model.open("");
    model.change({ text: "a" });
    model.change({ text: "ab" });
    model.go("next");
    model.go("previous");
    expect(asked).toEqual(["end", "previous+ a", "previous+ ab", "next ab", "previous ab"]);
  });

  it("opens with a selection of one line, else with what was searched last", () => {
    const { model, state } = setUp();
    model.open("one");
    expect(state()?.text).toBe("one");
    model.close();
    expect(state()).toBeUndefined();
    model.open("two\nlines");
    expect(state()?.text).toBe("one");
  });

  it("says that a pattern is broken and forgets the count", () => {
    const { model, state } = setUp();
    model.open("a(");
    model.found(0, 4);
    expect(state()).toMatchObject({ index: 0, count: 4 });
    model.change({ regex: true });
    expect(state()).toMatchObject({ error: "not a pattern", count: 0 });
    model.change({ text: "a()" });
    expect(state()?.error).toBe("");
  });

  it("takes no count while closed", () => {
    const { model, state } = setUp();
    model.found(0, 4);
    expect(state()).toBeUndefined();
  });

  it.each([
    ["", 0, 0, ""],
    ["x", -1, 0, "none"],
    ["x", 2, 17, "3 of 17"],
    ["x", -1, 17, "17 found"],
  ])("counts %j at %i of %i", (text, index, count, shown) => {
    expect(countText(text, index, count)).toBe(shown);
  });

  it("marks matches in plain hex, also without a theme", () => {
    expect(mix("#000000", "#ffffff", 0.5)).toBe("#808080");
    for (const colors of [findColors({}), findColors({ background: "#161514", cursor: "#7babf1" })]) {
      for (const color of Object.values(colors)) expect(color).toMatch(/^#[0-9a-f]{6}$/);
    }
  });
});

describe("text", () => {
  it("joins wrapped lines and leaves out the empty end", async () => {
    const terminal = new Terminal({ cols: 5, rows: 4, scrollback: 10, allowProposedApi: true });
    await new Promise<void>((done) => terminal.write("one  two\r\n\r\n  x\r\nlast\r\n\r\n", done));
    expect(textOf(terminal.buffer.active)).toBe("one  two\n\n  x\nlast\n");
  });

  it("is empty for an empty screen", () => {
    expect(textOf(new Terminal({ allowProposedApi: true }).buffer.active)).toBe("");
  });

  it("names a file without what a path could mean", () => {
    const at = new Date("2026-03-01T14:05:09Z");
    expect(fileNameFor("../etc/pass wd", at)).toBe("etc-pass-wd-2026-03-01-14-05-09");
    expect(fileNameFor("", at)).toBe("terminal-2026-03-01-14-05-09");
  });
});

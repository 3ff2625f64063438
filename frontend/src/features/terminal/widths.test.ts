import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Terminal } from "@xterm/headless";
import { afterEach, describe, expect, it } from "vitest";
import { activateWidths, ClusterWidths } from "./widths";

const backend = join(import.meta.dirname, "../../../../backend/width");
const read = (name: string) => readFileSync(join(backend, name), "utf8");

interface Case {
  readonly text: string;
  readonly cells: number;
  readonly name: string;
}

/** The cases that Go's tests read too. */
const cases = read("testdata/cases.txt")
  .split("\n")
  .map((line) => line.split(" ; "))
  .filter((fields) => fields.length === 3)
  .map(([points = "", cells, name = ""]): Case => {
    const text = points.split(" ").map((hex) => String.fromCodePoint(Number.parseInt(hex, 16)));
    return { text: text.join(""), cells: Number(cells), name };
  });

const open: Terminal[] = [];
afterEach(() => {
  for (const terminal of open.splice(0)) terminal.dispose();
});

function terminal(cols = 80): Terminal {
  const made = new Terminal({ cols, rows: 4, allowProposedApi: true });
  open.push(made);
  activateWidths(made);
  return made;
}

const write = (to: Terminal, text: string) => new Promise<void>((done) => to.write(text, done));

describe("the emulator's cursor", () => {
  it("reads the cases", () => expect(cases.length).toBeGreaterThan(50));

  // A lone half of a pair is no text that could be written.
  it.each(cases.filter(({ text }) => !/\p{Surrogate}/u.test(text)))(
    "$name: $cells",
    async ({ text, cells }) => {
      const t = terminal();
      await write(t, `>${text}`);
      expect(t.buffer.active.cursorX).toBe(1 + cells);
    },
  );

  it("is where the family, the skin tone, the heart and the keycap end", async () => {
    for (const text of ["👨\u200d👩\u200d👧", "👍🏽", "❤\ufe0f", "1\ufe0f\u20e3"]) {
      const t = terminal();
      await write(t, `${text}!`);
      const line = t.buffer.active.getLine(0);
      expect(line?.getCell(0)?.getChars()).toBe(text);
      expect(line?.getCell(0)?.getWidth()).toBe(2);
      expect(line?.getCell(2)?.getChars()).toBe("!");
    }
  });

  it("does not care where the text is cut", async () => {
    const t = terminal();
    for (const piece of ["👨", "\u200d", "👩", "\u200d", "👧", "🇩", "🇪"]) await write(t, piece);
    expect(t.buffer.active.cursorX).toBe(4);
  });

  it("leaves a mark after a change of colour with its letter", async () => {
    const t = terminal();
    await write(t, "e\x1b[1m\u0301x中\x1b[m\u0301");
    const line = t.buffer.active.getLine(0);
    expect([0, 1, 2].map((x) => line?.getCell(x)?.getChars())).toEqual(["e\u0301", "x", "中\u0301"]);
    expect(line?.getCell(2)?.getWidth()).toBe(2);
    expect(t.buffer.active.cursorX).toBe(4);
  });

  it("takes what widens at the right margin to the next line", async () => {
    const t = terminal(4);
    await write(t, "abc❤\ufe0f");
    const { active } = t.buffer;
    expect(active.getLine(0)?.translateToString(true)).toBe("abc");
    expect(active.getLine(1)?.getCell(0)?.getChars()).toBe("❤\ufe0f");
    expect([active.cursorX, active.cursorY]).toEqual([2, 1]);
  });

  it("counts as before until it is told", async () => {
    const t = new Terminal({ allowProposedApi: true });
    open.push(t);
    await write(t, "👨\u200d👩\u200d👧");
    expect(t.buffer.active.cursorX).not.toBe(2);
  });
});

describe("the table", () => {
  const go = read("table.go");
  const bytes = (name: string) => {
    const text = go.slice(go.indexOf(`const ${name} = `)).split("\n\n")[0] ?? "";
    return Array.from(text.matchAll(/\\x(..)/g), ([, hex = ""]) => Number.parseInt(hex, 16));
  };

  it("is the backend's, for every code point after every state", () => {
    const [steps, index, pages] = [bytes("steps"), bytes("index"), bytes("pages")];
    expect([steps.length, index.length]).toEqual([256, 0x1100]);
    const widths = new ClusterWidths();
    let different = 0;
    for (let point = 0; point <= 0x10ffff; point++) {
      const kind = pages[(index[point >> 8] ?? 0) * 256 + (point & 255)] ?? 0;
      for (let state = 0; state < 16; state++) {
        if (widths.charProperties(point, state << 3) !== steps[state * 16 + kind]) different++;
      }
    }
    expect(different).toBe(0);
  });

  it("gives every character its width alone", () => {
    const widths = new ClusterWidths();
    expect(["a", "中", "\u0301", "\n", "😀"].map((c) => widths.wcwidth(c.codePointAt(0) ?? 0))).toEqual([
      1, 2, 0, 0, 2,
    ]);
  });
});

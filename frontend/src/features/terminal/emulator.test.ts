import { afterEach, describe, expect, it, vi } from "vitest";
import { Emulator, type EmulatorHooks, type Look } from "./emulator";
import { jsdomScreen } from "./jsdom-screen";

const look: Look = {
  fontFamily: "",
  fontSize: 12.5,
  lineHeight: 1.44,
  scrollback: 1000,
  cursorStyle: "block",
  cursorBlink: false,
  screenReader: false,
};

function setUp(hooks: Partial<EmulatorHooks> = {}) {
  const input: string[] = [];
  const emulator = new Emulator(
    look,
    { background: "#161514", cursor: "#7babf1" },
    {
      input: (data) => input.push(new TextDecoder().decode(data)),
      key: () => false,
      scrolled: () => {},
      selected: () => {},
      found: () => {},
      links: { hostname: "", open: () => {}, refuse: () => {}, hover: () => {}, wants: () => true },
      ...hooks,
    },
  );
  made.push(emulator);
  const write = (text: string) =>
    new Promise<void>((done) => emulator.write(new TextEncoder().encode(text), done));
  const line = (y: number) => emulator.terminal.buffer.active.getLine(y)?.translateToString(true);
  return { emulator, input, write, line };
}

const made: Emulator[] = [];
afterEach(() => {
  for (const emulator of made.splice(0)) emulator.dispose();
});

describe("a screen in place of bytes", () => {
  it("writes no style rules, whatever the size was", async () => {
    const { emulator, write } = setUp();
    const host = jsdomScreen();
    emulator.open(host);
    await write("x");
    const written: MutationRecord[] = [];
    const inner = host.ownerDocument.defaultView as Window & typeof globalThis;
    const observer = new inner.MutationObserver((records) => written.push(...records));
    for (const style of host.querySelectorAll("style"))
      observer.observe(style, { childList: true, characterData: true, subtree: true });
    emulator.resize(100, 30);
    written.push(...observer.takeRecords());
    written.length = 0; // a new size may
    await new Promise<void>((done) =>
      emulator.draw(new TextEncoder().encode("\x1bc\x1b[20l\x1b[?12l\x1b]104\x07text\x1b[?12h"), done),
    );
    written.push(...observer.takeRecords());
    expect(emulator.terminal.buffer.active.getLine(0)?.translateToString(true)).toBe("text");
    expect(written).toEqual([]);
    // It can be seen here at all.
    emulator.terminal.options.cursorBlink = true;
    expect(observer.takeRecords().length).toBeGreaterThan(0);
  });

  it("leaves it to the person whether the cursor blinks", async () => {
    const { emulator, write } = setUp();
    for (const text of ["\x1b[?12h", "\x1b[?12;25h", "\x1b[?25;12h"]) {
      await write(text);
      expect(emulator.terminal.options.cursorBlink).toBe(false);
    }
    emulator.setLook({ ...look, cursorBlink: true });
    for (const text of ["\x1b[?12l", "\x1b[?12;25l"]) {
      await write(text);
      expect(emulator.terminal.options.cursorBlink).toBe(true);
    }
    await write("\x1b[?12;2004h");
    expect(emulator.terminal.modes.bracketedPasteMode).toBe(true);
  });
});

describe("queries", () => {
  it.each([
    ["DA1", "\x1b[c"],
    ["DA1 with a number", "\x1b[0c"],
    ["DA2", "\x1b[>c"],
    ["DA3", "\x1b[=c"],
    ["DSR", "\x1b[5n"],
    ["CPR", "\x1b[6n"],
    ["DECDSR", "\x1b[?6n"],
    ["XTVERSION", "\x1b[>q"],
    ["DECRQM of a mode", "\x1b[4$p"],
    ["DECRQM of a private mode", "\x1b[?2004$p"],
    ["DECRQSS", "\x1bP$qm\x1b\\"],
    ["XTGETTCAP", "\x1bP+q544e\x1b\\"],
    ["a palette colour", "\x1b]4;1;?\x07"],
    ["the foreground", "\x1b]10;?\x07"],
    ["the background", "\x1b]11;?\x1b\\"],
    ["the cursor's colour", "\x1b]12;?\x07"],
    ["the size in cells", "\x1b[18t"],
    ["the size in pixels", "\x1b[14t"],
    ["the title", "\x1b[21t"],
    ["the kitty keyboard", "\x1b[?u"],
    ["the clipboard", "\x1b]52;c;?\x07"],
    ["ENQ", "\x05"],
  ])("%s gets no answer from the page", async (_, query) => {
    const { write, input, line } = setUp();
    await write(`a${query}b`);
    expect(input).toEqual([]);
    expect(line(0)).toBe("ab");
  });

  it("still lets a program set colours", async () => {
    const { emulator, write, input } = setUp();
    emulator.open(jsdomScreen());
    await write("\x1b]4;1;#123456\x07\x1b]11;#000000\x07ok");
    expect(input).toEqual([]);
  });
});

describe("emulator", () => {
  it("says what was lost below what is there, and leaves nothing of it switched on", async () => {
    const { emulator, write, line } = setUp();
    await write("old\r\n\x1b[?1049h\x1b[?1003h\x1b[?2004h\x1b[?25l\x1b[1mfull");
    await new Promise<void>((done) => emulator.lost(1234567, true, done));
    const { buffer, modes } = emulator.terminal;
    expect(buffer.active.type).toBe("normal");
    expect([modes.mouseTrackingMode, modes.bracketedPasteMode]).toEqual(["none", false]);
    expect([line(0), line(2)]).toEqual(["old", "up to 1.2 MB lost"]);
    expect(buffer.active.getLine(2)?.getCell(0)?.isDim()).not.toBe(0);
    await write("x");
    expect(line(3)).toBe("x");
    expect(buffer.active.getLine(3)?.getCell(0)?.isDim()).toBe(0);
    expect(buffer.active.getLine(3)?.getCell(0)?.isBold()).toBe(0);
  });

  it.each([
    ["a sequence", [0x1b, 0x5b, 0x33]],
    ["a title", [0x1b, 0x5d, 0x30, 0x3b, 0x61]],
    ["an image", [0x1b, 0x50, 0x71, 0x23]],
    ["a character", [0xe2, 0x82]],
  ])("is itself again after %s that a loss has cut", async (_, cut) => {
    const { emulator, write, line } = setUp();
    await new Promise<void>((done) => emulator.write(Uint8Array.from(cut), done));
    await new Promise<void>((done) => emulator.lost(512, false, done));
    await write("\x82new");
    expect(line(1)).toBe("512 bytes lost");
    expect(line(2)).toMatch(/new$/);
  });

  it("joins a character that comes in two writes", async () => {
    const { emulator, write, line } = setUp();
    const bytes = new TextEncoder().encode("€");
    await new Promise<void>((done) => emulator.write(bytes.subarray(0, 1), done));
    await new Promise<void>((done) => emulator.write(bytes.subarray(1), done));
    await write("!");
    expect(line(0)).toBe("€!");
  });

  it("sends mouse reports that are no UTF-8 as their bytes", () => {
    const data: number[][] = [];
    const { emulator } = setUp({ input: (bytes) => data.push([...bytes]) });
    // xterm.js raises this for X10 mouse reports.
    (
      emulator.terminal as unknown as { _core: { _onBinary: { fire(s: string): void } } }
    )._core._onBinary.fire("\x1b[M \xff!");
    expect(data).toEqual([[27, 91, 77, 32, 255, 33]]);
  });

  it("keeps a size that it has, and never goes under 2 by 1", () => {
    const { emulator } = setUp();
    const resized = vi.fn();
    emulator.terminal.onResize(resized);
    emulator.resize(80, 24);
    expect(resized).not.toHaveBeenCalled();
    emulator.resize(0, 0);
    expect([emulator.terminal.cols, emulator.terminal.rows]).toEqual([2, 1]);
  });

  it("begins with the match nearest above the bottom of what is shown, and stays on it while the text grows", async () => {
    const { emulator, write } = setUp();
    emulator.open(jsdomScreen());
    const lines = Array.from({ length: 100 }, (_, y) => (y % 10 === 0 ? `mark ${y}` : "line"));
    await write(lines.join("\r\n"));
    const at = () => emulator.terminal.getSelectionPosition()?.start.y;
    const grow = { regex: false, matchCase: false, word: false, incremental: true };
    emulator.find("ma", grow, "previous");
    expect(at()).toBe(90);
    emulator.find("mark", grow, "previous");
    expect(at()).toBe(90);
    emulator.find("mark", { ...grow, incremental: false }, "previous");
    expect(at()).toBe(80);
    // The bar of the search makes the pane lower.
    emulator.resize(80, 22);
    expect(at()).toBe(80);
  });

  it("shows no cursor while there is no program, whatever else changes its colours", () => {
    const { emulator } = setUp();
    const cursor = () => emulator.terminal.options.theme?.cursor;
    const theme = { background: "#fdfcfb", foreground: "#1a1918", cursor: "#2a65c8" };
    emulator.setProgramGone(true);
    emulator.setTheme(theme);
    expect(cursor()).toBe(theme.background);
    emulator.setProgramGone(false);
    expect(cursor()).toBe(theme.cursor);
  });

  it("counts what it finds, and throws for a broken pattern", async () => {
    const found = vi.fn();
    const { emulator, write } = setUp({ found });
    emulator.open(jsdomScreen());
    await write("one two one\r\nOne\r\n");
    const how = { regex: false, matchCase: false, word: false };
    emulator.find("one", how, "next");
    await vi.waitFor(() => expect(found).toHaveBeenLastCalledWith(expect.any(Number), 3));
    emulator.find("one", { ...how, matchCase: true }, "next");
    await vi.waitFor(() => expect(found).toHaveBeenLastCalledWith(expect.any(Number), 2));
    expect(() => emulator.find("(", { ...how, regex: true }, "next")).toThrow(SyntaxError);
  });

  it("can be disposed twice and leaves nothing in the page", () => {
    const host = jsdomScreen();
    const { emulator } = setUp();
    emulator.open(host);
    expect(host.childElementCount).toBe(1);
    emulator.dispose();
    emulator.dispose();
    expect(host.childElementCount).toBe(0);
  });
});

import { Terminal } from "@xterm/xterm";
import { describe, expect, it } from "vitest";
import { jsdomScreen } from "./jsdom-screen";
import { asOneLine, cleanPaste, droppedPaths, pasteQuestion } from "./paste";

const plain = { bracketed: false, confirmMultiline: true };

/** What a terminal sends for a paste: xterm's own rules after ours. */
async function sent(text: string, bracketed: boolean): Promise<string> {
  const terminal = new Terminal({ allowProposedApi: true });
  terminal.open(jsdomScreen());
  if (bracketed) await new Promise<void>((done) => terminal.write("\x1b[?2004h", done));
  let out = "";
  terminal.onData((data) => {
    out += data;
  });
  terminal.paste(cleanPaste(text));
  terminal.dispose();
  return out;
}

describe("paste", () => {
  it("turns line ends into returns and marks them only when asked to", async () => {
    expect(await sent("a\nb\r\nc", false)).toBe("a\rb\rc");
    expect(await sent("a\nb\r\nc", true)).toBe("\x1b[200~a\rb\rc\x1b[201~");
  });

  it("cannot be ended by what it holds", async () => {
    expect(await sent("a\x1b[201~\ntouch x\n", true)).toBe("\x1b[200~a\rtouch x\r\x1b[201~");
    expect(cleanPaste("\x1b[20\x1b[201~1~x\x9b201~")).toBe("x");
  });

  it.each([
    ["one line", "ls -l", 0],
    ["a line that runs at once", "ls\n", 1],
    ["three lines", "a\nb\r\nc", 3],
    ["three lines and an end", "a\rb\rc\r", 3],
  ])("asks about %s in a plain shell", (_, text, lines) => {
    expect(pasteQuestion(text, plain)?.lines ?? 0).toBe(lines);
  });

  it("does not ask when pastes are marked or asking is switched off", () => {
    expect(pasteQuestion("a\nb", { ...plain, bracketed: true })).toBeUndefined();
    expect(pasteQuestion("a\nb", { ...plain, confirmMultiline: false })).toBeUndefined();
  });

  it("warns of a line that line mode would cut, counted in bytes", () => {
    const lineMode = { ...plain, lineLimit: 4095 };
    expect(pasteQuestion("x".repeat(4095), lineMode)).toBeUndefined();
    expect(pasteQuestion("ä".repeat(2048), lineMode)).toMatchObject({ longest: 4096, kept: 4095 });
    expect(pasteQuestion("x".repeat(5000), { ...lineMode, bracketed: true })?.longest).toBe(5000);
    expect(pasteQuestion("x".repeat(5000), plain)).toBeUndefined();
  });

  it("joins lines into one", () => {
    expect(asOneLine("  curl \\\n\n  -x\r\n")).toBe("curl \\ -x");
  });
});

describe("dropped files", () => {
  it.each([
    ["file:///home/me/a.txt", "linux", "/home/me/a.txt"],
    ["file:///a/b%20c.txt\r\nfile:///it's", "linux", "'/a/b c.txt' '/it'\\''s'"],
    ["file:///C:/Program%20Files/x", "windows", '"C:\\Program Files\\x"'],
    ["https://a.b/c", "linux", ""],
    ["file:///a%0Arm%20x", "linux", ""],
    ["file:///a%ZZ", "linux", ""],
    ["", "linux", ""],
  ])("%j on %s", (list, platform, text) => {
    expect(droppedPaths(list, platform)).toBe(text);
  });
});

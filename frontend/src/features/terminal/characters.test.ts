import { Terminal } from "@xterm/xterm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WholeCharacters } from "./characters";

const utf8 = new TextEncoder();
const text = "a—b“c” 漢字 é😀ß";

describe("characters in pieces", () => {
  it("reach xterm.js, wherever they are cut", async () => {
    const bytes = utf8.encode(text);
    for (let at = 1; at < bytes.length; at++) {
      const terminal = new Terminal({ cols: 80, rows: 2, allowProposedApi: true });
      const characters = new WholeCharacters();
      for (const piece of [bytes.subarray(0, at), bytes.subarray(at)]) {
        await new Promise<void>((done) => terminal.write(characters.take(piece), done));
      }
      expect(terminal.buffer.active.getLine(0)?.translateToString(true)).toBe(text);
      terminal.dispose();
    }
  });

  it("are all there, in order, whatever the bytes are", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 9 })), (pieces) => {
        const characters = new WholeCharacters();
        const out = pieces.flatMap((piece) => [...characters.take(piece)]);
        const all = pieces.flatMap((piece) => [...piece]);
        expect(out).toEqual(all.slice(0, out.length));
        expect(all.length - out.length).toBeLessThan(4);
      }),
    );
  });
});

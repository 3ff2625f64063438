import type { IParser } from "@xterm/xterm";
import { beforeEach, describe, expect, it } from "vitest";
import { ProgramColours } from "./program-colours";

describe("the colours of a program", () => {
  let colours: ProgramColours;
  let handlers: Map<number, (data: string) => boolean>;

  /** Whether xterm.js gets it. */
  const passes = (code: number, data = "") => !handlers.get(code)?.(data);

  beforeEach(() => {
    handlers = new Map();
    colours = new ProgramColours();
    const parser = {
      registerOscHandler: (code: number, handler: (data: string) => boolean) => {
        handlers.set(code, handler);
        return { dispose() {} };
      },
    };
    colours.register(parser as unknown as IParser);
  });

  it("are set once, and anew when they differ", () => {
    expect(passes(4, "1;#ff0000;2;#00ff00")).toBe(true);
    expect(passes(4, "2;#00ff00")).toBe(false);
    expect(passes(4, "1;#ff0000;2;#0000ff")).toBe(true);
    expect(passes(10, "#ffffff;#000000")).toBe(true);
    expect(passes(11, "#000000")).toBe(false);
    expect(passes(11, "#000001")).toBe(true);
  });

  it("are put back only where something was set", () => {
    expect([104, 110, 111, 112].map((code) => passes(code))).toEqual([false, false, false, false]);
    passes(4, "1;#ff0000");
    expect(passes(104, "2;3")).toBe(false);
    expect(passes(104, "1;2")).toBe(true);
    expect(passes(104, "1")).toBe(false);
    passes(4, "9;#ff0000");
    passes(12, "#00ff00");
    expect(passes(104)).toBe(true);
    expect(passes(104)).toBe(false);
    expect(passes(112)).toBe(true);
    expect(passes(112)).toBe(false);
  });

  it("are not asked for here", () => {
    expect(passes(4, "1;?")).toBe(false);
    expect(passes(11, "?")).toBe(false);
  });

  it("are set again after a change of the theme", () => {
    passes(4, "1;#ff0000");
    passes(11, "#000000");
    expect(colours.forget()).toBe("\x1b]4;1;#ff0000\x07\x1b]11;#000000\x07");
    expect(colours.forget()).toBe("");
    expect(passes(4, "1;#ff0000")).toBe(true);
  });
});

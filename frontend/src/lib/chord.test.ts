import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chordCaps, chordOf, chordText, parseChord, shellUses } from "./chord";

const key = (part: Partial<KeyboardEventInit>) => ({
  key: "",
  code: "",
  ctrlKey: false,
  altKey: false,
  shiftKey: false,
  metaKey: false,
  ...part,
});

const parse = (text: string) => {
  const chord = parseChord(text, false);
  if (!chord) throw new Error(`${text} is no chord`);
  return chord;
};

describe("chords", () => {
  it("have one spelling", () => {
    const keys = ["K", "7", "+", ",", " ", "Enter", "ArrowUp", "F6", "Tab", "-"];
    fc.assert(
      fc.property(
        fc.constantFrom(...keys),
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        (k, ctrl, alt, shift, meta) => {
          const chord = { ctrl, alt, shift, meta, key: k };
          expect(parseChord(chordText(chord), false)).toEqual(chord);
        },
      ),
    );
  });

  it.each([
    ["shift+mod+k", "Ctrl+Shift+K"],
    ["Ctrl+Up", "Ctrl+ArrowUp"],
    ["Ctrl++", "Ctrl+Plus"],
    ["esc", "Escape"],
    ["ctrl+pageup", "Ctrl+PageUp"],
    ["Alt+f12", "Alt+F12"],
    ["MediaPlayPause", "MediaPlayPause"],
  ])("%s is %s", (text, spelt) => {
    expect(chordText(parse(text))).toBe(spelt);
  });

  it.each(["", "Ctrl", "Ctrl+K+J", "Ctrl+Shift+", "Strg+K", "Ctrl+Foo", "F25"])("%j is no chord", (text) => {
    expect(parseChord(text, false)).toBeUndefined();
  });

  it("writes Mod as Command on macOS", () => {
    expect(parseChord("Mod+K", true)).toEqual({
      ctrl: false,
      alt: false,
      shift: false,
      meta: true,
      key: "K",
    });
    expect(chordCaps({ ctrl: false, alt: false, shift: true, meta: true, key: "K" }, true)).toEqual([
      "⇧",
      "⌘",
      "K",
    ]);
  });

  it("reads key presses on layouts of all kinds", () => {
    const read = (part: Partial<KeyboardEventInit>) => {
      const chord = chordOf(key(part));
      return chord && chordText(chord);
    };
    expect(read({ key: "k", code: "KeyK", ctrlKey: true })).toBe("Ctrl+K");
    expect(read({ key: "л", code: "KeyK", ctrlKey: true })).toBe("Ctrl+K");
    expect(read({ key: "q", code: "KeyA", ctrlKey: true })).toBe("Ctrl+Q");
    expect(read({ key: "!", code: "Digit1", ctrlKey: true, shiftKey: true })).toBe("Ctrl+Shift+1");
    expect(read({ key: "Control", code: "ControlLeft", ctrlKey: true })).toBeUndefined();
    expect(read({ key: "Dead", code: "Quote" })).toBeUndefined();
    expect(read({ key: "Unidentified", code: "Tab", ctrlKey: true, shiftKey: true })).toBe("Ctrl+Shift+Tab");
    expect(read({ key: "Unidentified", code: "ShiftLeft", shiftKey: true })).toBeUndefined();
  });

  it.each([
    ["Ctrl+K", true],
    ["Ctrl+T", true],
    ["Ctrl+J", true],
    ["Alt+B", true],
    ["Alt+1", true],
    ["F6", true],
    ["K", true],
    ["Ctrl+Shift+-", true],
    ["Ctrl+Shift+K", false],
    ["Ctrl+Tab", false],
    ["Ctrl+PageDown", false],
    ["Ctrl+,", false],
    ["Alt+Shift+ArrowLeft", false],
    ["Ctrl+Alt+ArrowLeft", false],
    ["Meta+K", false],
  ])("a shell uses %s: %s", (text, used) => {
    expect(shellUses(parse(text))).toBe(used);
  });
});

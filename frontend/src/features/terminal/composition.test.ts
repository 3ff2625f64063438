import { afterEach, describe, expect, it } from "vitest";
import { Composition } from "./composition";

// What browsers and input methods do to a text field, in the order in which they do it.

const made: Composition[] = [];
afterEach(() => {
  for (const it of made.splice(0)) it.dispose();
  document.body.replaceChildren();
});

function setUp() {
  const around = document.createElement("div");
  const field = document.createElement("textarea");
  around.append(field);
  document.body.append(around);
  const sent: string[] = [];
  const seen: string[] = [];
  for (const name of ["compositionstart", "compositionend", "input"]) {
    field.addEventListener(name, () => seen.push(name));
  }
  const composition = new Composition({ around, field, font: () => "", send: (text) => sent.push(text) });
  made.push(composition);
  const fire = (event: Event) => field.dispatchEvent(event);
  const did = {
    start: () => fire(new CompositionEvent("compositionstart", { bubbles: true, data: "" })),
    update: (data: string) => fire(new CompositionEvent("compositionupdate", { bubbles: true, data })),
    end: (data: string) => fire(new CompositionEvent("compositionend", { bubbles: true, data })),
    input: (value: string, isComposing = false) => {
      field.value = value;
      fire(new InputEvent("input", { bubbles: true, isComposing }));
    },
    key: (key: string, keyCode = 0) => fire(new KeyboardEvent("keydown", { bubbles: true, key, keyCode })),
    press: (key: string) => fire(new KeyboardEvent("keypress", { bubbles: true, key })),
    up: (key: string) => fire(new KeyboardEvent("keyup", { bubbles: true, key })),
    blur: () => fire(new FocusEvent("blur")),
  };
  const view = () => around.querySelector<HTMLElement>(".term-composed");
  return { composition, field, sent, seen, did, view };
}

describe("composed text", () => {
  it("is sent once when its end comes behind the change of the field", () => {
    const { did, sent, seen } = setUp();
    for (const round of ["", "日本"]) {
      did.start();
      did.update("に");
      did.input(`${round}に`, true);
      did.update("日本");
      did.input(`${round}日本`, true);
      did.end("日本");
    }
    did.key("Enter");
    expect(sent).toEqual(["日本", "日本"]);
    expect(seen).toEqual([]);
  });

  it("is sent once when an input event comes behind its end, with or without a key between", () => {
    const { did, sent } = setUp();
    for (const [before, key] of [
      ["", false],
      ["語", true],
    ] as const) {
      did.start();
      did.update("ご");
      did.input(`${before}ご`, true);
      did.end("語");
      if (key) did.key("Process", 229);
      did.input(`${before}語`);
      did.key("Process", 229);
    }
    expect(sent.join("")).toBe("語語");
  });

  it("is not what xterm.js puts into the field, as it does with what is selected", () => {
    const { did, sent, field } = setUp();
    const select = () => {
      field.value = "word";
      field.select();
    };
    select();
    did.key("C");
    did.up("C");
    select();
    did.blur();
    select();
    field.dispatchEvent(new InputEvent("beforeinput", { bubbles: true }));
    did.input("🙂");
    select();
    did.start();
    did.update("に");
    did.input("に", true);
    did.end("に");
    expect(sent).toEqual(["🙂", "に"]);
  });

  it("is sent once when it comes without being composed", () => {
    const { did, sent } = setUp();
    did.key("Unidentified", 229);
    did.input("世");
    did.up("Unidentified");
    did.input("世👍"); // a picker presses no key
    expect(sent).toEqual(["世", "👍"]);
  });

  it("goes before the key that ends it", () => {
    const { did, sent, field } = setUp();
    field.addEventListener("keydown", () => {
      sent.push("\r");
      field.value = "";
    });
    did.start();
    did.update("語");
    did.input("語", true);
    did.end("語");
    did.key("Enter");
    did.up("Enter");
    did.start();
    did.input("語", true);
    did.end("語");
    expect(sent).toEqual(["語", "\r", "語"]);
  });

  it("is nothing when it is given up", () => {
    const { did, sent, view } = setUp();
    did.start();
    did.update("かん");
    did.input("かん", true);
    expect(view()?.textContent).toBe("かん");
    expect(view()?.hidden).toBe(false);
    did.update("");
    did.input("", true);
    did.end("");
    did.key("a");
    did.blur();
    expect(sent).toEqual([]);
    expect(view()?.hidden).toBe(true);
  });

  it("is not what a key puts into the field that sends itself", () => {
    const { did, sent } = setUp();
    did.key(" ");
    did.press(" ");
    did.input(" ");
    did.up(" ");
    did.key("A");
    did.press("A");
    did.input(" A");
    did.start();
    did.update("é");
    did.input(" Aé", true);
    did.end("é");
    expect(sent).toEqual(["é"]);
  });

  it("has its keys to itself", () => {
    const { composition } = setUp();
    const takes = (init: KeyboardEventInit, meta = false) =>
      composition.takes(new KeyboardEvent("keydown", init), meta);
    expect(takes({ key: "Process", keyCode: 229 })).toBe(true);
    expect(takes({ key: "Enter", keyCode: 13, isComposing: true })).toBe(true);
    expect(takes({ key: "Enter", keyCode: 13 })).toBe(false);
    expect(takes({ key: "Dead", keyCode: 229, altKey: true }, true)).toBe(false);
  });
});

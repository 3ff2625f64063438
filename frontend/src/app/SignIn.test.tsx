import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readKey } from "./key";
import { SignIn } from "./SignIn";

let page: HTMLElement;
let root: Root;
const given: string[] = [];
const draw = (error: string, busy: boolean) =>
  act(() => root.render(<SignIn error={error} busy={busy} onKey={(key) => given.push(key)} />));
const field = () => page.querySelector("input") as HTMLInputElement;

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  page = document.body.appendChild(document.createElement("div"));
  root = createRoot(page);
});
afterEach(() => {
  act(() => root.unmount());
  page.remove();
});

describe("signing in", () => {
  it.each([
    ["ABC234", "ABC234"],
    [" abc2-34 ", "ABC234"],
    ["ab c2\t34\n", "ABC234"],
    [" - ", ""],
  ])("reads %j as %j", (typed, key) => expect(readKey(typed)).toBe(key));

  it("gives the field back, with its text selected, after a refusal", async () => {
    await draw("", false);
    act(() => {
      const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
      set?.call(field(), "wrong-key");
      field().dispatchEvent(new Event("input", { bubbles: true }));
    });
    act(() => page.querySelector("form")?.requestSubmit());
    expect(given).toEqual(["WRONGKEY"]);
    await draw("", true);
    (document.activeElement as HTMLElement).blur();
    await draw("The access key is not the right one.", false);
    expect(document.activeElement).toBe(field());
    expect([field().selectionStart, field().selectionEnd]).toEqual([0, "wrong-key".length]);
    expect(field().ariaInvalid ?? field().getAttribute("aria-invalid")).toBe("true");
  });

  it("shows what was typed when asked to", async () => {
    await draw("", false);
    expect(field().type).toBe("password");
    act(() => page.querySelector<HTMLElement>('[aria-label="Show the key"]')?.click());
    expect(field().type).toBe("text");
  });
});

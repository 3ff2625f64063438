import { Tooltip } from "radix-ui";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { defaults, exitOf } from "../../../test/fake";
import { StreamClient } from "../../bridge/stream";
import { FakeSocket } from "../../bridge/stream-fake";
import type { Status } from "../../bridge/types";
import { CommandRegistry } from "../../lib/commands";
import { CommandsProvider } from "../../ui/commands";
import { TerminalHost, TerminalHostProvider, TerminalPane, type TerminalServices } from "./index";

let root: Root;
let page: HTMLElement;
let host: TerminalHost;
let stream: StreamClient;
let status: Partial<Status> | undefined;
const listeners = new Set<() => void>();
const ensure = vi.fn(async () => {});
const close = vi.fn();

const services = (): TerminalServices => ({
  platform: "linux",
  hostname: "",
  stream,
  settings: {
    get: () => ({ ...defaults.terminal, renderer: "dom" }),
    subscribe: () => () => {},
  },
  status: () => ({
    get: () => status as Status | undefined,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  }),
  nameOf: () => "zsh",
  happened: () => ({ on: () => ({ dispose: () => {} }) }),
  setColours: () => {},
  ensure,
  close,
  modes: async () => ({ known: false, canonical: false, echo: false, lineLimit: 0 }),
  interrupt: async () => {},
  clipboard: { read: async () => "", write: async () => {} },
  locate: async () => ({ found: false, below: 0 }),
  openLink: async () => {},
  saveText: async () => {},
  notify: () => {},
  isCommandKey: () => false,
});

function become(next: Partial<Status>): void {
  status = next;
  act(() => {
    for (const listener of listeners) listener();
  });
}

const button = (name: string) =>
  [...page.querySelectorAll("button")].find(
    (known) => known.textContent?.startsWith(name) || known.ariaLabel === name,
  );
const press = (target: Element | null, key: string) =>
  act(() => target?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })));

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  status = undefined;
  stream = new StreamClient({
    endpoint: () => ({ url: "ws://x", token: "t" }),
    open: (url, protocols) => new FakeSocket(url, protocols),
  });
  host = new TerminalHost(services());
  page = document.createElement("div");
  document.body.append(page);
  root = createRoot(page);
  act(() =>
    root.render(
      <Tooltip.Provider>
        <CommandsProvider registry={new CommandRegistry(false)}>
          <TerminalHostProvider host={host}>
            <TerminalPane blockId="b" visible focused />
          </TerminalHostProvider>
        </CommandsProvider>
      </Tooltip.Provider>,
    ),
  );
});

afterEach(() => {
  act(() => root.unmount());
  expect(host.handle("b")).toBeUndefined();
  expect(listeners.size).toBe(0);
  host.dispose();
  stream.close();
  page.remove();
});

describe("terminal pane", () => {
  it("has a name and no strip while it runs", () => {
    expect(page.querySelector("section")?.getAttribute("aria-label")).toBe("Terminal zsh");
    expect(page.querySelector(".term-strip")).toBeNull();
  });

  it("says how it ended, and restarts or closes from there", () => {
    become({
      state: "exited",
      exit: exitOf(3, { hungUp: ["sleep (9)"] }),
      message: "",
    });
    expect(page.querySelector(".term-strip")?.textContent).toContain("Exited with 3");
    expect(page.querySelector(".term-strip small")?.textContent).toBe("Hung up with it: sleep (9).");
    act(() => button("Restart")?.click());
    expect(ensure).toHaveBeenCalledWith("b", expect.objectContaining({ force: true }));
    act(() => button("Close")?.click());
    expect(close).toHaveBeenCalledWith("b");
  });

  it("opens its search and closes it by Escape", () => {
    act(() => host.handle("b")?.find());
    const input = page.querySelector("input");
    expect(document.activeElement).toBe(input);
    act(() => button("Pattern")?.click());
    expect(button("Pattern")?.getAttribute("aria-pressed")).toBe("true");
    press(input, "Escape");
    expect(page.querySelector("input")).toBeNull();
  });

  it("asks before a paste of lines, with the focus on the safe answer", () => {
    act(() => host.handle("b")?.pasteText("one\ntwo"));
    const question = page.querySelector("[role=alertdialog]");
    expect(question?.textContent).toContain("Paste 2 lines?");
    expect(document.activeElement?.textContent).toContain("Cancel");
    press(document.activeElement, "Escape");
    expect(page.querySelector("[role=alertdialog]")).toBeNull();
  });

  it("shows its text as text", () => {
    act(() => host.handle("b")?.textView());
    const text = page.querySelector("textarea[readonly]");
    expect(document.activeElement).toBe(text);
    press(text, "Escape");
    expect(page.querySelector("textarea[readonly]")).toBeNull();
  });
});

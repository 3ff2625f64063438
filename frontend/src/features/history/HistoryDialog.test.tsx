import { Tooltip } from "radix-ui";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeBackend } from "../../../test/fake";
import { createApi } from "../../bridge/api";
import { MirrorProvider } from "../../bridge/context";
import { Events } from "../../bridge/events";
import { Mirror } from "../../bridge/mirror";
import { CommandRegistry } from "../../lib/commands";
import { CommandsProvider } from "../../ui/commands";
import { Toasts } from "../../ui/toasts";
import { SessionProvider, WorkspaceSession } from "../workspace";
import { HistoryDialog } from "./HistoryDialog";

let root: Root;
let host: HTMLElement;
let backend: FakeBackend;
let answer: (text: string) => Promise<unknown>;
let own: { dispose(): void }[];
const enter = vi.fn();
const closed = vi.fn();
const said = () => document.querySelector(".history")?.textContent ?? "";
const command = (id: number, text: string) => ({
  id,
  text,
  dir: "/tmp",
  block: "b",
  exit: 0,
  began: new Date().toISOString(),
  took: 0,
});

async function open(): Promise<void> {
  const events = new Events(backend.runtime);
  const api = createApi((method, ...args) =>
    method === "History.Find" ? answer((args[0] as { text: string }).text) : backend.call(method, ...args),
  );
  const mirror = new Mirror(api, events);
  const toasts = new Toasts();
  const session = new WorkspaceSession(mirror, toasts);
  const commands = new CommandRegistry(false);
  own = [commands, session, toasts, mirror, events];
  await mirror.start();
  await act(async () =>
    root.render(
      <MirrorProvider mirror={mirror}>
        <SessionProvider session={session}>
          <CommandsProvider registry={commands}>
            <Tooltip.Provider>
              <HistoryDialog copy={async () => {}} enter={enter} onClose={closed} />
            </Tooltip.Provider>
          </CommandsProvider>
        </SessionProvider>
      </MirrorProvider>,
    ),
  );
}

beforeEach(() => {
  vi.clearAllMocks();
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  backend = new FakeBackend();
  host = document.body.appendChild(document.createElement("div"));
  root = createRoot(host);
});

afterEach(async () => {
  await act(async () => root.unmount());
  host.remove();
  for (const part of own) part.dispose();
});

describe("the command history", () => {
  it("says that it looks, and then that there is nothing yet", async () => {
    let found: (value: unknown) => void = () => {};
    answer = () => new Promise((resolve) => (found = resolve));
    await open();
    expect(said()).toContain("Looking…");
    await act(async () => found({ commands: [], total: 0 }));
    expect(said()).toContain("Nothing yet.");
  });

  it("says that it is switched off", async () => {
    answer = async () => ({ commands: [], total: 0 });
    backend.view.settings.terminal.commandHistory = false;
    await open();
    expect(said()).toContain("It is switched off");
  });

  it("says that there are more than it shows", async () => {
    answer = async () => ({ commands: [command(2, "make"), command(1, "ls\n-l")], total: 4321 });
    await open();
    expect(said()).toContain("The newest 2 of 4,321.");
    expect([...document.querySelectorAll(".history code")].map((row) => row.textContent)).toEqual([
      "make",
      "ls +1",
    ]);
  });

  it("runs nothing of an older answer than what was asked for", async () => {
    const found = new Map<string, (value: unknown) => void>();
    answer = (text) => new Promise((resolve) => void found.set(text, resolve));
    await open();
    await act(async () => found.get("")?.({ commands: [command(1, "rm -r build")], total: 2 }));
    const field = document.querySelector<HTMLInputElement>(".history input");
    if (!field) throw new Error("no field");
    const press = () =>
      act(async () =>
        field.dispatchEvent(
          new KeyboardEvent("keydown", { key: "Enter", ctrlKey: true, bubbles: true, cancelable: true }),
        ),
      );
    await act(async () => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, "make");
      field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    });
    expect(said()).toContain("rm -r build");
    await press();
    expect(closed).not.toHaveBeenCalled();
    await act(async () => found.get("make")?.({ commands: [command(2, "make")], total: 2 }));
    await press();
    expect(closed).toHaveBeenCalledOnce();
  });

  it("says why it cannot be read, and tries again", async () => {
    answer = async () => Promise.reject("cannot read drover.db: it is locked");
    await open();
    expect(said()).toContain("cannot read drover.db: it is locked");
    answer = async () => ({ commands: [command(1, "make")], total: 1 });
    const again = [...document.querySelectorAll("button")].find((b) => b.textContent === "Try again");
    await act(async () => again?.click());
    expect(said()).toContain("make");
    expect(said()).not.toContain("locked");
  });

  it("is left with the command that was chosen", async () => {
    answer = async () => ({ commands: [command(2, "make"), command(1, "ls")], total: 2 });
    await open();
    const press = (key: string, init: KeyboardEventInit = {}) =>
      act(async () => {
        const field = document.querySelector(".history input");
        field?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...init }));
      });
    await press("ArrowDown");
    await press("Enter", { ctrlKey: true });
    expect(closed).toHaveBeenCalledOnce();
    await act(async () => root.render(null));
    await vi.waitFor(() => expect(enter).toHaveBeenCalledWith("ls", true));
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { scenes } from "../../dev/scenes";
import { FakeBackend } from "../../test/fake";
import type { BoundWindow } from "../bridge/bound";
import { trackDisposables } from "../lib/disposable";
import { createServices, type Services } from "./services";

/** A socket that never opens: the data plane has tests of its own. */
class StillSocket {
  binaryType = "";
  addEventListener(): void {}
  send(): void {}
  close(): void {}
}

let backend: FakeBackend;
let services: Services;
let tracker: ReturnType<typeof trackDisposables>;

beforeEach(async () => {
  vi.stubGlobal("WebSocket", StillSocket);
  tracker = trackDisposables();
  backend = new FakeBackend();
  scenes["busy"]?.(backend);
  backend.view.settings.theme = "light";
  const win: BoundWindow & Window = window;
  backend.install(win);
  services = createServices(win);
  await services.mirror.start();
});

afterEach(() => {
  services.dispose();
  services.dispose();
  backend.dispose();
  expect(tracker.live()).toBe(0);
  expect(backend.listeners()).toBe(0);
  tracker.end();
  vi.unstubAllGlobals();
});

const press = (init: KeyboardEventInit, target: EventTarget = document.body) => {
  const event = new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...init });
  target.dispatchEvent(event);
  return event;
};

describe("the whole of the window", () => {
  it("has no two commands for one chord", () => {
    expect(services.commands.conflicts()).toEqual([]);
  });

  it("has keys for all that is not in a menu only, and none that a terminal cannot have but as an extra", () => {
    for (const command of services.commands.all()) {
      expect(command.title).not.toBe("");
      expect(command.group).not.toBe("");
      expect(services.commands.chords(command.id)).toHaveLength(command.keys?.length ?? 0);
    }
  });

  it("takes its keys before the page does, and leaves a shell's alone in a terminal", () => {
    const pane = document.createElement("div");
    pane.dataset["terminal"] = "zsh";
    pane.innerHTML = '<div class="xterm"><textarea></textarea></div>';
    document.body.append(pane);
    const typed = pane.querySelector("textarea") as HTMLElement;
    expect(press({ key: "k", code: "KeyK", ctrlKey: true }, typed).defaultPrevented).toBe(false);
    expect(services.shell.getState().palette).toBe(false);
    press({ key: "K", code: "KeyK", ctrlKey: true, shiftKey: true }, typed);
    expect(services.shell.getState().palette).toBe(true);
    pane.remove();
  });

  it("leaves a text field what it needs, and a dialogue everything", () => {
    const field = document.body.appendChild(document.createElement("input"));
    expect(
      press({ key: "ArrowLeft", code: "ArrowLeft", ctrlKey: true, shiftKey: true }, field).defaultPrevented,
    ).toBe(false);
    const dialog = document.body.appendChild(document.createElement("div"));
    dialog.setAttribute("role", "dialog");
    expect(press({ key: "k", code: "KeyK", ctrlKey: true }, dialog).defaultPrevented).toBe(false);
    expect(press({ key: "k", code: "KeyK", ctrlKey: true }, field).defaultPrevented).toBe(true);
    field.remove();
    dialog.remove();
  });

  it("puts a person's own keys in force as soon as they are known", async () => {
    await backend.call("Settings.Set", { path: "keys.palette.open", value: "Ctrl+Shift+L" });
    await vi.waitFor(() => expect(services.commands.isOverridden("palette.open")).toBe(true));
    press({ key: "L", code: "KeyL", ctrlKey: true, shiftKey: true });
    expect(services.shell.getState().palette).toBe(true);
  });

  it("lets no key reach panes that the settings cover, and closes the settings by the key that closes", async () => {
    const shift = { ctrlKey: true, shiftKey: true };
    services.commands.run("settings.open");
    const called = backend.calls.length;
    press({ key: "W", code: "KeyW", ...shift });
    expect(services.shell.getState().settings).toBeUndefined();
    expect(backend.calls.slice(called)).toEqual([]);

    services.commands.run("settings.open");
    press({ key: "T", code: "KeyT", ...shift });
    expect(services.shell.getState().settings).toBeUndefined();
    await vi.waitFor(() => expect(backend.calls.map((c) => c.method)).toContain("Workspaces.OpenTerminal"));
  });

  it("shows a pane that was asked for, whatever covers it", async () => {
    services.commands.run("settings.open");
    services.session.focusBlock("api");
    await vi.waitFor(() => expect(services.shell.getState().settings).toBeUndefined());
  });

  it("draws the theme that is set", async () => {
    expect(document.documentElement.classList.contains("theme-light")).toBe(true);
    await backend.call("Settings.Set", { path: "theme", value: "dark" });
    await vi.waitFor(() => expect(document.documentElement.classList.contains("theme-dark")).toBe(true));
  });

  it("never lets a dropped file take the page's place", () => {
    const drop = new Event("drop", { bubbles: true, cancelable: true });
    document.body.dispatchEvent(drop);
    expect(drop.defaultPrevented).toBe(true);
  });

  it("shows a notice with what to do, and trouble until it was read", () => {
    const notice = {
      id: "n",
      level: "error",
      title: "The disk is full",
      text: "No log is kept.",
      block: "",
      fix: "Free some.",
    } as const;
    backend.emit("notice", { notice });
    expect(services.toasts.store.getState()).toMatchObject([
      { title: "The disk is full", text: "No log is kept. Free some.", life: 0 },
    ]);
  });

  it("says once per change what is wrong in the settings file, and takes it back", async () => {
    const said = () => services.toasts.store.getState().map((t) => t.text);
    const file = async (line: number) => {
      const problem = { line, column: 3, key: "terminal.fontSize", text: "must be a number from 6 to 48" };
      backend.view = { ...backend.view, problems: line > 0 ? [problem] : [] };
      backend.emit("settings", {});
      await vi.waitFor(() =>
        expect(services.mirror.known.settings?.problems.map((p) => p.line)).toEqual(line > 0 ? [line] : []),
      );
    };
    await file(7);
    expect(said()).toEqual(["Line 7, terminal.fontSize: must be a number from 6 to 48. The rest applies."]);
    services.toasts.remove("settings-problems");
    await backend.call("Settings.Set", { path: "view.dockRows", value: 5 });
    await vi.waitFor(() => expect(services.mirror.known.settings?.settings.view.dockRows).toBe(5));
    expect(said()).toEqual([]);
    await file(8);
    expect(said()).toHaveLength(1);
    await file(0);
    expect(said()).toEqual([]);
    await backend.call("Settings.Set", { path: "keys.palette.open", value: "Ctrl+Shft+L" });
    await vi.waitFor(() =>
      expect(said()).toEqual([expect.stringContaining("keys.palette.open: “Ctrl+Shft+L”")]),
    );
  });

  it("saves a text through the backend in its own window, and says where", async () => {
    await services.terminals.services.saveText("zsh-1", "text");
    expect(backend.calls.at(-1)).toEqual({ method: "App.SaveText", args: [{ name: "zsh-1", text: "text" }] });
    expect(services.toasts.store.getState()).toMatchObject([{ text: "/home/ada/Downloads/zsh-1.txt" }]);
  });

  it("opens the search as it was left, or as it is asked for", () => {
    services.shell.setState({ searched: { text: "old", regexp: true, all: true } });
    services.commands.run("search.open");
    expect(services.shell.getState().search).toEqual({ text: "old", regexp: true, all: true });
    services.commands.run("search.open", { text: "new", all: false, block: "api" });
    expect(services.shell.getState().search).toEqual({ text: "new", regexp: true, all: false, block: "api" });
  });

  it("says so when a command fails", async () => {
    backend.failing["Workspaces.OpenTerminal"] = "cannot start: there is no shell";
    services.commands.run("terminal.open");
    await vi.waitFor(() =>
      expect(services.toasts.store.getState()).toMatchObject([
        { level: "error", text: "cannot start: there is no shell" },
      ]),
    );
  });
});

import type { ITheme } from "@xterm/xterm";
import type { BoundWindow } from "../bridge/bound";
import type { Known, Mirror } from "../bridge/mirror";
import type { StreamClient } from "../bridge/stream";
import type { Source, TerminalServices } from "../features/terminal";
import type { WorkspaceSession } from "../features/workspace";
import type { CommandRegistry } from "../lib/commands";
import type { Toasts } from "../ui/toasts";

const ansi = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const;
const bright = [
  "brightBlack",
  "brightRed",
  "brightGreen",
  "brightYellow",
  "brightBlue",
  "brightMagenta",
  "brightCyan",
  "brightWhite",
] as const;

/** A theme as the backend takes it; what it leaves out is white on black. */
function coloursOf(theme: ITheme) {
  const hex = (color: string | undefined, without: string) => (color ?? without).slice(0, 7);
  return {
    foreground: hex(theme.foreground, "#ffffff"),
    background: hex(theme.background, "#000000"),
    cursor: hex(theme.cursor, "#ffffff"),
    palette: [...ansi, ...bright].map((name) => hex(theme[name], "#808080")),
  };
}

interface Parts {
  mirror: Mirror;
  session: WorkspaceSession;
  stream: StreamClient;
  commands: CommandRegistry;
  toasts: Toasts;
  win: BoundWindow;
}

/** What terminals need of the app. Made after the first pull or before it: all of it is read when asked. */
export function createTerminalServices(parts: Parts): TerminalServices {
  const { mirror, session, stream, commands, toasts, win } = parts;
  const { api } = mirror;
  const source = <T>(select: (known: Known) => T): Source<T> => ({
    get: () => select(mirror.known),
    subscribe: (changed) =>
      mirror.store.subscribe((now, before) => {
        if (select(now) !== select(before)) changed();
      }),
  });
  const terminal = (known: Known) => {
    if (!known.settings) throw new Error("a terminal was made before the settings were known");
    return known.settings.settings.terminal;
  };
  const inBrowser = () => mirror.known.hello?.browser ?? false;
  return {
    get platform() {
      return mirror.known.hello?.platform ?? "linux";
    },
    get hostname() {
      return mirror.known.hello?.hostname ?? "";
    },
    stream,
    settings: source(terminal),
    status: (block) => source((known) => known.statuses[block]),
    happened: (block) => ({ on: (fn) => mirror.onBlockEvent.on((e) => void (e.block === block && fn(e))) }),
    setColours: (theme) => void api.terminals.setColours(coloursOf(theme)).catch(() => {}), // of the next change, then
    nameOf: (block) => session.nameOf(block),
    ensure: async (block, { cols, rows, force }) => {
      mirror.takeStatus(await api.controllers.ensure({ block, force, revive: force, cols, rows }));
    },
    close: (block) => session.try("It could not be closed", session.closeBlock(block)),
    interrupt: (block) => api.controllers.signal({ block, signal: "INT" }),
    clipboard: {
      // In the app's own window the page's clipboard is dead on Linux; in a browser only the page's is the person's.
      read: () =>
        inBrowser() ? (win.runtime?.ClipboardGetText() ?? Promise.resolve("")) : api.app.clipboardText(),
      write: async (text) => {
        if (inBrowser()) await win.runtime?.ClipboardSetText(text);
        else await api.app.setClipboardText(text);
      },
    },
    modes: (block) => api.controllers.modes({ block }),
    locate: (block, place) => api.terminals.locate({ block, ...place }),
    openLink: (url) => api.app.openLink(url),
    saveText: async (name, text) => {
      if (!inBrowser()) {
        // A link to download does nothing in WebKitGTK.
        const path = await api.app.saveText({ name, text });
        toasts.show({ level: "info", title: "The text is saved", text: path });
        return;
      }
      const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
      const link = document.createElement("a");
      link.href = url;
      link.download = `${name}.txt`;
      link.click();
      URL.revokeObjectURL(url);
    },
    notify: ({ level, title, text, fix }) => {
      toasts.show({ level, title, text: [text, fix].filter(Boolean).join(" ") });
    },
    isCommandKey: (event) => commands.resolve(event, true) !== undefined,
  };
}

// The commands of a terminal pane, for the palette, the menus and the keys.

import type { Command } from "../../lib/commands";
import type { TerminalHandle } from "./handle";

interface Row {
  readonly id: string;
  readonly title: string;
  readonly words?: string;
  readonly keys?: readonly string[];
  readonly macKeys?: readonly string[];
  readonly run: (pane: TerminalHandle) => void;
}

const rows: readonly Row[] = [
  {
    id: "copy",
    title: "Copy",
    words: "clipboard",
    keys: ["Ctrl+Shift+C"],
    macKeys: ["Meta+C"],
    run: (pane) => pane.copy(),
  },
  {
    id: "paste",
    title: "Paste",
    words: "clipboard insert",
    keys: ["Ctrl+Shift+V"],
    macKeys: ["Meta+V"],
    run: (pane) => pane.paste(),
  },
  {
    id: "selectAll",
    title: "Select all",
    keys: ["Ctrl+Shift+A"],
    macKeys: ["Meta+A"],
    run: (pane) => pane.selectAll(),
  },
  {
    id: "find",
    title: "Find",
    words: "search",
    keys: ["Ctrl+Shift+F"],
    macKeys: ["Meta+F"],
    run: (pane) => pane.find(),
  },
  { id: "findNext", title: "Find next", macKeys: ["Meta+G"], run: (pane) => pane.findNext() },
  {
    id: "findPrevious",
    title: "Find previous",
    macKeys: ["Meta+Shift+G"],
    run: (pane) => pane.findPrevious(),
  },
  {
    id: "zoomIn",
    title: "Zoom in",
    words: "font larger bigger",
    keys: ["Ctrl+="],
    macKeys: ["Meta+="],
    run: (pane) => pane.zoom("in"),
  },
  {
    id: "zoomOut",
    title: "Zoom out",
    words: "font smaller",
    keys: ["Ctrl+-"],
    macKeys: ["Meta+-"],
    run: (pane) => pane.zoom("out"),
  },
  {
    id: "zoomReset",
    title: "Reset zoom",
    words: "font size",
    keys: ["Ctrl+0"],
    macKeys: ["Meta+0"],
    run: (pane) => pane.zoom("reset"),
  },
  { id: "clear", title: "Clear", words: "clean empty", macKeys: ["Meta+K"], run: (pane) => pane.clear() },
  { id: "reset", title: "Reset the terminal", run: (pane) => pane.reset() },
  { id: "scrollTop", title: "Scroll to top", keys: ["Ctrl+Shift+Home"], run: (pane) => pane.scroll("top") },
  {
    id: "scrollBottom",
    title: "Scroll to bottom",
    keys: ["Ctrl+Shift+End"],
    run: (pane) => pane.scroll("bottom"),
  },
  {
    id: "pageUp",
    title: "Scroll up a page",
    keys: ["Ctrl+Shift+PageUp"],
    run: (pane) => pane.scroll("page-up"),
  },
  {
    id: "pageDown",
    title: "Scroll down a page",
    keys: ["Ctrl+Shift+PageDown"],
    run: (pane) => pane.scroll("page-down"),
  },
  {
    id: "previousCommand",
    title: "Previous command",
    words: "prompt jump up mark",
    keys: ["Ctrl+Shift+ArrowUp"],
    macKeys: ["Meta+ArrowUp"],
    run: (pane) => pane.commands.go("previous"),
  },
  {
    id: "nextCommand",
    title: "Next command",
    words: "prompt jump down mark",
    keys: ["Ctrl+Shift+ArrowDown"],
    macKeys: ["Meta+ArrowDown"],
    run: (pane) => pane.commands.go("next"),
  },
  {
    id: "copyOutput",
    title: "Copy a command's output",
    words: "clipboard last result",
    keys: ["Ctrl+Shift+L"],
    macKeys: ["Meta+Shift+L"],
    run: (pane) => pane.commands.copyOutput(),
  },
  {
    id: "copyCommand",
    title: "Copy a command",
    words: "clipboard last",
    run: (pane) => pane.commands.copyCommand(),
  },
  {
    id: "runAgain",
    title: "Run a command again",
    words: "repeat last",
    run: (pane) => pane.commands.runAgain(),
  },
  { id: "restart", title: "Restart", run: (pane) => pane.restart() },
  { id: "interrupt", title: "Interrupt", words: "kill stop signal cancel", run: (pane) => pane.interrupt() },
  { id: "textView", title: "Show as text", words: "plain output read", run: (pane) => pane.textView() },
  { id: "saveText", title: "Save text", words: "export output file", run: (pane) => pane.saveText() },
  {
    id: "discardHeld",
    title: "Discard held input",
    words: "drop waiting",
    keys: ["Ctrl+Shift+Backspace"],
    run: (pane) => pane.discardHeld(),
  },
];

/** The commands, acting on the pane that `target` names when they run. Ids are "terminal.copy" and so on. */
export function terminalCommands(target: () => TerminalHandle | undefined, mac: boolean): Command[] {
  return rows.map(({ id, title, words, keys = [], macKeys, run }) => ({
    id: `terminal.${id}`,
    title,
    group: "Terminal",
    ...(words && { words }),
    keys: (mac && macKeys) || keys,
    panes: "acts",
    when: () => target() !== undefined,
    run: () => {
      const pane = target();
      if (pane) run(pane);
    },
  }));
}

// Keys that programs could have but xterm.js gives no meaning, and those that
// mean copy and paste everywhere: the pane takes them itself, since an app
// leaves all keys of shells to the terminal.
const ownKeys: Readonly<Record<string, (pane: TerminalHandle) => void>> = {
  "Shift+Insert": (pane) => pane.paste(),
  "Ctrl+Insert": (pane) => pane.copy(),
  "Ctrl+=": (pane) => pane.zoom("in"),
  "Ctrl+-": (pane) => pane.zoom("out"),
  "Ctrl+0": (pane) => pane.zoom("reset"),
  "Ctrl+Shift+C": (pane) => pane.copy(),
  "Ctrl+Shift+V": (pane) => pane.paste(),
};

/** What the pane itself does for a chord (spelt as chordText does); undefined for nothing. */
export function ownKey(chord: string): ((pane: TerminalHandle) => void) | undefined {
  return ownKeys[chord];
}

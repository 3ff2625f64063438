import type { Settings } from "../../bridge/types";

// The settings as rows: what there is, how it is called, what may be put in. Pure.

export type SectionId = "look" | "terminal" | "keys" | "storage";

export const sections: readonly { id: SectionId; title: string; text: string }[] = [
  { id: "look", title: "Look", text: "How the window is drawn." },
  { id: "terminal", title: "Terminal", text: "For new and open terminals alike." },
  { id: "keys", title: "Keys", text: "Every command, and the keys that run it." },
  { id: "storage", title: "Storage", text: "What is kept of what terminals print." },
];

export type Control =
  | { kind: "toggle" }
  | { kind: "choice"; options: readonly { value: string; label: string }[] }
  | { kind: "number"; min: number; max: number; step: number; unit?: string }
  | { kind: "text"; placeholder?: string; mono?: boolean };

export interface SettingRow {
  path: string;
  section: SectionId;
  title: string;
  help: string;
  control: Control;
}

const choice = (...pairs: [value: string, label: string][]): Control => ({
  kind: "choice",
  options: pairs.map(([value, label]) => ({ value, label })),
});

export const settingRows: readonly SettingRow[] = [
  {
    path: "theme",
    section: "look",
    title: "Theme",
    help: "System follows what the desktop says",
    control: choice(["system", "System"], ["light", "Light"], ["dark", "Dark"]),
  },
  {
    path: "view.treeShown",
    section: "look",
    title: "Swarm tree",
    help: "At the left: everything that runs",
    control: { kind: "toggle" },
  },
  {
    path: "view.treeWidth",
    section: "look",
    title: "Width of the tree",
    help: "Dragging its edge sets it too",
    control: { kind: "number", min: 120, max: 2000, step: 10, unit: "px" },
  },
  {
    path: "view.dockShown",
    section: "look",
    title: "Activity dock",
    help: "Below: what runs in the background and what ended",
    control: { kind: "toggle" },
  },
  {
    path: "view.dockRows",
    section: "look",
    title: "Rows of the dock",
    help: "At most; it is lower when there is less to show",
    control: { kind: "number", min: 1, max: 50, step: 1 },
  },
  {
    path: "terminal.fontFamily",
    section: "terminal",
    title: "Font",
    help: "Any fixed-width font on this machine; empty is JetBrains Mono",
    control: { kind: "text", placeholder: "JetBrains Mono" },
  },
  {
    path: "terminal.fontSize",
    section: "terminal",
    title: "Size",
    help: "Of the letters; zooming one pane leaves this as it is",
    control: { kind: "number", min: 6, max: 48, step: 0.5, unit: "px" },
  },
  {
    path: "terminal.lineHeight",
    section: "terminal",
    title: "Line height",
    help: "Height of a row, times the size of the letters",
    control: { kind: "number", min: 1, max: 2, step: 0.05 },
  },
  {
    path: "terminal.scrollback",
    section: "terminal",
    title: "Scrollback",
    help: "Lines that can be scrolled back to",
    control: { kind: "number", min: 0, max: 100_000, step: 1000, unit: "lines" },
  },
  {
    path: "terminal.cursorStyle",
    section: "terminal",
    title: "Cursor",
    help: "Unless the program asks for another",
    control: choice(["block", "Block"], ["bar", "Bar"], ["underline", "Underline"]),
  },
  {
    path: "terminal.cursorBlink",
    section: "terminal",
    title: "Cursor blinks",
    help: "It stands still when motion is reduced",
    control: { kind: "toggle" },
  },
  {
    path: "terminal.copyOnSelect",
    section: "terminal",
    title: "Copy on select",
    help: "What you mark goes to the clipboard",
    control: { kind: "toggle" },
  },
  {
    path: "terminal.shellIntegration",
    section: "terminal",
    title: "Shell integration",
    help: "New shells tell their folder, prompts and exit codes; your own files are not touched",
    control: { kind: "toggle" },
  },
  {
    path: "terminal.confirmMultilinePaste",
    section: "terminal",
    title: "Ask before pasting several lines",
    help: "A shell may run each of them at once",
    control: { kind: "toggle" },
  },
  {
    path: "terminal.bell",
    section: "terminal",
    title: "Bell",
    help: "What a program's bell does",
    control: choice(["visual", "Shown"], ["sound", "Heard"], ["none", "Nothing"]),
  },
  {
    path: "terminal.renderer",
    section: "terminal",
    title: "Drawn by",
    help: "Automatic takes the graphics card where that works",
    control: choice(["auto", "Automatic"], ["webgl", "Graphics card"], ["dom", "Browser"]),
  },
  {
    path: "terminal.images",
    section: "terminal",
    title: "Pictures",
    help: "Sixel and iTerm pictures are drawn, in terminals that open from now on",
    control: { kind: "toggle" },
  },
  {
    path: "terminal.shell",
    section: "terminal",
    title: "Shell",
    help: "For new terminals; empty is your login shell",
    control: { kind: "text", placeholder: "your login shell", mono: true },
  },
  {
    path: "terminal.closeOnExit",
    section: "terminal",
    title: "Close the terminal when its program ends",
    help: "Automatic closes a shell that ended well, and nothing else",
    control: choice(["auto", "Automatic"], ["always", "Always"], ["never", "Never"]),
  },
  {
    path: "terminal.screenReader",
    section: "terminal",
    title: "Screen reader",
    help: "Reads out what terminals print",
    control: { kind: "toggle" },
  },
  {
    path: "terminal.commandHistory",
    section: "storage",
    title: "Command history",
    help: "Commands that your shells ran, to be found again; one that begins with a blank is left out",
    control: { kind: "toggle" },
  },
  {
    path: "log.perTerminalMiB",
    section: "storage",
    title: "Log of one terminal",
    help: "Older output is dropped beyond this",
    control: { kind: "number", min: 1, max: 4096, step: 1, unit: "MiB" },
  },
  {
    path: "log.totalGiB",
    section: "storage",
    title: "Logs of all terminals",
    help: "The oldest go first beyond this",
    control: { kind: "number", min: 1, max: 1024, step: 1, unit: "GiB" },
  },
];

/** The value at a path like "terminal.fontSize". */
export function valueAt(settings: Settings, path: string): unknown {
  let at: unknown = settings;
  for (const part of path.split(".")) {
    if (typeof at !== "object" || at === null) return undefined;
    at = (at as Record<string, unknown>)[part];
  }
  return at;
}

/** Rows that have every word of a query in their texts; the section's without one. */
export function rowsFor(section: SectionId, query: string): SettingRow[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return settingRows.filter((r) => r.section === section);
  return settingRows.filter((r) => {
    const text = `${r.title} ${r.help} ${r.path}`.toLowerCase();
    return words.every((w) => text.includes(w));
  });
}

/** Reads a number as typed; text says what is wrong with it. */
export function readNumber(
  typed: string,
  control: Extract<Control, { kind: "number" }>,
): { value: number } | { error: string } {
  const value = Number(typed.trim().replace(",", "."));
  if (typed.trim() === "" || !Number.isFinite(value)) return { error: "This must be a number." };
  if (value < control.min || value > control.max) {
    return { error: `This must be from ${control.min} to ${control.max}.` };
  }
  return { value };
}

// The shapes that cross between page and backend, as the backend's api package
// declares them. Times are RFC 3339 texts; Go's zero time means "never".

export type Kind = "shell" | "subprocess" | "persistent" | "acp" | "appserver" | "durablessh";
export type Level = "info" | "warn" | "error";

export interface Notice {
  id: string;
  level: Level;
  title: string;
  text: string;
  block: string;
  /** What to do about it, "" if nothing. */
  fix: string;
}

export interface Hello {
  version: string;
  platform: "linux" | "darwin" | "windows";
  home: string;
  dataDir: string;
  shell: string;
  browser: boolean;
  /** Names this run of the app: another one has other numbers, so the page is loaded anew. */
  run: string;
  streamUrl: string;
  streamToken: string;
  notices: Notice[];
}

export type Split = "" | "row" | "column";

export interface Pane {
  id: string;
  blocks: string[];
  active: string;
}

export interface LayoutNode {
  split: Split;
  /** Share among the siblings: over 0, any scale. */
  weight: number;
  children: LayoutNode[];
  pane: Pane | null;
}

export interface Floating {
  pane: Pane;
  /** The box in fractions (0 to 1) of the layout's area. */
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Layout {
  root: LayoutNode | null;
  floating: Floating[];
  focus: string;
  zoomed: string;
}

export interface Workspace {
  id: string;
  name: string;
  dir: string;
  layout: Layout;
  unplaced: string[];
}

export interface Block {
  id: string;
  workspace: string;
  kind: Kind;
  name: string;
  dir: string;
  command: string[];
  commandLine: string;
  shell: string;
  env: Record<string, string>;
  closeOnExit: "" | "always" | "never";
  created: string;
}

export interface Model {
  version: number;
  active: string;
  workspaces: Workspace[];
  blocks: Record<string, Block>;
}

export type Side = "center" | "left" | "right" | "above" | "below";

export interface Place {
  workspace: string;
  pane: string;
  side: Side;
  /** Tab position for center; -1 is after the last. */
  index: number;
}

export type ControllerState =
  | "idle"
  | "starting"
  | "running"
  | "reconnecting"
  | "stopping"
  | "killing"
  | "exited"
  | "failed";
export type Reason = "" | "user" | "replace" | "close" | "quit" | "limit" | "failure" | "self";
export type AgentActivity = "" | "idle" | "thinking" | "tool" | "waiting-for-you" | "stalled";

export interface Proc {
  pid: number;
  started: string;
  name: string;
}

export interface Exit {
  /** False when nobody saw the end; then code and signal mean nothing. */
  known: boolean;
  code: number;
  signal: string;
  error: string;
  hungUp: string[] | null;
  leftRunning: Proc[] | null;
}

export interface Status {
  block: string;
  kind: Kind;
  instance: number;
  version: number;
  state: ControllerState;
  reason: Reason;
  message: string;
  pid: number;
  process: string;
  since: string;
  started: string;
  ended: string;
  exit: Exit;
  identity: { uid: string; stable: string; name: string };
  can: {
    input: boolean;
    resize: boolean;
    signal: boolean;
    prompt: boolean;
    interrupt: boolean;
    answer: boolean;
    detach: boolean;
    configure: boolean;
  };
  activity: AgentActivity;
  closing: boolean;
}

export interface Process {
  pid: number;
  parent: number;
  /** For showing only: id is what names it. */
  started: string;
  id: string;
  name: string;
  command: string;
  cpu: number;
  memory: number;
  ports: number[] | null;
  foreground: boolean;
  /** 0 is the block's root. */
  depth: number;
}

export interface BlockRow {
  block: string;
  cpu: number;
  memory: number;
  processes: Process[] | null;
  dir: string;
}

export interface WorkspaceRow {
  id: string;
  cpu: number;
  memory: number;
  blocks: BlockRow[] | null;
}

export interface HostRow {
  id: string;
  name: string;
  cpu: number;
  memory: number;
  workspaces: WorkspaceRow[] | null;
}

export interface Ended {
  id: string;
  block: string;
  name: string;
  owner: string;
  detail: string;
  state: "exited" | "failed" | "unknown" | "left-running" | "stopped";
  at: string;
  code: number;
  pid: number;
  started: string;
  /** Names a process that runs or may run, for ending it; else "". */
  process: string;
}

export interface ActivitySnapshot {
  seq: number;
  at: string;
  /** Percent of one core, all blocks. */
  cpu: number;
  memory: number;
  totalMemory: number;
  hosts: HostRow[] | null;
  ended: Ended[] | null;
}

export interface ClosePreview {
  /** False: close without asking. */
  ask: boolean;
  items: { block: string; name: string; kind: string; detail: string; effect: string }[] | null;
}

export interface Closing {
  id: string;
  blocks: string[];
  /** The workspace that goes with them, "" if none does. */
  workspace: string;
  undoUntil: string;
  state: "undoable" | "ending" | "done" | "undone";
  /** "stopped 3, forced 1, survived 0" once done. */
  result: string;
}

export interface Settings {
  theme: "system" | "light" | "dark";
  terminal: {
    fontFamily: string;
    fontSize: number;
    lineHeight: number;
    scrollback: number;
    cursorStyle: "block" | "bar" | "underline";
    cursorBlink: boolean;
    copyOnSelect: boolean;
    confirmMultilinePaste: boolean;
    shellIntegration: boolean;
    bell: "visual" | "none" | "sound";
    renderer: "auto" | "dom" | "webgl";
    shell: string;
    closeOnExit: "auto" | "always" | "never";
    screenReader: boolean;
    scheme: string;
  };
  log: { perTerminalMiB: number; totalGiB: number };
  keys: Record<string, string>;
  view: { treeWidth: number; dockRows: number; treeShown: boolean; dockShown: boolean };
}

export interface Problem {
  line: number;
  column: number;
  key: string;
  text: string;
}

export interface SettingsView {
  settings: Settings;
  problems: Problem[] | null;
  path: string;
  defaults: Settings;
}

export interface OpenTerminal {
  place: Place;
  name: string;
  dir: string;
  command: string[];
  commandLine: string;
  shell: string;
  env: Record<string, string>;
  cols: number;
  rows: number;
}

export type Signal = "INT" | "TERM" | "KILL" | "HUP" | "QUIT" | "TSTP" | "CONT" | "USR1" | "USR2";

/** Payloads of the events; each carries the number that all of them share. */
export interface EventMap {
  status: { seq: number; status: Status };
  workspaces: { seq: number; version: number };
  activity: { seq: number };
  closing: { seq: number; closing: Closing };
  notice: { seq: number; notice: Notice };
  settings: { seq: number };
  quit: { seq: number; preview: ClosePreview };
  block: { seq: number; block: string; event: "bell" | "title" | "mode"; text: string };
}

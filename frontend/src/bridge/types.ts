// The shapes that cross between page and backend, taken from what Wails
// generates from the backend's structs: a field that is renamed there breaks the
// type check here. Only what is not generated, the payloads of events, and what
// Go says in words of a comment (which texts a field may hold) is written by hand.

import type {
  activity,
  api,
  controller,
  settings,
  supervisor,
  turn,
  workspace,
} from "../../wailsjs/go/models";

/**
 * A generated type as JSON brings it: an enum as its texts, and a pointer, which
 * Wails makes optional, as there or null. What Wails declares as `any` is a time:
 * RFC 3339 text, and Go's zero time means "never".
 */
export type Plain<T> = 0 extends 1 & T
  ? string
  : T extends string
    ? string extends T
      ? string
      : `${T}`
    : T extends readonly (infer U)[]
      ? Plain<U>[]
      : T extends object
        ? { [K in keyof T]-?: 0 extends 1 & T[K] ? string : PlainField<T[K]> }
        : T;

type PlainField<F> = undefined extends F ? Plain<Exclude<F, undefined>> | null : Plain<F>;

/** T with some fields said more exactly. Naming a field that T does not have is an error. */
export type Narrow<T, F extends { [K in keyof F]: K extends keyof T ? T[K] : never }> = Omit<T, keyof F> & F;

export type Level = "info" | "warn" | "error";
export type Notice = Narrow<Plain<api.Notice>, { level: Level }>;
export type Hello = Narrow<Plain<api.Hello>, { platform: "linux" | "darwin" | "windows"; notices: Notice[] }>;

export type Split = Plain<workspace.Split>;
export type Side = Plain<workspace.Side>;
export type Pane = Plain<workspace.Pane>;
/** weight is the share among the siblings: over 0, any scale. */
export type LayoutNode = Plain<workspace.Node>;
/** The box is in fractions (0 to 1) of the layout's area. */
export type Floating = Plain<workspace.Floating>;
export type Layout = Plain<workspace.Layout>;
export type Workspace = Plain<workspace.Workspace>;
export type Block = Plain<workspace.Block>;
export type Model = Plain<workspace.Model>;
/** index is a tab's position for center; -1 is after the last. */
export type Place = Plain<workspace.Place>;

export type ControllerState = Plain<controller.State>;
export type AgentActivity = Plain<turn.Activity>;
export type Exit = Plain<controller.Exit>;
export type Status = Plain<controller.Status>;

export type Process = Plain<activity.Process>;
export type BlockRow = Plain<activity.BlockRow>;
export type Ended = Plain<activity.Ended>;
export type ActivitySnapshot = Plain<activity.Snapshot>;

export type ClosePreview = Plain<api.ClosePreview>;
export type Closing = Plain<supervisor.Closing>;
/** How a terminal takes input; lineLimit is the bytes of one line that it keeps while canonical. */
export type Modes = Plain<api.Modes>;
export type OpenTerminal = Plain<api.OpenTerminal>;

type TerminalSettings = Narrow<
  Plain<settings.Terminal>,
  {
    cursorStyle: "block" | "bar" | "underline";
    bell: "visual" | "none" | "sound";
    renderer: "auto" | "dom" | "webgl";
    closeOnExit: "auto" | "always" | "never";
  }
>;
export type Settings = Narrow<
  Plain<settings.Settings>,
  { theme: "system" | "light" | "dark"; terminal: TerminalSettings }
>;
export type SettingsView = Narrow<Plain<settings.Loaded>, { settings: Settings; defaults: Settings }>;

/** What is looked for in a terminal's log; before: only lines before this byte, 0 is the end. */
export type Search = Plain<api.Search>;
/** A line that was found; line is the number of its first byte. */
export type SearchHit = Plain<api.SearchHit>;
/** While not done, the next call goes on before the byte next. */
export type HistoryCommand = Plain<api.HistoryCommand>;
export type SearchHits = Plain<api.SearchHits>;
/** Lines of a log; at is the place of the one that was asked for. */
export type Locate = Plain<api.Locate>;

export type Located = Plain<api.Located>;

export type LogLines = Plain<api.LogLines>;

export type TerminalState = Plain<api.TerminalState>;
/** What happened in a block's terminal; exit and took (ms) are those of a command that ended, exit -1 if not known. */
export interface BlockEvent {
  seq: number;
  block: string;
  event: "bell" | "notification" | "clipboard" | "clipboard-asked" | "command";
  title: string;
  text: string;
  exit: number;
  took: number;
}

/** Payloads of the events; each carries the number that all of them share. */
export interface EventMap {
  status: { seq: number; status: Status };
  workspaces: { seq: number; version: number };
  activity: { seq: number };
  closing: { seq: number; closing: Closing };
  notice: { seq: number; notice: Notice };
  settings: { seq: number };
  quit: { seq: number; preview: ClosePreview };
  /** What programs say of themselves has changed: titles, progress. */
  terminals: { seq: number };
  block: BlockEvent;
}

// What a terminal pane says about itself to its view.

import type { FindState } from "./find-model";
import type { CommandMenu, StickyCommand } from "./pane-commands";
import type { PasteQuestion } from "./paste";
import type { ScrollState } from "./scroll-watch";
import type { Strip } from "./strips";

/** What the view shows besides the emulator. */
export interface PaneState {
  readonly strips: readonly Strip[];
  readonly scroll: ScrollState;
  /** The target of the link under the pointer, and what a click does. */
  readonly target: { readonly url: string; readonly hint: string } | undefined;
  /** Counts the bells, for a flash at each. */
  readonly bells: number;
  readonly question: PasteQuestion | undefined;
  readonly find: FindState | undefined;
  /** The size in force when another viewer decides it and it is not ours. */
  readonly foreignSize: string | undefined;
  /** It shows what was, because the person reads it, and much has come since. */
  readonly behind: boolean;
  /** The command that what is in view belongs to, while its own line is further up. */
  readonly sticky: StickyCommand | undefined;
  readonly menu: CommandMenu | undefined;
  /** The text of the plain view while that is open. */
  readonly text: string | undefined;
}

export const START: PaneState = {
  strips: [],
  scroll: { back: false, newer: 0 },
  target: undefined,
  bells: 0,
  question: undefined,
  find: undefined,
  foreignSize: undefined,
  behind: false,
  sticky: undefined,
  menu: undefined,
  text: undefined,
};

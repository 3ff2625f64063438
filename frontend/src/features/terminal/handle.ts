// What the app and its commands can do with a terminal pane.

import type { Place } from "./reveal";

/** What can be done with the commands of a shell that marks them. What cannot be done is said. */
export interface CommandsHandle {
  /** Shows the previous or next one at the top. */
  go(to: "previous" | "next"): void;
  /** These three act on the one that was gone to, else on the last one that ended. */
  copyOutput(): void;
  copyCommand(): void;
  runAgain(): void;
  /** Puts a command at the shell's prompt, and runs it if told to. */
  enter(text: string, run: boolean): void;
}

export interface TerminalHandle {
  readonly block: string;
  focus(): void;
  /** Sends a text as if its keys were pressed; false while there is nothing to send it to. */
  type(text: string): boolean;
  copy(): void;
  paste(): void;
  /** Pastes this text by the same rules and questions as a paste from the clipboard. */
  pasteText(text: string): void;
  selectAll(): void;
  find(): void;
  findNext(): void;
  findPrevious(): void;
  zoom(change: "in" | "out" | "reset"): void;
  /** Empties scrollback and screen but for the line of the cursor. */
  clear(): void;
  /** Puts the emulator back to its first state. */
  reset(): void;
  scroll(to: "top" | "bottom" | "page-up" | "page-down"): void;
  /** Goes to a place of its log and marks it; false if it is not on the screen or above it any more. */
  reveal(place: Place): Promise<boolean>;
  readonly commands: CommandsHandle;
  restart(): void;
  interrupt(): void;
  /** Shows or hides the text as text, for reading and for screen readers. */
  textView(): void;
  saveText(): void;
  /** All text that is kept, wrapped lines joined. */
  text(): string;
  discardHeld(): void;
}

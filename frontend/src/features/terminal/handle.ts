// What the app and its commands can do with a terminal pane.

import type { Place } from "./reveal";

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
  restart(): void;
  interrupt(): void;
  /** Shows or hides the text as text, for reading and for screen readers. */
  textView(): void;
  saveText(): void;
  /** All text that is kept, wrapped lines joined. */
  text(): string;
  discardHeld(): void;
}

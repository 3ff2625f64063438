// The search of one terminal: its text, its options and how many there are.

import type { FindOptions } from "./search-model";

export interface FindState {
  readonly text: string;
  readonly regex: boolean;
  readonly matchCase: boolean;
  readonly word: boolean;
  /** The current match from 0, -1 if not known; and how many. */
  readonly index: number;
  readonly count: number;
  /** Why the pattern cannot be searched, "" if it can. */
  readonly error: string;
}

/** The part of an emulator that searches. */
export interface Searchable {
  find(text: string, how: FindOptions, direction: "next" | "previous"): void;
  endFind(): void;
}

const EMPTY: FindState = {
  text: "",
  regex: false,
  matchCase: false,
  word: false,
  index: -1,
  count: 0,
  error: "",
};

/** Text and options stay for the next time; `changed` gets undefined while it is closed. */
export class FindModel {
  private readonly target: Searchable;
  private readonly changed: (state: FindState | undefined) => void;
  private state = EMPTY;
  private shown = false;

  constructor(target: Searchable, changed: (state: FindState | undefined) => void) {
    this.target = target;
    this.changed = changed;
  }

  /** Opens with what is selected, if that is one line. */
  open(selection: string): void {
    this.shown = true;
    const text = selection && !selection.includes("\n") ? selection : this.state.text;
    this.change({ text });
  }

  close(): void {
    if (!this.shown) return;
    this.shown = false;
    this.target.endFind();
    this.changed(undefined);
  }

  /** The newest match counts first: it looks upwards from the bottom of what is shown. */
  change(change: Partial<Pick<FindState, "text" | "regex" | "matchCase" | "word">>): void {
    this.state = { ...this.state, ...change };
    this.search("previous", true);
  }

  /** Goes on to another match; opens when it is closed. */
  go(direction: "next" | "previous"): void {
    if (!this.shown) this.open("");
    else this.search(direction, false);
  }

  found(index: number, count: number): void {
    if (!this.shown) return;
    this.state = { ...this.state, index, count };
    this.changed(this.state);
  }

  private search(direction: "next" | "previous", incremental: boolean): void {
    const { text } = this.state;
    let error = "";
    try {
      if (text === "") this.target.endFind();
      else this.target.find(text, { ...this.state, incremental }, direction);
    } catch (cause) {
      error = cause instanceof SyntaxError ? "not a pattern" : String(cause);
      this.target.endFind();
    }
    const none = text === "" || error !== "";
    this.state = { ...this.state, error, ...(none && { index: -1, count: 0 }) };
    this.changed(this.state);
  }
}

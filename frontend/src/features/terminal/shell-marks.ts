// The commands of a shell that marks them (OSC 133), as places in the emulator's
// text. The marks come with the bytes and with screens alike.

import type { IMarker, Terminal } from "@xterm/xterm";
import { type Disposable, DisposableStore } from "../../lib/disposable";
import { type Cell, lineStart, textBetween } from "./screen-text";

/** How many commands are followed, the newest: each costs xterm a little at every line that scrolls. */
const MOST = 1000;

/** The start of a line that is followed. Places on one line share it, since it costs. */
class Anchor {
  readonly marker: IMarker;
  private uses = 0;

  constructor(marker: IMarker) {
    this.marker = marker;
  }

  take(): void {
    this.uses++;
  }

  release(): void {
    if (--this.uses === 0) this.marker.dispose();
  }
}

/** A cell that moves with its text, also when lines are wrapped anew. */
export class Place {
  private readonly anchor: Anchor;
  /** Cells from the start of its line, however that is wrapped. */
  private readonly offset: number;

  constructor(anchor: Anchor, offset: number) {
    this.anchor = anchor;
    this.offset = offset;
    anchor.take();
  }

  /** Whether its line has been erased, or has left the scrollback. */
  get gone(): boolean {
    return this.marker.isDisposed;
  }

  /** At the start of its line. */
  get marker(): IMarker {
    return this.anchor.marker;
  }

  at(cols: number): Cell {
    const rows = Math.floor(this.offset / cols);
    return { y: this.marker.line + rows, x: this.offset - rows * cols };
  }

  release(): void {
    this.anchor.release();
  }
}

/** "typing": its prompt is there. "lost": nobody said how it ended. */
export type CommandState = "typing" | "running" | "ended" | "lost";

/** One command, or the prompt for the next. What has no mark is undefined. */
export interface ShellCommand {
  readonly state: CommandState;
  /** Where its prompt begins, and where that ends. */
  readonly prompt: Place | undefined;
  readonly typed: Place | undefined;
  /** Where its output begins, and where that ends. */
  readonly output: Place | undefined;
  readonly end: Place | undefined;
  /** As the shell said it, else as it stood on the screen. */
  readonly text: string;
  /** Whether `text` is for certain what was typed. */
  readonly exact: boolean;
  /** Its output began further up than anything that is here. */
  readonly cut: boolean;
  /** undefined when the shell did not say it. */
  readonly exit: number | undefined;
}

type Told = Pick<ShellCommand, "text" | "exact">;
type Entry = { -readonly [K in keyof ShellCommand]: ShellCommand[K] };

/** Ends with the terminal, or when disposed. */
export class ShellMarks implements Disposable {
  private readonly terminal: Terminal;
  private readonly own = new DisposableStore();
  private entries: Entry[] = [];
  private anchor: Anchor | undefined;

  constructor(terminal: Terminal) {
    this.terminal = terminal;
    this.own.add(
      terminal.parser.registerOscHandler(133, (data) => {
        if (terminal.buffer.active.type === "normal") this.mark(data);
        return true;
      }),
    );
    // A full reset, with which a screen begins too, leaves no line.
    this.own.add(
      terminal.parser.registerEscHandler({ final: "c" }, () => {
        this.clear();
        return false;
      }),
    );
  }

  /** The oldest first. The last one may be a prompt. */
  get commands(): readonly ShellCommand[] {
    return this.entries;
  }

  /** Forgets all: the text is another one. */
  clear(): void {
    for (const entry of this.entries) release(entry);
    this.entries = [];
    this.anchor = undefined;
  }

  /** Follows what `change` does, which leaves nothing but the line of the cursor. */
  keepCursorLine(change: () => void): void {
    const last = this.entries.at(-1);
    const here = this.cursor();
    const at = last?.state === "typing" ? last.typed?.at(this.terminal.cols) : undefined;
    change();
    this.clear();
    if (last === undefined) return;
    const entry = { ...newEntry(last.state), text: last.text, exact: last.exact };
    if (at?.y === here.y) {
      entry.prompt = this.place(0);
      entry.typed = this.place(at.x);
    }
    this.entries.push(entry);
  }

  dispose(): void {
    this.clear();
    this.own.dispose();
  }

  private mark(data: string): void {
    const [kind, ...fields] = data.split(";");
    const last = this.entries.at(-1);
    const open = last?.state === "typing" ? last : undefined;
    switch (kind) {
      case "A": {
        // A prompt that is drawn again moves.
        const entry = open ?? this.begin("typing");
        entry.prompt = this.moved(entry.prompt);
        break;
      }
      case "B": {
        const entry = open ?? (last?.state === "running" ? undefined : this.begin("typing"));
        if (entry) entry.typed = this.moved(entry.typed);
        break;
      }
      case "C": {
        const entry = open ?? this.begin("running");
        entry.output = this.moved(entry.output);
        entry.state = "running";
        const { x, y } = this.cursor();
        entry.cut = !open && x === 0 && y === 0;
        Object.assign(entry, said(fields) ?? this.read(entry.typed, entry.output));
        break;
      }
      case "D":
        if (last?.state !== "running") break; // an empty line, or a prompt that is drawn again
        last.end = this.moved(last.end);
        last.state = "ended";
        last.exit = exitOf(fields);
        break;
    }
  }

  private begin(state: CommandState): Entry {
    const last = this.entries.at(-1);
    if (last?.state === "running") last.state = "lost"; // the shell was replaced or killed
    const entry = newEntry(state);
    this.entries.push(entry);
    while (this.entries.length > MOST || (this.entries.length > 1 && gone(this.entries[0]))) {
      const first = this.entries.shift();
      if (first) release(first);
    }
    return entry;
  }

  private moved(old: Place | undefined): Place {
    const now = this.place(this.terminal.buffer.active.cursorX);
    old?.release();
    return now;
  }

  private cursor(): Cell {
    const { active } = this.terminal.buffer;
    return { y: active.baseY + active.cursorY, x: active.cursorX };
  }

  private place(x: number): Place {
    const { terminal } = this;
    const { y } = this.cursor();
    const start = lineStart(terminal.buffer.active, y);
    if (!this.anchor || this.anchor.marker.isDisposed || this.anchor.marker.line !== start) {
      this.anchor = new Anchor(terminal.registerMarker(start - y));
    }
    return new Place(this.anchor, (y - start) * terminal.cols + x);
  }

  private read(from: Place | undefined, to: Place): Told {
    if (!from || from.gone) return { text: "", exact: false };
    const { buffer, cols } = this.terminal;
    const text = textBetween(buffer.active, from.at(cols), to.at(cols)).trim();
    // Between lines stands the second prompt: only of the usual one is it known which.
    const [first = "", ...more] = text.split("\n");
    if (!more.every((line) => line.startsWith("> "))) return { text, exact: false };
    return { text: [first, ...more.map((line) => line.slice(2))].join("\n"), exact: true };
  }
}

function newEntry(state: CommandState): Entry {
  const none = undefined;
  return {
    state,
    text: "",
    exact: false,
    cut: false,
    exit: none,
    prompt: none,
    typed: none,
    output: none,
    end: none,
  };
}

function release({ prompt, typed, output, end }: ShellCommand): void {
  for (const place of [prompt, typed, output, end]) place?.release();
}

function gone(entry: ShellCommand | undefined): boolean {
  const last = entry?.end ?? entry?.output ?? entry?.typed ?? entry?.prompt;
  return last?.gone ?? true;
}

/** What a C mark says of the command's text: percent-encoded. */
function said(fields: readonly string[]): Told | undefined {
  const key = "cmdline_url=";
  const coded = fields.find((field) => field.startsWith(key))?.slice(key.length);
  if (coded === undefined) return undefined;
  try {
    const text = decodeURIComponent(coded)
      .replaceAll("\t", " ")
      .replace(/\p{Cc}/gu, (char) => (char === "\n" ? char : ""));
    return { text: text.trim(), exact: true };
  } catch {
    return undefined;
  }
}

function exitOf([code]: readonly string[]): number | undefined {
  return code !== undefined && /^-?\d+$/.test(code) ? Number(code) : undefined;
}

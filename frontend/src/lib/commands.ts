import { type Chord, chordOf, chordText, type KeyLike, parseChord, shellUses } from "./chord";
import { type Disposable, disposable } from "./disposable";
import { Emitter } from "./emitter";

/**
 * "acts": on a pane as it is seen, so it may not run while the panes are covered.
 * "shows": what it does is seen in the panes, so the cover goes first.
 * "closes": it closes what is in front, and that is the cover.
 */
export type PanesPart = "acts" | "shows" | "closes";

/** What may lie over the panes, such as the settings. */
export interface Cover {
  covered(): boolean;
  /** Takes it away; nothing when there is none. */
  leave(): void;
}

const never: Cover = { covered: () => false, leave: () => {} };

/** One thing that the window can do. The palette, the menus and the keys all read the same list. */
export interface Command {
  id: string;
  title: string;
  /** Heading in the palette and in the list of keys. */
  group: string;
  /** Default chords; the first one that works in a terminal is the one that is shown. */
  keys?: readonly string[];
  /** Other words by which the palette finds it. */
  words?: string;
  /** False hides it from the palette and lets its keys through. */
  when?: () => boolean;
  /** What it has to do with the panes; decides what it means while something covers them. */
  panes?: PanesPart;
  /** Said beside the title in the palette, such as what it acts on. */
  detail?: () => string;
  run: (arg?: unknown) => void | Promise<void>;
}

/** Two commands that ask for one chord. */
export interface Conflict {
  chord: string;
  commands: string[];
}

/** Holds the commands and decides which one a key press means. */
export class CommandRegistry implements Disposable {
  readonly mac: boolean;
  readonly onChange = new Emitter<void>();
  /** Told when a command fails, with its title. */
  readonly onFailure = new Emitter<{ command: Command; error: unknown }>();
  #commands = new Map<string, Command>();
  #overrides: Readonly<Record<string, string>> = {};
  #version = 0;
  #cover: Cover;

  constructor(mac: boolean, cover: Cover = never) {
    this.mac = mac;
    this.#cover = cover;
  }

  /** Brings the panes into view, for what is not a command but is seen there. */
  uncover(): void {
    this.#cover.leave();
  }

  /** Rises with every change; a snapshot for React. */
  get version(): number {
    return this.#version;
  }

  /** Adds a command; the id must be new. */
  register(command: Command): Disposable {
    if (this.#commands.has(command.id)) throw new Error(`command ${command.id} is registered twice`);
    this.#commands.set(command.id, command);
    this.#changed();
    return disposable(() => {
      this.#commands.delete(command.id);
      this.#changed();
    });
  }

  /** The commands that may run now and do what their titles say. */
  offered(): Command[] {
    const covered = this.#cover.covered();
    return this.all().filter((c) => this.#may(c) && !(covered && c.panes === "closes"));
  }

  /** The person's own keys: command id to chord, "" for none. */
  setOverrides(overrides: Readonly<Record<string, string>>): void {
    this.#overrides = overrides;
    this.#changed();
  }

  all(): Command[] {
    return [...this.#commands.values()];
  }

  find(id: string): Command | undefined {
    return this.#commands.get(id);
  }

  isOverridden(id: string): boolean {
    return this.#overrides[id] !== undefined;
  }

  /** What is wrong with a person's own keys, by the id they stand under; the command keeps its default then. */
  problems(): { id: string; text: string }[] {
    return Object.entries(this.#overrides).flatMap(([id, text]) => {
      if (!this.#commands.has(id)) return [{ id, text: "there is no such command" }];
      if (text === "" || parseChord(text, this.mac)) return [];
      return [{ id, text: `“${text}” is no key; write it like "Ctrl+Shift+K", or "" for none` }];
    });
  }

  /** The chords in force for a command. */
  chords(id: string): Chord[] {
    const own = this.#overrides[id];
    if (own === "") return [];
    const chosen = own === undefined ? undefined : parseChord(own, this.mac);
    if (chosen) return [chosen];
    const texts = this.#commands.get(id)?.keys ?? [];
    return texts.map((t) => parseChord(t, this.mac)).filter((c) => c !== undefined);
  }

  /** The chord to show beside a command: one that works everywhere if there is one. */
  shownChord(id: string): Chord | undefined {
    const chords = this.chords(id);
    return chords.find((c) => !shellUses(c)) ?? chords[0];
  }

  /** Chords that more than one command asks for. */
  conflicts(): Conflict[] {
    const by = new Map<string, string[]>();
    for (const command of this.#commands.values()) {
      for (const chord of this.chords(command.id)) {
        const text = chordText(chord);
        by.set(text, [...(by.get(text) ?? []), command.id]);
      }
    }
    return [...by].filter(([, ids]) => ids.length > 1).map(([chord, commands]) => ({ chord, commands }));
  }

  /** Which other commands a chord would clash with. */
  clashes(id: string, chord: Chord): Command[] {
    const text = chordText(chord);
    return this.all().filter((c) => c.id !== id && this.chords(c.id).some((k) => chordText(k) === text));
  }

  /**
   * The command that a key press means. While a terminal has the focus, chords
   * that shells use are never taken.
   */
  resolve(event: KeyLike, inTerminal: boolean): Command | undefined {
    const chord = chordOf(event);
    if (!chord || (inTerminal && shellUses(chord))) return undefined;
    const text = chordText(chord);
    return this.all().find((c) => this.#may(c) && this.chords(c.id).some((k) => chordText(k) === text));
  }

  /** Runs a command that exists and may run now; reports what it throws by onFailure. */
  run(id: string, arg?: unknown): void {
    const command = this.#commands.get(id);
    if (!command || !this.#may(command)) return;
    if (command.panes && this.#cover.covered()) {
      this.#cover.leave();
      if (command.panes === "closes") return;
    }
    const failed = (error: unknown) => this.onFailure.fire({ command, error });
    try {
      Promise.resolve(command.run(arg)).catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  dispose(): void {
    this.#commands.clear();
    this.onChange.dispose();
    this.onFailure.dispose();
  }

  #may(command: Command): boolean {
    if (command.panes && command.panes !== "shows" && this.#cover.covered())
      return command.panes === "closes";
    return command.when?.() ?? true;
  }

  #changed(): void {
    this.#version++;
    this.onChange.fire();
  }
}

// What a person does with the commands of a shell: goes from one to the next,
// copies what they printed, runs them again.

import type { IBuffer } from "@xterm/xterm";
import { type Disposable, DisposableStore } from "../../lib/disposable";
import { count } from "../../lib/format";
import type { Emulator } from "./emulator";
import { lastAtOrAbove, Margin, type Outcome, outcomeOf } from "./margin";
import { type Cell, textBetween } from "./screen-text";
import type { TerminalServices } from "./services";
import type { ShellCommand } from "./shell-marks";

/** So long the command that was gone to is shown. */
const FLASH_MS = 1200;

/** The command that what is in view belongs to, when its prompt is further up. */
export interface StickyCommand {
  readonly text: string;
  readonly outcome: Outcome;
}

/** The open menu of a command; top in CSS pixels in the pane. */
export interface CommandMenu {
  readonly command: ShellCommand;
  readonly top: number;
}

export interface CommandsPane {
  readonly emulator: Emulator;
  /** Whether anybody reads what is typed. */
  reads(): boolean;
  /** Types into the program. */
  input(text: string): void;
  /** Pastes, or asks first. */
  pasteText(text: string): void;
  /** Puts it into the clipboard. */
  copyText(text: string): Promise<void>;
  /** In a flood the scrollback stays away: asks for it. */
  fetchScrollback(): void;
  stick(sticky: StickyCommand | undefined): void;
  menu(menu: CommandMenu | undefined): void;
  focus(): void;
}

export class PaneCommands implements Disposable {
  private readonly services: TerminalServices;
  private readonly pane: CommandsPane;
  private readonly own = new DisposableStore();
  private margin: Margin | undefined;
  private flash: Disposable | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  // The command that was gone to, as long as the view stays there.
  private picked: { readonly command: ShellCommand; readonly view: number } | undefined;
  private stuck: ShellCommand | undefined;
  private stuckAs: Outcome | undefined;
  // Something was typed since the prompt was there.
  private touched: ShellCommand | undefined;

  constructor(services: TerminalServices, pane: CommandsPane) {
    this.services = services;
    this.pane = pane;
    this.own.add(pane.emulator.terminal.onRender(() => this.drawn()));
  }

  /** Where the marks are shown. The returned function ends it. */
  showIn(element: HTMLElement): () => void {
    this.margin = new Margin(this.pane.emulator, element, (command, top) => this.pane.menu({ command, top }));
    this.margin.measure();
    return () => {
      this.margin = undefined;
      element.replaceChildren();
    };
  }

  /** Rows may have another height now. */
  measure(): void {
    this.margin?.measure();
    this.drawn();
  }

  /** The person typed something. */
  typed(): void {
    this.picked = undefined;
    const last = this.commands.at(-1);
    if (last?.state === "typing") this.touched = last;
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.flash?.dispose();
    this.own.dispose();
  }

  /** Shows the previous or next command at the top. After the last one comes the bottom. */
  go(to: "previous" | "next"): void {
    this.pane.fetchScrollback();
    const { terminal } = this.pane.emulator;
    const stops = this.commands.filter((c) => c.prompt && !c.prompt.gone && c.state !== "typing");
    const here = this.standing(stops);
    const next = stops[to === "previous" ? Math.ceil(here) - 1 : Math.floor(here) + 1];
    if (next) this.show(next);
    else if (to === "next") terminal.scrollToBottom();
    else if (stops[0]) this.show(stops[0]);
    else this.tell("There is no command above", this.silence());
  }

  /** Goes to the command that the line at the top names. */
  goToSticky(): void {
    const { stuck } = this;
    if (stuck?.prompt && !stuck.prompt.gone) this.show(stuck);
    else this.pane.emulator.terminal.scrollToTop();
    this.pane.focus();
  }

  /** What the command printed, or the one that was gone to, or the last that ended. */
  copyOutput(command = this.target()): void {
    if (!command?.output) {
      this.tell("No output was copied", command ? "It printed nothing yet." : this.silence());
      return;
    }
    const { terminal } = this.pane.emulator;
    const { active } = terminal.buffer;
    if (active.type !== "normal") {
      this.tell("No output was copied", "A program has the whole screen.");
      return;
    }
    if (command.end?.gone) {
      this.tell("No output was copied", "It has left the scrollback; “Find in output” may still have it.");
      return;
    }
    const cut = command.output.gone || command.cut;
    const from = command.output.gone ? { y: 0, x: 0 } : command.output.at(terminal.cols);
    const to = command.end?.at(terminal.cols) ?? { y: active.baseY + active.cursorY + 1, x: 0 };
    const text = outputBetween(active, from, to);
    const lines = text.split("\n").length;
    if (text === "") this.tell("No output was copied", "It printed nothing.");
    else {
      const beginning = cut ? " Its beginning has left the scrollback." : "";
      this.copy(text, `${count(lines, "line")} of output copied`, `of ${nameOf(command)}.${beginning}`);
    }
  }

  copyCommand(command = this.target()): void {
    if (command?.text) this.copy(command.text, "Command copied", nameOf(command));
    else this.tell("No command was copied", command ? "Its text is not known." : this.silence());
  }

  runAgain(command = this.target()): void {
    if (command?.exact && command.text) this.enter(command.text, true);
    else this.tell("Nothing was run", command ? "Its text is not known for certain." : this.silence());
  }

  /** Puts a command at the shell's prompt, and runs it if told to; says why not if it cannot. */
  enter(text: string, run: boolean): void {
    const why = this.refusal(run);
    if (why) {
      this.tell(run ? "Nothing was run" : "Nothing was typed", why);
      return;
    }
    const { emulator } = this.pane;
    emulator.terminal.scrollToBottom();
    this.pane.focus();
    // Each line would run by itself, which a paste asks about.
    if (text.includes("\n") && !emulator.bracketed) this.pane.pasteText(text);
    else {
      emulator.paste(text);
      if (run) this.pane.input("\r");
    }
  }

  private get commands(): readonly ShellCommand[] {
    return this.pane.emulator.marks.commands;
  }

  /** Why nothing can be put at the prompt, "" if it can. */
  private refusal(run: boolean): string {
    const { terminal } = this.pane.emulator;
    const last = this.commands.at(-1);
    if (!this.pane.reads()) return "The program in this terminal has ended.";
    if (terminal.buffer.active.type !== "normal") return "A program has the whole screen.";
    if (last === undefined) return run ? this.silence() : "";
    if (last.state === "running") return `${nameOf(last)} is still running.`;
    if (last.state !== "typing") return run ? "The shell is not at its prompt." : "";
    return run && !this.lineIsEmpty(last) ? "There is something at the prompt already." : "";
  }

  private lineIsEmpty(prompt: ShellCommand): boolean {
    const { typed } = prompt;
    // A shell that does not say where its prompt ends.
    if (!typed || typed.gone) return this.touched !== prompt;
    const { buffer, cols } = this.pane.emulator.terminal;
    const { active } = buffer;
    const { y, x } = typed.at(cols);
    if (active.baseY + active.cursorY !== y || active.cursorX !== x) return false;
    // Two cells: there may be a blank first; and further right stands another part of the prompt.
    return (
      active
        .getLine(y)
        ?.translateToString(false, x, x + 2)
        .trim() === ""
    );
  }

  private silence(): string {
    if (this.commands.length > 0) return "None has run here yet.";
    return this.services.settings.get().shellIntegration
      ? "The program here does not say where its commands begin."
      : "Shell integration is switched off in the settings.";
  }

  private target(): ShellCommand | undefined {
    if (this.stays()) return this.picked?.command;
    return this.commands.findLast((c) => c.state === "ended" || c.state === "lost");
  }

  private stays(): boolean {
    return (
      this.picked !== undefined && this.picked.view === this.pane.emulator.terminal.buffer.active.viewportY
    );
  }

  /** Where the person is among the commands: at an index, or between two. */
  private standing(stops: readonly ShellCommand[]): number {
    const { buffer, cols } = this.pane.emulator.terminal;
    const { viewportY, baseY } = buffer.active;
    const picked = this.stays() && this.picked ? stops.indexOf(this.picked.command) : -1;
    if (picked >= 0) return picked;
    if (viewportY >= baseY) return stops.length;
    const above = lastAtOrAbove(stops, viewportY, cols);
    return stops[above]?.prompt?.at(cols).y === viewportY ? above : above + 0.5;
  }

  private show(command: ShellCommand): void {
    const { terminal } = this.pane.emulator;
    const { prompt, typed } = command;
    if (!prompt) return;
    const { y } = prompt.at(terminal.cols);
    terminal.scrollToLine(y);
    this.picked = { command, view: terminal.buffer.active.viewportY };
    this.flash?.dispose();
    clearTimeout(this.timer);
    const rows = typed && !typed.gone ? typed.at(terminal.cols).y - y + 1 : 1;
    const { baseY, cursorY } = terminal.buffer.active;
    const marker = terminal.registerMarker(y - baseY - cursorY);
    const shown = terminal.registerDecoration({ marker, width: terminal.cols, height: Math.max(1, rows) });
    shown?.onRender((element) => element.classList.add("term-flash"));
    this.flash = marker;
    this.timer = setTimeout(() => marker.dispose(), FLASH_MS);
  }

  private drawn(): void {
    this.margin?.draw();
    const sticky = this.sticky();
    const as = sticky && outcomeOf(sticky);
    if (sticky === this.stuck && as === this.stuckAs) return;
    this.stuck = sticky;
    this.stuckAs = as;
    this.pane.stick(sticky && as && { text: sticky.text, outcome: as });
  }

  /** While scrolled back: the command whose output stands at the top, if its own line does not. */
  private sticky(): ShellCommand | undefined {
    const { buffer, cols } = this.pane.emulator.terminal;
    const { type, viewportY, baseY } = buffer.active;
    if (type !== "normal" || viewportY >= baseY) return undefined;
    const { commands } = this;
    // Without one above, it may be one whose prompt has left the scrollback.
    const at = lastAtOrAbove(commands, viewportY, cols);
    const command = commands[Math.max(0, at)];
    if (!command?.text || !command.output) return undefined;
    const begins = command.output.gone ? 0 : command.output.at(cols).y;
    const ends = !command.end ? baseY : command.end.gone ? -1 : command.end.at(cols).y;
    return begins <= viewportY && viewportY < ends ? command : undefined;
  }

  private copy(text: string, title: string, said: string): void {
    this.pane.copyText(text).then(
      () => this.tell(title, said),
      () => {}, // said already
    );
  }

  private tell(title: string, text: string): void {
    this.services.notify({ level: "info", title, text });
  }
}

/** What was printed from one cell to another, without the sign that zsh puts behind output that ends in no line. */
function outputBetween(buffer: IBuffer, from: Cell, to: Cell): string {
  const text = textBetween(buffer, from, to).trimEnd();
  if (!/[%#]$/.test(text)) return text;
  for (let y = to.y; y >= from.y; y--) {
    const line = buffer.getLine(y);
    for (let x = (y === to.y ? to.x : (line?.length ?? 0)) - 1; x >= 0; x--) {
      const cell = line?.getCell(x);
      if (cell?.getChars().trim()) return cell.isInverse() ? text.slice(0, -1) : text;
    }
  }
  return text;
}

function nameOf({ text }: ShellCommand): string {
  const first = text.split("\n", 1)[0] ?? "";
  if (first === "") return "the command";
  return first.length > 60 ? `${first.slice(0, 60)}…` : first;
}

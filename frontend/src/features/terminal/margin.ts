// How commands ended, in the margin beside their prompts. Only what is in view
// has an element, and a frame in which nothing of this changed costs a look.

import type { Emulator } from "./emulator";
import type { ShellCommand } from "./shell-marks";

/** How a command stands; "unknown": nobody said how it ended. */
export type Outcome = "running" | "ok" | "failed" | "unknown";

export function outcomeOf({ state, exit }: ShellCommand): Outcome {
  if (state === "running") return "running";
  if (state !== "ended" || exit === undefined) return "unknown";
  return exit === 0 ? "ok" : "failed";
}

/** In words, as after the command's name. */
export function outcomeText(command: ShellCommand): string {
  switch (outcomeOf(command)) {
    case "running":
      return "is running";
    case "ok":
      return "exited with 0";
    case "failed":
      return `exited with ${command.exit}`;
    case "unknown":
      return "ended, nobody said how";
  }
}

/** The one whose prompt is the last at the row or above it: its index, -1 for none. */
export function lastAtOrAbove(commands: readonly ShellCommand[], row: number, cols: number): number {
  let i = commands.length - 1;
  for (; i >= 0; i--) {
    const prompt = commands[i]?.prompt;
    if (prompt && !prompt.gone && prompt.at(cols).y <= row) break;
  }
  return i;
}

export class Margin {
  private readonly emulator: Emulator;
  private readonly element: HTMLElement;
  private readonly pressed: (command: ShellCommand, top: number) => void;
  private shown: string | undefined;
  private cell = 0;

  /** `pressed` hears the command and where its mark stands, in CSS pixels from the top of `element`. */
  constructor(
    emulator: Emulator,
    element: HTMLElement,
    pressed: (command: ShellCommand, top: number) => void,
  ) {
    this.emulator = emulator;
    this.element = element;
    this.pressed = pressed;
  }

  /** Rows may have another height now. */
  measure(): void {
    this.cell = 0;
    this.shown = undefined;
    this.draw();
  }

  draw(): void {
    const marks = this.inView();
    const now = marks.map(({ row, command }) => `${row} ${outcomeText(command)}`).join();
    if (now === this.shown) return;
    this.shown = now;
    this.cell ||= this.emulator.cell.height;
    this.element.replaceChildren(...marks.map((mark) => this.button(mark)));
  }

  private inView(): { row: number; command: ShellCommand }[] {
    const { terminal, marks } = this.emulator;
    const { active } = terminal.buffer;
    const out: { row: number; command: ShellCommand }[] = [];
    if (active.type !== "normal") return out;
    const { commands } = marks;
    for (let i = lastAtOrAbove(commands, active.viewportY + terminal.rows - 1, terminal.cols); i >= 0; i--) {
      const command = commands[i];
      if (!command?.prompt || command.prompt.gone || command.state === "typing") continue;
      const row = command.prompt.at(terminal.cols).y - active.viewportY;
      if (row < 0) break;
      out.push({ row, command });
    }
    return out;
  }

  private button({ row, command }: { row: number; command: ShellCommand }): HTMLElement {
    const button = document.createElement("button");
    const top = row * this.cell;
    button.type = "button";
    button.className = `term-mark ${outcomeOf(command)}`;
    button.tabIndex = -1; // the same is in the palette, for the keys
    button.title = `${command.text.split("\n", 1)[0] || "It"} ${outcomeText(command)}`;
    button.style.top = `${top}px`;
    button.style.height = `${this.cell}px`;
    button.setAttribute("aria-label", button.title);
    button.addEventListener("click", () => this.pressed(command, top + this.cell));
    return button;
  }
}

// What goes between a terminal and the clipboard, by the person or by a program.

import type { Emulator } from "./emulator";
import { InputOrder, type Turn } from "./input-order";
import { asOneLine, droppedPaths, longestLine, type PasteQuestion, pasteQuestion, SURE_LINE } from "./paste";
import type { TerminalServices } from "./services";
import { trouble } from "./trouble";

/** A selection that rests so long is copied, if the setting says so. */
const COPY_AFTER_MS = 150;
/** What a program does to the clipboard is told at most once in this time. */
const NOTICE_MS = 5000;

export interface ClipboardPane {
  readonly block: string;
  readonly emulator: Emulator;
  /** Whether anybody would read a paste. */
  reads(): boolean;
  /** Shows a question about a paste, or takes it away. */
  ask(question: PasteQuestion | undefined): void;
  /** Sends what was typed. */
  send(data: Uint8Array): void;
  focus(): void;
}

export class PaneClipboard {
  private readonly services: TerminalServices;
  private readonly pane: ClipboardPane;
  private readonly order: InputOrder;
  private asked: { question: PasteQuestion; turn: Turn } | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private gone = false;
  private told = Number.NEGATIVE_INFINITY;

  constructor(services: TerminalServices, pane: ClipboardPane) {
    this.services = services;
    this.pane = pane;
    this.order = new InputOrder((data) => pane.send(data));
  }

  /** Takes the browser's pastes and drops in `element`. The returned function ends it. */
  listen(element: HTMLElement): () => void {
    element.addEventListener("paste", this.onPaste, { capture: true });
    element.addEventListener("dragover", this.onDrag);
    element.addEventListener("drop", this.onDrag);
    return () => {
      this.gone = true;
      clearTimeout(this.timer);
      element.removeEventListener("paste", this.onPaste, { capture: true });
      element.removeEventListener("dragover", this.onDrag);
      element.removeEventListener("drop", this.onDrag);
    };
  }

  copy(): void {
    const text = this.pane.emulator.terminal.getSelection();
    if (text) this.write(text);
  }

  /** What was typed: a paste that was asked for before comes first. */
  typed(data: Uint8Array): void {
    this.order.typed(data);
  }

  /** Rejects when it did not work, which is said. */
  async copyText(text: string): Promise<void> {
    try {
      await this.services.clipboard.write(text);
    } catch (error) {
      trouble(this.services, "The clipboard could not be written", error);
      throw error;
    }
  }

  paste(): void {
    const turn = this.order.turn();
    this.services.clipboard.read().then(
      (text) => this.pasteText(text, turn),
      (error) => {
        turn();
        trouble(this.services, "The clipboard could not be read", error);
      },
    );
  }

  /** Pastes, or asks first. */
  pasteText(text: string, turn: Turn = this.order.turn()): void {
    if (longestLine(text) <= SURE_LINE) {
      this.pasteOrAsk(text, undefined, turn);
      return;
    }
    this.lineLimit().then((limit) => this.pasteOrAsk(text, limit, turn));
  }

  private pasteOrAsk(text: string, lineLimit: number | undefined, turn: Turn): void {
    if (text === "" || this.gone || !this.pane.reads()) {
      turn();
      return;
    }
    const { confirmMultilinePaste: confirmMultiline } = this.services.settings.get();
    const { bracketed } = this.pane.emulator;
    const question = pasteQuestion(text, { bracketed, confirmMultiline, lineLimit });
    this.asked?.turn();
    this.asked = question && { question, turn };
    if (question) this.pane.ask(question);
    else turn(() => this.pane.emulator.paste(text));
  }

  /** What the terminal keeps of a line; undefined when it takes input as it comes, or nobody knows. */
  private async lineLimit(): Promise<number | undefined> {
    try {
      const { known, canonical, lineLimit } = await this.services.modes(this.pane.block);
      return known && canonical ? lineLimit : undefined;
    } catch {
      return undefined;
    }
  }

  answer(answer: "paste" | "one-line" | "cancel"): void {
    const { asked } = this;
    this.asked = undefined;
    this.pane.ask(undefined);
    if (asked && answer !== "cancel") {
      const { text } = asked.question;
      asked.turn(() => this.pane.emulator.paste(answer === "one-line" ? asOneLine(text) : text));
    }
    asked?.turn();
    this.pane.focus();
  }

  /** The selection changed. */
  selected(): void {
    clearTimeout(this.timer);
    if (!this.services.settings.get().copyOnSelect) return;
    this.timer = setTimeout(() => this.copy(), COPY_AFTER_MS);
  }

  /** A program put text into the clipboard (OSC 52). */
  programWrote(text: string): void {
    this.write(text);
    this.tell("put text into the clipboard", text.length > 80 ? `${text.slice(0, 80)} …` : text);
  }

  /** A program wanted to read it. */
  programAsked(): void {
    this.tell("wanted to read the clipboard", "It was refused.");
  }

  private tell(did: string, text: string): void {
    const now = performance.now();
    if (now - this.told < NOTICE_MS) return;
    this.told = now;
    this.services.notify({ level: "info", title: `${this.services.nameOf(this.pane.block)} ${did}`, text });
  }

  private write(text: string): void {
    this.copyText(text).catch(() => {}); // said already
  }

  // Every paste of the browser comes here: its menu, its keys, the middle button.
  private readonly onPaste = (event: ClipboardEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    const text = event.clipboardData?.getData("text/plain");
    // Web views on Linux raise the event and give nothing: then ask the system.
    if (text) this.pasteText(text);
    else this.paste();
  };

  private readonly onDrag = (event: DragEvent): void => {
    const types = event.dataTransfer?.types ?? [];
    if (!types.includes("text/uri-list") && !types.includes("Files")) return; // a pane that is moved
    event.preventDefault(); // or the page would go to the file
    if (event.type !== "drop") return;
    const paths = droppedPaths(event.dataTransfer?.getData("text/uri-list") ?? "", this.services.platform);
    if (paths) this.pasteText(`${paths} `);
    this.pane.focus();
  };
}

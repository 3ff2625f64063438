// Text that is composed (input methods, dead keys, pickers of signs) instead of
// typed: one path for all of it. xterm.js sends it from timers that count the
// characters in its text field; when the page is busy, those run late and text is
// lost, and where an input method tells of one text in two ways, it comes twice.
// Here everything that has come into the field counts once, at the next event.

import { type Disposable, DisposableStore } from "../../lib/disposable";

export interface Composed {
  /** The field that takes the keys. */
  readonly field: HTMLTextAreaElement;
  /** Around the field: what happens there is seen here first. */
  readonly around: HTMLElement;
  /** How to show it before it is sent, as CSS has it. */
  font(): string;
  send(text: string): void;
}

export class Composition implements Disposable {
  private readonly parts: Composed;
  private readonly view: HTMLElement;
  private readonly own = new DisposableStore();
  private composing = false;
  /** It has ended, and what it has come to is not in the field yet. */
  private late = false;
  /** A key was pressed that sends itself: what it puts into the field is its own. */
  private keyed = false;
  /** What of the field's text counts as sent. */
  private sent = "";

  constructor(parts: Composed) {
    this.parts = parts;
    const { around, field } = parts;
    this.view = around.ownerDocument.createElement("div");
    this.view.className = "term-composed";
    this.view.hidden = true;
    field.after(this.view);
    this.own.defer(() => this.view.remove());
    this.on("compositionstart", () => {
      this.settle();
      this.composing = true;
    });
    this.on("beforeinput", () => {
      if (!this.composing && !this.late) this.settle();
    });
    this.on("compositionupdate", (event) => this.show(event.data));
    this.on("compositionend", (event) => {
      this.composing = false;
      this.show("");
      // Else the text comes into the field only after this, with an input event.
      if (event.data && this.news.endsWith(event.data)) this.take();
      else this.late = this.news !== "";
    });
    this.on("input", (event) => {
      if (this.composing || (event as InputEvent).isComposing) return;
      this.late = false;
      if (this.keyed) this.sent = field.value;
      else this.take();
      this.keyed = false;
    });
    // xterm.js empties the field for some keys and when it is left: this comes before.
    this.on("keydown", (event) => this.key(event, false));
    this.on("keypress", (event) => this.key(event, true));
    this.on("keyup", (event) => this.key(event, this.keyed));
    this.on("blur", () => {
      this.settle();
      this.composing = false;
      this.show("");
    });
  }

  /** Whether a key belongs to what is composed: the emulator must leave it alone. */
  takes(event: KeyboardEvent, altIsMeta: boolean): boolean {
    const composed = event.isComposing || event.keyCode === 229;
    return composed && event.type !== "keyup" && !(altIsMeta && event.altKey);
  }

  /** The cursor has moved, and the emulator the field with it. */
  moved(): void {
    if (this.composing) this.place();
  }

  dispose(): void {
    this.own.dispose();
  }

  private on<K extends keyof HTMLElementEventMap>(
    name: K,
    run: (event: HTMLElementEventMap[K]) => void,
  ): void {
    const { around, field } = this.parts;
    const heard = (event: HTMLElementEventMap[K]) => {
      if (event.target !== field) return;
      // Or the emulator would send it, too. Keys are asked for, by takes.
      if (name === "input" || name.startsWith("composition")) event.stopPropagation();
      run(event);
    };
    around.addEventListener(name, heard, { capture: true });
    this.own.defer(() => around.removeEventListener(name, heard, { capture: true }));
  }

  private key(event: KeyboardEvent, sendsItself: boolean): void {
    this.keyed = sendsItself;
    if (this.composing || (this.late && (event.keyCode === 229 || event.type === "keyup"))) return;
    this.settle();
  }

  /** Sends what is owed. What else is in the field is nobody's typing: xterm.js puts there what is selected. */
  private settle(): void {
    if (this.composing || this.late) this.take();
    this.late = false;
    const { value, selectionStart } = this.parts.field;
    this.sent = value.slice(0, selectionStart ?? value.length);
  }

  /** What has come into the field and was not sent. */
  private get news(): string {
    const { value } = this.parts.field;
    let same = 0;
    while (same < this.sent.length && value[same] === this.sent[same]) same++;
    return value.slice(same);
  }

  private take(): void {
    const { news } = this;
    this.sent = this.parts.field.value;
    if (news) this.parts.send(news);
  }

  private show(text: string): void {
    this.view.hidden = text === "";
    this.view.textContent = text;
    this.place();
  }

  // At the cursor, where the emulator keeps the field.
  private place(): void {
    const { view } = this;
    const { left, top, height } = this.parts.field.style;
    Object.assign(view.style, { left, top, height, font: this.parts.font(), lineHeight: height });
  }
}

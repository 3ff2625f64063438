// One terminal pane without its picture: ties an emulator to the stream, to the
// page's scheduler and to the app's services, and says what the view shows.

import { createStore, type StoreApi } from "zustand/vanilla";
import type { StreamChannel, TextArea } from "../../bridge/stream";
import type { BlockEvent, Status } from "../../bridge/types";
import { chordOf, chordText } from "../../lib/chord";
import { type Disposable, DisposableStore } from "../../lib/disposable";
import { errorText } from "../../lib/format";
import { ring } from "./bell";
import { ownKey } from "./commands";
import { Emulator, type EmulatorHooks, type Look } from "./emulator";
import { FindModel, type FindState } from "./find-model";
import type { TerminalHandle } from "./handle";
import type { TerminalHost } from "./host";
import { Intake } from "./intake";
import { openable, shownTarget } from "./links";
import { PaneClipboard } from "./pane-clipboard";
import type { PasteQuestion } from "./paste";
import type { ContextLease } from "./renderer";
import type { WriteQueue } from "./scheduler";
import { fileNameFor, textOf } from "./screen-text";
import type { ScrollState } from "./scroll-watch";
import { StopHint } from "./stop-hint";
import { type Strip, type StripAction, stripsOf } from "./strips";
import { Unread } from "./unread";

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
  /** The text of the plain view while that is open. */
  readonly text: string | undefined;
}

const START: PaneState = {
  strips: [],
  scroll: { back: false, newer: 0 },
  target: undefined,
  bells: 0,
  question: undefined,
  find: undefined,
  foreignSize: undefined,
  behind: false,
  text: undefined,
};

const ENTER = 0x0d;
const ZOOM = { step: 1, least: 6, most: 40 };
export class PaneModel implements TerminalHandle, Disposable {
  readonly block: string;
  readonly store: StoreApi<PaneState> = createStore(() => START);
  readonly emulator: Emulator;
  private readonly host: TerminalHost;
  private readonly queue: WriteQueue;
  private readonly intake: Intake;
  private readonly finder: FindModel;
  private readonly clipboard: PaneClipboard;
  private readonly stop = new StopHint(() => this.restrip());
  private readonly own = new DisposableStore();
  private readonly unread = this.own.add(new Unread(this));
  private element: HTMLElement | undefined;
  private channel: StreamChannel | undefined;
  private lease: ContextLease | undefined;
  private visible = false;
  private focusWanted = false;
  private opened = false;
  private owner = true;
  private zoomed = 0;
  private failed = "";
  private refused = "";
  private noted = 0;
  private ended = false;
  private asked = false;
  private redrawing = false;
  private lacks = false;
  private measured = "";

  constructor(host: TerminalHost, block: string) {
    this.host = host;
    this.block = block;
    const { services, scheduler } = host;
    this.emulator = this.own.add(new Emulator(this.look(), host.theme(), this.hooks()));
    this.queue = this.own.add(scheduler.add(this.emulator));
    this.intake = this.own.add(
      new Intake(
        this.queue,
        this.emulator,
        (offset) => this.channel?.ack(offset),
        (offset) => host.screenTurns.ask(block, () => this.channel?.shown(offset)),
      ),
    );
    this.finder = new FindModel(this.emulator, (find) => this.store.setState({ find }));
    this.clipboard = new PaneClipboard(services, {
      block,
      emulator: this.emulator,
      reads: () => !this.ended,
      ask: (question) => this.store.setState({ question }),
      focus: () => this.focus(),
    });
    this.own.add(host.join(block, this));
    this.own.add(host.onTheme.on((theme) => this.emulator.setTheme(theme)));
    this.own.add(services.stream.onState(() => this.restrip()));
    this.own.defer(services.settings.subscribe(() => this.settingsChanged()));
    this.own.defer(services.status(block).subscribe(() => this.statusChanged()));
    this.own.add(services.happened(block).on((event) => this.happened(event)));
    this.statusChanged();
  }

  /** Whether the program gets clicks. */
  get programHasMouse(): boolean {
    return this.emulator.terminal.modes.mouseTrackingMode !== "none";
  }

  /** Gives it its place in the document, once. It opens when that has a size. */
  mount(element: HTMLElement): void {
    this.element = element;
    const observer = new ResizeObserver(() => this.layout());
    observer.observe(element);
    this.own.defer(() => observer.disconnect());
    this.own.defer(this.clipboard.listen(element));
    const wheel = (event: WheelEvent) => event.deltaY < 0 && this.fetchScrollback();
    element.addEventListener("wheel", wheel, { capture: true, passive: true });
    this.own.defer(() => element.removeEventListener("wheel", wheel, { capture: true }));
    element.addEventListener("focusin", this.onFocus);
    this.own.defer(() => element.removeEventListener("focusin", this.onFocus));
    this.layout();
  }

  /** A hidden pane is neither parsed nor resized. */
  setVisible(visible: boolean): void {
    if (visible === this.visible) return;
    this.visible = visible;
    this.chooseRenderer();
    if (visible) {
      this.channel?.show();
      this.layout();
    } else {
      this.channel?.hide(this.intake.drop());
    }
  }

  setFocused(focused: boolean): void {
    this.focusWanted = focused;
    if (focused) this.focus();
  }

  dispose(): void {
    this.stop.goesOn();
    this.channel?.dispose();
    this.lease?.dispose();
    this.own.dispose();
  }

  act(action: StripAction): void {
    switch (action) {
      case "restart":
        this.restart();
        break;
      case "close":
        this.host.services.close(this.block);
        break;
      case "retry-link":
        this.host.services.stream.retryNow();
        break;
      case "reopen":
        this.failed = "";
        this.channel?.reopen();
        break;
      case "discard":
        this.discardHeld();
        break;
      case "dismiss":
        this.refused = "";
        break;
      case "noted":
        this.noted = this.status()?.instance ?? 0;
        this.focus();
        break;
    }
    this.restrip();
  }

  // What the app's commands can do.

  focus(): void {
    this.host.focus(this.block);
    this.host.scheduler.focus(this.queue);
    if (this.opened) this.emulator.terminal.focus();
  }

  type(text: string): boolean {
    if (!this.channel) return false;
    this.input(new TextEncoder().encode(text));
    return true;
  }

  copy(): void {
    this.clipboard.copy();
  }

  paste(): void {
    this.clipboard.paste();
  }

  pasteText(text: string): void {
    this.clipboard.pasteText(text);
  }

  answerPaste(answer: "paste" | "one-line" | "cancel"): void {
    this.clipboard.answer(answer);
  }

  selectAll(): void {
    this.emulator.terminal.selectAll();
  }

  find(): void {
    this.finder.open(this.emulator.terminal.getSelection());
  }

  findNext(): void {
    this.finder.go("next");
  }

  findPrevious(): void {
    this.finder.go("previous");
  }

  /** For the search bar. */
  search(change: Partial<Pick<FindState, "text" | "regex" | "matchCase" | "word">>): void {
    this.finder.change(change);
  }

  endFind(): void {
    this.finder.close();
    this.focus();
  }

  zoom(change: "in" | "out" | "reset"): void {
    const base = this.host.services.settings.get().fontSize;
    const wanted = change === "reset" ? 0 : this.zoomed + (change === "in" ? ZOOM.step : -ZOOM.step);
    this.zoomed = Math.min(ZOOM.most, Math.max(ZOOM.least, base + wanted)) - base;
    this.settingsChanged();
  }

  clear(): void {
    this.emulator.terminal.clear();
  }

  reset(): void {
    this.emulator.reset();
  }

  scroll(to: "top" | "bottom" | "page-up" | "page-down"): void {
    if (to === "top" || to === "page-up") this.fetchScrollback();
    const { terminal } = this.emulator;
    if (to === "top") terminal.scrollToTop();
    else if (to === "bottom") terminal.scrollToBottom();
    else terminal.scrollPages(to === "page-up" ? -1 : 1);
  }

  /** Ends reading: shows the newest, and takes the keys. */
  toNewest(): void {
    this.emulator.terminal.clearSelection();
    this.scroll("bottom");
    this.readingChanged();
    this.focus();
  }

  restart(): void {
    this.ensure(true);
    this.focus();
  }

  interrupt(): void {
    this.host.services.interrupt(this.block).catch((error) => this.trouble("It was not interrupted", error));
  }

  textView(): void {
    const open = this.store.getState().text !== undefined;
    this.store.setState({ text: open ? undefined : this.text() });
    if (open) this.focus();
  }

  saveText(): void {
    const { services } = this.host;
    services
      .saveText(fileNameFor(services.nameOf(this.block), new Date()), this.text())
      .catch((error) => this.trouble("The text was not saved", error));
  }

  text(): string {
    return textOf(this.emulator.terminal.buffer.active);
  }

  discardHeld(): number {
    return this.channel?.discardHeld() ?? 0;
  }

  // From here on: what happens to it.

  private hooks(): EmulatorHooks {
    const { services } = this.host;
    return {
      input: (data) => this.input(data),
      key: (event) => this.key(event),
      scrolled: (scroll) => {
        this.store.setState({ scroll });
        this.readingChanged();
      },
      selected: () => {
        this.clipboard.selected();
        this.readingChanged();
      },
      found: (index, total) => this.finder.found(index, total),
      links: {
        open: (url) =>
          services.openLink(url).catch((error) => this.trouble("The link was not opened", error)),
        refuse: (url) =>
          services.notify({
            level: "warn",
            title: "This link is not opened",
            text: shownTarget(url),
            fix: "Only http, https, mailto and file links are. Select its text to copy it.",
          }),
        hover: (url) => this.hover(url),
        wants: (event) => (services.platform === "darwin" ? event.metaKey : event.ctrlKey),
      },
    };
  }

  private layout(): void {
    const { element } = this;
    if (!element || !this.visible || element.clientWidth === 0) return;
    if (!this.opened) {
      this.opened = true;
      this.emulator.open(element);
      this.chooseRenderer();
      this.loadFonts(element);
      if (this.focusWanted) this.focus();
    }
    const { clientWidth: width, clientHeight: height } = element;
    const area = this.emulator.fit({ width, height });
    if (!area) return;
    if (this.channel) this.channel.resize(area);
    else if (this.steady(width, height)) this.attach(area);
    this.sizeChanged(area);
  }

  // A new pane is drawn in steps: its tabs come a frame after it. A program must
  // not be born in a size that lasts a frame, so it has to last one frame more.
  private steady(width: number, height: number): boolean {
    const now = `${width} ${height}`;
    if (now === this.measured) return true;
    this.measured = now;
    requestAnimationFrame(() => this.layout());
    return false;
  }

  // A web font that comes later has other cells than the one measured first.
  private loadFonts(element: HTMLElement): void {
    const { fontSize } = this.look();
    const { fontFamily = "monospace" } = this.emulator.terminal.options;
    const fonts: FontFaceSet | undefined = document.fonts;
    if (!fonts || fonts.check(`${fontSize}px ${fontFamily}`)) return;
    const measured = () => {
      if (!element.isConnected || this.own.disposed) return;
      this.emulator.remeasure();
      this.layout();
    };
    fonts.load(`${fontSize}px ${fontFamily}`).then(measured, () => {});
  }

  private attach(area: TextArea): void {
    this.emulator.resize(area.cols, area.rows);
    const { intake } = this;
    this.channel = this.host.services.stream.attach(
      { block: this.block, area, visible: true },
      {
        opened: (next, cols, rows) => {
          this.failed = "";
          intake.opened(next, cols, rows);
          this.restrip();
        },
        data: (offset, bytes) => {
          intake.data(offset, bytes);
          this.stop.goesOn();
        },
        size: (offset, cols, rows, owner) => {
          intake.size(offset, cols, rows);
          if (owner !== undefined) this.owner = owner;
          this.queue.step((done) => {
            this.layout();
            done();
          });
        },
        lost: (from, to, unsure) => intake.lost(from, to, unsure),
        screen: ({ offset, cols, rows, owner, whole, data }) => {
          this.lacks = !whole;
          intake.draw(offset, cols, rows, data);
          this.owner = owner;
          this.queue.step((done) => {
            this.layout();
            done();
          });
          this.stop.goesOn();
          this.readingChanged();
        },
        refused: (_, reason) => this.refuse(reason),
        failed: (text) => {
          this.failed = text;
          this.restrip();
        },
        held: () => this.host.services.stream.state.link === "lost" && this.restrip(),
      },
    );
    if (!this.asked && (this.status()?.state ?? "idle") === "idle") this.ensure(false);
  }

  // In a flood the scrollback stays away; who wants to read it gets it.
  private fetchScrollback(): void {
    if (this.lacks) this.channel?.redraw();
    this.lacks = false;
  }

  // The person reads what was; when they are done, the terminal shows what is.
  private readingChanged(): void {
    const { behind } = this.intake;
    const due = behind && !this.emulator.reading;
    if (due && !this.redrawing) this.channel?.redraw();
    this.redrawing = due;
    if (behind !== this.store.getState().behind) this.store.setState({ behind });
  }

  /** Input did not get where it should. */
  refuse(why: string): void {
    this.refused = why;
    this.restrip();
  }

  private ensure(force: boolean): void {
    const { cols, rows } = this.emulator.terminal;
    this.asked = true;
    this.host.services
      .ensure(this.block, { cols, rows, force })
      .catch((error) => this.trouble(force ? "It was not restarted" : "It was not started", error));
  }

  private status(): Status | undefined {
    return this.host.services.status(this.block).get();
  }

  private statusChanged(): void {
    const state = this.status()?.state;
    const ended = state === "exited" || state === "failed";
    if (ended && !this.ended) {
      this.queue.step((done) => this.emulator.programEnded(done));
      this.stop.goesOn();
      this.unread.programEnded();
    }
    if (this.ended && !ended) this.unread.programStarted();
    this.ended = ended;
    // Refused while there was no terminal yet: now there is one.
    if (this.failed && (state === "starting" || state === "running")) this.act("reopen");
    this.restrip();
  }

  private settingsChanged(): void {
    this.emulator.setLook(this.look());
    this.chooseRenderer();
    this.layout();
  }

  private look(): Look {
    const { fontFamily, fontSize, lineHeight, scrollback, cursorStyle, cursorBlink, screenReader } =
      this.host.services.settings.get();
    const size = fontSize + this.zoomed;
    return { fontFamily, fontSize: size, lineHeight, scrollback, cursorStyle, cursorBlink, screenReader };
  }

  private chooseRenderer(): void {
    const { host, emulator } = this;
    const wanted = this.opened && this.visible && host.wantsWebgl(host.services.settings.get().renderer);
    if (wanted) this.lease ??= host.webgl.lend(emulator.terminal, () => this.layout());
    else {
      this.lease?.dispose();
      this.lease = undefined;
    }
  }

  private sizeChanged(area: TextArea): void {
    const { cols, rows } = this.emulator.terminal;
    const foreign = !this.owner && (cols !== area.cols || rows !== area.rows);
    const foreignSize = foreign ? `${cols} × ${rows}` : undefined;
    if (foreignSize !== this.store.getState().foreignSize) this.store.setState({ foreignSize });
  }

  private restrip(): void {
    const strips = stripsOf({
      status: this.status(),
      link: this.host.services.stream.state,
      failed: this.failed,
      held: this.channel?.held ?? 0,
      stopped: this.stop.stopped,
      refused: this.refused,
      noted: this.noted,
    });
    this.store.setState({ strips });
  }

  private input(data: Uint8Array): void {
    if (this.ended) {
      if (data.length === 1 && data[0] === ENTER) this.restart();
      return;
    }
    this.stop.input(data, this.emulator.terminal.buffer.active.type === "normal");
    if (this.channel?.send(data) === false) {
      this.trouble("Input was refused", "too much of it waits already", "Wait, or discard what is held.");
    }
  }

  private key(event: KeyboardEvent): boolean {
    if (event.type !== "keydown" || event.isComposing) return false;
    if (this.host.services.isCommandKey(event)) return true;
    const chord = chordOf(event);
    const run = chord && ownKey(chordText(chord));
    if (!run) return false;
    event.preventDefault();
    run(this);
    return true;
  }

  private hover(url: string | undefined): void {
    if (url === undefined) {
      this.store.setState({ target: undefined });
      return;
    }
    const opens = this.host.services.platform === "darwin" ? "⌘ click opens" : "Ctrl+click opens";
    const hint = openable(url) === undefined ? "is not opened" : opens;
    this.store.setState({ target: { url: shownTarget(url), hint } });
  }

  private happened(event: BlockEvent): void {
    switch (event.event) {
      case "bell":
        this.bell();
        break;
      case "clipboard":
        this.clipboard.programWrote(event.text);
        break;
      case "clipboard-asked":
        this.clipboard.programAsked();
        break;
      case "notification":
      case "command":
        break; // told by the app, also for terminals without a pane
    }
  }

  private bell(): void {
    const { bell } = this.host.services.settings.get();
    if (bell === "visual") this.store.setState(({ bells }) => ({ bells: bells + 1 }));
    if (bell === "sound") ring();
  }

  private trouble(title: string, error: unknown, fix?: string): void {
    const text = errorText(error);
    this.host.services.notify({ level: "error", title, text, ...(fix && { fix }) });
  }

  private readonly onFocus = (): void => {
    this.host.focus(this.block);
    this.host.scheduler.focus(this.queue);
  };
}

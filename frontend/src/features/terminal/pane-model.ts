// One terminal pane without its picture: what a person does with it, and what
// the view shows. The stream's side is the feed's.

import { createStore, type StoreApi } from "zustand/vanilla";
import type { BlockEvent } from "../../bridge/types";
import { chordOf, chordText } from "../../lib/chord";
import { type Disposable, DisposableStore } from "../../lib/disposable";
import { ring } from "./bell";
import { ownKey } from "./commands";
import { Emulator, type EmulatorHooks, type Look } from "./emulator";
import { FindModel, type FindState } from "./find-model";
import type { TerminalHandle } from "./handle";
import type { TerminalHost } from "./host";
import { PaneClipboard } from "./pane-clipboard";
import { PaneCommands } from "./pane-commands";
import { PaneFeed } from "./pane-feed";
import { paneLinks } from "./pane-links";
import { type PaneState, START } from "./pane-state";
import type { ContextLease } from "./renderer";
import { type Place, reveal } from "./reveal";
import { fileNameFor, textOf } from "./screen-text";
import type { StripAction } from "./strips";
import { trouble } from "./trouble";

const ZOOM = { step: 1, least: 6, most: 40 };

export class PaneModel implements TerminalHandle, Disposable {
  readonly block: string;
  readonly store: StoreApi<PaneState> = createStore(() => START);
  readonly emulator: Emulator;
  private readonly host: TerminalHost;
  private readonly feed: PaneFeed;
  private readonly finder: FindModel;
  private readonly clipboard: PaneClipboard;
  /** What can be done with the commands of a shell. */
  readonly commands: PaneCommands;
  private readonly own = new DisposableStore();
  private element: HTMLElement | undefined;
  private lease: ContextLease | undefined;
  private visible = false;
  private focusWanted = false;
  private opened = false;
  private zoomed = 0;
  private measured = "";

  constructor(host: TerminalHost, block: string) {
    this.host = host;
    this.block = block;
    const { services } = host;
    this.emulator = this.own.add(new Emulator(this.look(), host.theme(), this.hooks()));
    this.feed = this.own.add(new PaneFeed(host, this));
    this.finder = new FindModel(this.emulator, (find) => this.store.setState({ find }));
    this.clipboard = new PaneClipboard(services, {
      block,
      emulator: this.emulator,
      reads: () => !this.feed.ended,
      ask: (question) => this.store.setState({ question }),
      send: (data) => this.feed.input(data),
      focus: () => this.focus(),
    });
    this.commands = this.own.add(
      new PaneCommands(services, {
        emulator: this.emulator,
        reads: () => !this.feed.ended,
        input: (text) => this.type(text),
        pasteText: (text) => this.pasteText(text),
        copyText: (text) => this.clipboard.copyText(text),
        fetchScrollback: () => this.feed.fetchScrollback(),
        stick: (sticky) => this.store.setState({ sticky }),
        menu: (menu) => this.store.setState({ menu }),
        focus: () => this.focus(),
      }),
    );
    this.own.add(host.join(block, this));
    this.own.add(host.onTheme.on((theme) => this.emulator.setTheme(theme)));
    this.own.defer(services.settings.subscribe(() => this.settingsChanged()));
    this.own.add(services.happened(block).on((event) => this.happened(event)));
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
    const wheel = (event: WheelEvent) => event.deltaY < 0 && this.feed.fetchScrollback();
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
    this.feed.setVisible(visible);
    if (visible) this.layout();
  }

  setFocused(focused: boolean): void {
    this.focusWanted = focused;
    if (focused) this.focus();
  }

  dispose(): void {
    this.lease?.dispose();
    this.own.dispose();
  }

  act(action: StripAction): void {
    this.feed.act(action);
  }

  // What the app's commands can do.

  focus(): void {
    this.host.focus(this.block);
    this.host.scheduler.focus(this.feed.queue);
    if (this.opened) this.emulator.terminal.focus();
  }

  type(text: string): boolean {
    if (!this.feed.attached) return false;
    this.clipboard.typed(new TextEncoder().encode(text));
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
    this.emulator.clear();
  }

  reset(): void {
    this.emulator.reset();
  }

  scroll(to: "top" | "bottom" | "page-up" | "page-down"): void {
    if (to === "top" || to === "page-up") this.feed.fetchScrollback();
    const { terminal } = this.emulator;
    if (to === "top") terminal.scrollToTop();
    else if (to === "bottom") terminal.scrollToBottom();
    else terminal.scrollPages(to === "page-up" ? -1 : 1);
  }

  /** Ends reading: shows the newest, and takes the keys. */
  toNewest(): void {
    this.emulator.terminal.clearSelection();
    this.scroll("bottom");
    this.feed.readingChanged();
    this.focus();
  }

  reveal(place: Place): Promise<boolean> {
    const { feed, emulator, block, host } = this;
    return reveal(
      {
        still: (offset) => feed.still(offset),
        get parsed() {
          return feed.parsed;
        },
        anchor: () => emulator.anchor(),
        locate: (offset, shown) =>
          host.services.locate(block, { offset, shown, lines: emulator.terminal.options.scrollback ?? 0 }),
        show: (line, at) => emulator.show(line, at),
      },
      place,
    );
  }

  closeMenu(): void {
    this.store.setState({ menu: undefined });
  }

  restart(): void {
    this.feed.restart();
  }

  interrupt(): void {
    this.host.services
      .interrupt(this.block)
      .catch((error) => trouble(this.host.services, "It was not interrupted", error));
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
      .catch((error) => trouble(this.host.services, "The text was not saved", error));
  }

  text(): string {
    return textOf(this.emulator.terminal.buffer.active);
  }

  discardHeld(): number {
    return this.feed.discardHeld();
  }

  // From here on: what happens to it.

  private hooks(): EmulatorHooks {
    const { services } = this.host;
    return {
      input: (data) => {
        this.commands.typed();
        this.clipboard.typed(data);
      },
      key: (event) => this.key(event),
      scrolled: (scroll) => {
        this.store.setState({ scroll });
        this.feed.readingChanged();
      },
      selected: () => {
        this.clipboard.selected();
        this.feed.readingChanged();
      },
      found: (index, total) => this.finder.found(index, total),
      links: paneLinks(services, (target) => this.store.setState({ target })),
    };
  }

  /** Fits it into its place, and opens it there once that has a size. */
  layout(): void {
    const { element } = this;
    if (!element || !this.visible || element.clientWidth === 0) return;
    if (!this.opened) {
      this.opened = true;
      this.emulator.open(element);
      this.chooseRenderer();
      this.loadImages();
      this.loadFonts(element);
      if (this.focusWanted) this.focus();
    }
    const { clientWidth: width, clientHeight: height } = element;
    const area = this.emulator.fit({ width, height });
    if (!area) return;
    if (this.feed.attached) this.feed.resize(area);
    else if (this.steady(width, height)) this.feed.attach(area);
    this.feed.sizeChanged(area);
    this.commands.measure();
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

  private loadImages(): void {
    if (!this.host.services.settings.get().images) return;
    this.host.images().then((make) => make && this.emulator.addImages(make));
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

  private readonly onFocus = (): void => {
    this.host.focus(this.block);
    this.host.scheduler.focus(this.feed.queue);
  };
}

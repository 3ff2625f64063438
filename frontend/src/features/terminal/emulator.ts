// One xterm.js terminal: its look, its silence where the backend answers, its
// links, its search. It knows nothing of the stream, of React or of the window.

import { SearchAddon } from "@xterm/addon-search";
import { type ITheme, Terminal } from "@xterm/xterm";
import { type Disposable, DisposableStore } from "../../lib/disposable";
import { WholeCharacters } from "./characters";
import { Composition } from "./composition";
import { keepBlink } from "./cursor-blink";
import { findNear } from "./find-near";
import { type Box, type Fitted, fitCells, lineHeightFor } from "./fit";
import type { MakeImages } from "./images";
import type { Screen } from "./intake";
import { followLink, type LinkActions, UrlLinkProvider } from "./links";
import { lossLine } from "./loss";
import { cleanPaste } from "./paste";
import { ProgramColours } from "./program-colours";
import { silenceQueries } from "./queries";
import type { Anchor, Place } from "./reveal";
import type { Sink } from "./scheduler";
import { type ScrollState, ScrollWatch } from "./scroll-watch";
import { currentMatch, type FindOptions, findColors } from "./search-model";
import { ShellMarks } from "./shell-marks";
import { activateWidths } from "./widths";

/** How a terminal looks, from the settings and the pane's zoom. */
export interface Look {
  /** "" is the page's own monospace font. */
  readonly fontFamily: string;
  readonly fontSize: number;
  /** Height of a row as a multiple of the font size. */
  readonly lineHeight: number;
  readonly scrollback: number;
  readonly cursorStyle: "block" | "bar" | "underline";
  readonly cursorBlink: boolean;
  readonly screenReader: boolean;
}

/** What happens in an emulator. */
export interface EmulatorHooks {
  /** The person typed, pasted, used the mouse, or the focus changed. */
  input(data: Uint8Array): void;
  /** A key, before the emulator sees it; true keeps it from the program. */
  key(event: KeyboardEvent): boolean;
  scrolled(state: ScrollState): void;
  selected(): void;
  found(index: number, count: number): void;
  readonly links: LinkActions;
}

// A program that is gone cannot take these back: mouse, focus and paste reports,
// application keys, a hidden cursor.
const RESET_MODES = "\x1b[?9;1000;1002;1003;1004;1005;1006;1015;2004;1l\x1b>\x1b[?25h";
const FALLBACK_FONT = '"JetBrains Mono", "DejaVu Sans Mono", monospace';
const utf8 = new TextEncoder();
const mac = /^Mac/.test(navigator.platform);

export class Emulator implements Screen, Sink, Disposable {
  readonly terminal: Terminal;
  /** The commands that the shell has marked. */
  readonly marks: ShellMarks;
  private readonly search = new SearchAddon({ highlightLimit: 5000 });
  private readonly characters = new WholeCharacters();
  private readonly colours = new ProgramColours();
  private readonly own = new DisposableStore();
  private readonly scroll: ScrollWatch;
  private look: Look;
  private theme: ITheme;
  private foundBy = "";
  private finding = false;
  private gone = false;
  private composition: Composition | undefined;

  constructor(look: Look, theme: ITheme, hooks: EmulatorHooks) {
    this.look = look;
    this.theme = theme;
    this.terminal = new Terminal({
      // Search shows its matches by decorations, which are proposed API.
      allowProposedApi: true,
      minimumContrastRatio: 4.5,
      macOptionIsMeta: true,
      rightClickSelectsWord: false,
      // No overview ruler: it measures the page after each drawing, which took
      // an eighth of the main thread beside four floods.
      theme,
      ...options(look),
    });
    const { terminal, own } = this;
    activateWidths(terminal);
    terminal.loadAddon(this.search);
    this.silence();
    this.marks = own.add(new ShellMarks(terminal));
    for (const handler of this.colours.register(terminal.parser)) own.add(handler);
    for (const handler of keepBlink(terminal, () => this.look.cursorBlink)) own.add(handler);
    terminal.options.linkHandler = {
      allowNonHttpProtocols: true, // they are looked at by followLink, which can say so
      activate: (event, url) => followLink(hooks.links, event, url),
      hover: (_, url) => hooks.links.hover(url),
      leave: () => hooks.links.hover(undefined),
    };
    own.add(terminal.registerLinkProvider(new UrlLinkProvider(terminal, hooks.links)));
    own.add(terminal.onData((text) => hooks.input(utf8.encode(text))));
    own.add(terminal.onBinary((text) => hooks.input(Uint8Array.from(text, (char) => char.charCodeAt(0)))));
    own.add(terminal.onSelectionChange(() => hooks.selected()));
    own.add(
      this.search.onDidChangeResults(({ resultIndex, resultCount }) => hooks.found(resultIndex, resultCount)),
    );
    this.scroll = new ScrollWatch(terminal, (state) => hooks.scrolled(state));
    terminal.attachCustomKeyEventHandler((event) => !this.composes(event) && !hooks.key(event));
  }

  /** Shows it in `host`, once, for as long as it lives. */
  open(host: HTMLElement): void {
    const { terminal } = this;
    terminal.open(host);
    this.fixRowHeight();
    const { element: around, textarea: field } = terminal;
    if (!around || !field) return;
    this.composition ??= this.own.add(
      new Composition({
        around,
        field,
        font: () => `${terminal.options.fontSize}px ${terminal.options.fontFamily}`,
        send: (text) => terminal.input(text),
      }),
    );
    this.own.add(terminal.onCursorMove(() => this.composition?.moved()));
  }

  get scrollState(): ScrollState {
    return this.scroll.current;
  }

  write(data: Uint8Array, done: () => void): void {
    this.terminal.write(this.characters.take(data), done);
  }

  resize(cols: number, rows: number): void {
    const { terminal } = this;
    if (cols === terminal.cols && rows === terminal.rows) return;
    const match = this.finding ? terminal.getSelectionPosition() : undefined;
    const text = terminal.getSelection();
    terminal.resize(Math.max(2, cols), Math.max(1, rows));
    noteSize(terminal);
    // xterm drops the selection, and with it the search its place: the bar itself makes the pane lower.
    if (!match) return;
    terminal.select(match.start.x, match.start.y, text.length);
    if (terminal.getSelection() !== text) this.selectBottom();
  }

  reset(): void {
    this.characters.clear();
    this.marks.clear();
    this.terminal.reset();
  }

  /** Empties it but for the line of the cursor. */
  clear(): void {
    this.marks.keepCursorLine(() => this.terminal.clear());
  }

  draw(data: Uint8Array, done: () => void): void {
    this.characters.clear();
    this.terminal.write(this.characters.take(data), done);
  }

  get reading(): boolean {
    const { viewportY, baseY } = this.terminal.buffer.active;
    return viewportY < baseY || this.terminal.hasSelection();
  }

  get room(): number {
    const { terminal } = this;
    const { active } = terminal.buffer;
    if (active.type === "alternate") return Number.POSITIVE_INFINITY;
    const first = terminal.hasSelection()
      ? (terminal.getSelectionPosition()?.start.y ?? 0)
      : active.viewportY;
    const most = terminal.rows + (terminal.options.scrollback ?? 0);
    return Math.min(first, active.viewportY) + most - active.length;
  }

  /** There is no program that would take what is typed at the cursor: none is shown. */
  setProgramGone(gone: boolean): void {
    if (gone === this.gone) return;
    this.gone = gone;
    this.applyTheme();
  }

  /** Puts back what the program switched on. */
  programEnded(done: () => void): void {
    this.terminal.write(RESET_MODES, done);
  }

  lost(bytes: number, unsure: boolean, done: () => void): void {
    this.characters.clear();
    this.terminal.write(lossLine(bytes, unsure), done);
  }

  setLook(look: Look): void {
    this.look = look;
    Object.assign(this.terminal.options, options(look));
    this.fixRowHeight();
  }

  setTheme(theme: ITheme): void {
    this.theme = theme;
    this.applyTheme();
  }

  /** The fonts have changed under it: measures them again. */
  remeasure(): void {
    const { fontFamily } = options(this.look);
    this.terminal.options.fontFamily = "monospace";
    this.terminal.options.fontFamily = fontFamily;
    this.fixRowHeight();
  }

  /** The size of one cell in CSS pixels; zeros while hidden. */
  get cell(): Box {
    const screen = this.terminal.element?.querySelector(".xterm-screen")?.getBoundingClientRect();
    if (!screen) return { width: 0, height: 0 };
    return { width: screen.width / this.terminal.cols, height: screen.height / this.terminal.rows };
  }

  fit(area: Box): Fitted | undefined {
    return fitCells(area, this.cell);
  }

  /** Pastes by the emulator's rules: line ends as returns, marked if asked for. */
  paste(text: string): void {
    this.terminal.paste(cleanPaste(text));
  }

  get bracketed(): boolean {
    return this.terminal.modes.bracketedPasteMode;
  }

  /**
   * Looks for the text. Incremental: from the current match on while that is in
   * view, else upwards from the bottom of what is shown. Throws for a broken pattern.
   */
  find(text: string, how: FindOptions, direction: "next" | "previous"): void {
    if (how.regex) new RegExp(text); // the addon would go on with the error swallowed
    // The addon compares new options with themselves and would keep the old count.
    const key = `${how.regex} ${how.matchCase} ${how.word}`;
    if (key !== this.foundBy) this.search.clearDecorations();
    this.foundBy = key;
    if (how.incremental && !this.onMatch(text)) this.selectBottom();
    if (!this.finding) {
      this.finding = true;
      this.applyTheme();
    }
    const all = {
      regex: how.regex,
      caseSensitive: how.matchCase,
      wholeWord: how.word,
      incremental: how.incremental ?? false,
      decorations: findColors(this.theme),
    };
    if (direction === "next") this.search.findNext(text, all);
    else this.search.findPrevious(text, all);
  }

  /** Holds on to the bottom row, while the main screen is shown. */
  anchor(): Anchor | undefined {
    const { terminal } = this;
    const { active } = terminal.buffer;
    if (active.type !== "normal") return undefined;
    const marker = terminal.registerMarker(0);
    if (!marker) return undefined;
    const below = active.length - 1 - marker.line;
    return {
      line: () => (marker.isDisposed || marker.line < 0 ? undefined : marker.line + below),
      dispose: () => marker.dispose(),
    };
  }

  /** Scrolls to the place near a row, and selects it; false if it is not there. */
  show(y: number, { before, match }: Place): boolean {
    const { terminal } = this;
    const span = findNear(terminal.buffer.active, y, before, match);
    if (!span) return false;
    terminal.select(span.x, span.y, span.length);
    terminal.scrollToLine(Math.max(0, span.y - Math.floor(terminal.rows / 3)));
    return true;
  }

  endFind(): void {
    this.search.clearDecorations();
    if (!this.finding) return;
    this.finding = false;
    this.applyTheme();
  }

  dispose(): void {
    this.own.dispose();
    this.terminal.dispose();
  }

  // The search goes on from the selection: where it is when the person looks at it.
  private onMatch(text: string): boolean {
    const { terminal } = this;
    const at = terminal.getSelectionPosition();
    if (!at || (!this.finding && terminal.getSelection() !== text)) return false;
    const top = terminal.buffer.active.viewportY;
    return at.start.y >= top && at.start.y < top + terminal.rows;
  }

  private selectBottom(): void {
    const { terminal } = this;
    terminal.select(terminal.cols - 1, terminal.buffer.active.viewportY + terminal.rows - 1, 1);
  }

  /** Draws pictures from now on. */
  addImages(make: MakeImages): void {
    if (this.own.disposed) return;
    try {
      this.terminal.loadAddon(make());
    } catch {
      return; // no WebAssembly: text goes on without pictures
    }
    this.silence(); // the addon answers questions: what was registered last is asked first
  }

  private silence(): void {
    for (const handler of silenceQueries(this.terminal.parser)) this.own.add(handler);
  }

  private composes(event: KeyboardEvent): boolean {
    return this.composition?.takes(event, mac && this.terminal.options.macOptionIsMeta === true) ?? false;
  }

  private applyTheme(): void {
    const { theme, finding, gone } = this;
    const again = this.colours.forget();
    const { background, foreground } = theme;
    this.terminal.options.theme = {
      ...theme,
      // The current match is a selection too, which is drawn over its decoration.
      ...(finding && currentMatch(theme)),
      // A cursor in the colour of the ground, with the text on it in its own: xterm has no other way to
      // hide it in a pane that has the keys, but one that the next program would have to undo.
      ...(gone && background && foreground && { cursor: background, cursorAccent: foreground }),
    };
    if (again) this.terminal.write(again);
  }

  private fixRowHeight(): void {
    const { terminal, look } = this;
    terminal.options.lineHeight = 1;
    const font = this.cell.height;
    terminal.options.lineHeight = lineHeightFor(Math.round(look.fontSize * look.lineHeight), font);
  }
}

/**
 * Has xterm.js know its size as that of its options. It does so itself with the next
 * reset, as a change of options, for which it writes all style rules anew, twice: with
 * sixteen panes WebKit stood still for two seconds when their first screens came.
 * There is no public way that does not write them either.
 */
function noteSize(terminal: Terminal): void {
  const { _core } = terminal as unknown as {
    _core?: { optionsService?: { rawOptions?: { cols: number; rows: number } } };
  };
  const raw = _core?.optionsService?.rawOptions;
  if (raw) Object.assign(raw, { cols: terminal.cols, rows: terminal.rows });
}

function options(look: Look) {
  const { fontSize, scrollback, cursorStyle, cursorBlink, screenReader } = look;
  return {
    fontFamily: look.fontFamily ? `${look.fontFamily}, ${FALLBACK_FONT}` : FALLBACK_FONT,
    fontSize,
    scrollback,
    cursorStyle,
    cursorBlink,
    screenReaderMode: screenReader,
  };
}

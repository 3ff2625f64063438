import { type Disposable, listen } from "../lib/disposable";

/** Holding what is typed ends so long after its terminal was opened, whatever happens (milliseconds). */
const patience = 3000;

/** Where what was held goes. */
export interface TypeAheadTarget {
  /** Whether the terminal of a block takes keys by itself now. */
  hasKeys(block: string): boolean;
  /** Types a text into the terminal of a block; false while it has none. */
  type(block: string, text: string): boolean;
  /** It did not open: what was typed for it went nowhere. */
  dropped(text: string): void;
}

/** A terminal that is on its way, and what was typed for it. */
interface Opening {
  text: string;
}

/**
 * Keeps what is typed between the key that opens a terminal and the moment that
 * it takes keys: it is meant for the new terminal, never for the one before it.
 * Chords stay commands, and dialogues keep their keys.
 */
export class TypeAhead implements Disposable {
  readonly #target: TypeAheadTarget;
  readonly #win: Window;
  readonly #listener: Disposable;
  /** In the order of their keys: what is typed is meant for the last one. */
  #openings: Opening[] = [];

  constructor(win: Window, target: TypeAheadTarget) {
    this.#target = target;
    this.#win = win;
    this.#listener = listen(win, "keydown", (event) => this.#key(event), { capture: true });
  }

  dispose(): void {
    this.#listener.dispose();
  }

  /** From now on until the terminal is there, what is typed is meant for it. */
  async hold(opened: Promise<{ id: string }>): Promise<void> {
    const opening = { text: "" };
    this.#openings.push(opening);
    let handed = false;
    try {
      const { id } = await opened;
      handed = await this.#hand(opening, id);
    } catch {
      // Whoever asked for the terminal says why there is none.
    }
    this.#openings = this.#openings.filter((o) => o !== opening);
    if (!handed && opening.text) this.#target.dropped(opening.text);
  }

  /** Waits until the terminal takes keys itself, or until another one will, and types what was held. */
  async #hand(opening: Opening, block: string): Promise<boolean> {
    const until = performance.now() + patience;
    for (;;) {
      const late = performance.now() > until;
      const last = this.#openings.at(-1) === opening;
      if (!last || late || this.#target.hasKeys(block)) {
        if (opening.text === "" || this.#target.type(block, opening.text)) return true;
        if (late) return false;
      }
      await new Promise((done) => this.#win.requestAnimationFrame(done));
    }
  }

  #key(event: KeyboardEvent): void {
    const opening = this.#openings.at(-1);
    if (!opening || event.isComposing || event.defaultPrevented) return;
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest('[role="dialog"], [role="menu"]')) return;
    const text = typedBy(event);
    if (text === "") return;
    opening.text += text;
    event.preventDefault();
    event.stopPropagation();
  }
}

const special: Readonly<Record<string, string>> = {
  Enter: "\r",
  Tab: "\t",
  Backspace: "\x7f",
  Escape: "\x1b",
  ArrowUp: "\x1b[A",
  ArrowDown: "\x1b[B",
  ArrowRight: "\x1b[C",
  ArrowLeft: "\x1b[D",
};

/** What a key types into a terminal that asked for nothing special; "" for chords. */
function typedBy(event: KeyboardEvent): string {
  const { key } = event;
  if (event.altKey || event.metaKey) return "";
  if (event.ctrlKey) {
    return !event.shiftKey && /^[a-z]$/.test(key) ? String.fromCharCode(key.charCodeAt(0) & 0x1f) : "";
  }
  return [...key].length === 1 ? key : (special[key] ?? "");
}

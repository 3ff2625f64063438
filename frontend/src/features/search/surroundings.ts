import { createStore, type StoreApi } from "zustand/vanilla";
import type { LogLines } from "../../bridge/types";
import { errorText } from "../../lib/format";
import { type Chosen, keyOf } from "./model";

/** Lines above and below a hit. */
export const around = 40;

/** The text around a hit; key says of which. */
export interface Surrounded extends LogLines {
  readonly key: string;
  readonly error: string;
}

type Ask = (request: { block: string; offset: number; above: number; below: number }) => Promise<LogLines>;

/** Gets the text around the chosen hit. One call is under way at a time, and of what is chosen meanwhile the last counts. */
export class Surroundings {
  readonly store: StoreApi<{ shown: Surrounded | undefined }> = createStore<{
    shown: Surrounded | undefined;
  }>(() => ({ shown: undefined }));
  readonly #ask: Ask;
  #wanted: Chosen | undefined;
  #asking = false;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** What is shown stays until the new text is there; undefined clears it. */
  show(chosen: Chosen | undefined): void {
    this.#wanted = chosen;
    if (!chosen) this.store.setState({ shown: undefined });
    else void this.#goOn();
  }

  stop(): void {
    this.#wanted = undefined;
  }

  async #goOn(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    let asked: Chosen | undefined;
    while (this.#wanted && this.#wanted !== asked) {
      asked = this.#wanted;
      const key = keyOf(asked.block, asked.hit.line);
      const request = { block: asked.block, offset: asked.hit.line, above: around, below: around };
      const shown: Surrounded = await this.#ask(request).then(
        (lines) => ({ ...lines, key, error: "" }),
        (error: unknown) => ({ lines: [], at: -1, key, error: errorText(error) }),
      );
      if (this.#wanted === asked) this.store.setState({ shown });
    }
    this.#asking = false;
  }
}

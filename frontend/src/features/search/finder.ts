import { createStore, type StoreApi } from "zustand/vanilla";
import type { Search, SearchHit, SearchHits } from "../../bridge/types";
import { errorText } from "../../lib/format";
import { type Found, nothing, type Query } from "./model";

/** Rows in all after which it stops, until a person wants more. */
export const mostRows = 1000;

interface Place {
  readonly block: string;
  hits: readonly SearchHit[];
  before: number;
  /** With so many hits it is another terminal's turn. */
  goal: number;
  done: boolean;
  error: string;
}

interface Job {
  readonly query: Query;
  readonly places: readonly Place[];
  limit: number;
}

const rowsOf = (places: readonly Place[]) => places.reduce((n, p) => n + p.hits.length, 0);

/** The terminal to ask next: one after the other, each up to its share of the rows that are left. */
function next({ places, limit }: Job): Place | undefined {
  const open = places.filter((p) => !p.done);
  const room = limit - rowsOf(places);
  if (room <= 0) return undefined;
  const place = open.find((p) => p.hits.length < p.goal);
  if (place) return place;
  for (const p of open) p.goal = p.hits.length + Math.ceil(room / open.length);
  return open[0];
}

function take(job: Job, place: Place, answer: SearchHits): void {
  const room = Math.min(place.goal - place.hits.length, job.limit - rowsOf(job.places));
  const hits = answer.hits.slice(0, room);
  place.hits = [...place.hits, ...hits];
  const last = hits.at(-1);
  if (last && hits.length < answer.hits.length) {
    place.before = last.line;
    return;
  }
  place.before = answer.next;
  // A call with 0 would begin at the end again.
  place.done = answer.done || answer.next === 0;
}

/**
 * Looks for a text in the logs of terminals, piece by piece. One call is under
 * way at a time: a new query waits for that answer, which is then dropped, so
 * typing asks no more often than the backend answers. After `stop` nothing is
 * asked.
 */
export class Finder {
  readonly store: StoreApi<Found> = createStore<Found>(() => nothing);
  readonly #ask: (request: Search) => Promise<SearchHits>;
  #job: Job | undefined;
  #asking = false;

  constructor(ask: (request: Search) => Promise<SearchHits>) {
    this.#ask = ask;
  }

  look(query: Query, blocks: readonly string[]): void {
    this.#job = undefined;
    if (query.text === "") {
      this.store.setState(nothing, true);
      return;
    }
    const place = (block: string) => ({ block, hits: [], before: 0, goal: 0, done: false, error: "" });
    const job = { query, places: blocks.map(place), limit: mostRows };
    this.#job = job;
    if (blocks.length === 0) this.#tell(job);
    else this.store.setState((old) => ({ state: "looking", error: "", stale: old.total > 0 }));
    void this.#goOn();
  }

  /** Goes on after enough rows. */
  more(): void {
    const job = this.#job;
    if (!job) return;
    job.limit = rowsOf(job.places) + mostRows;
    this.#tell(job);
    void this.#goOn();
  }

  stop(): void {
    this.#job = undefined;
  }

  async #goOn(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    for (let job = this.#job; job; job = this.#job) {
      const place = next(job);
      if (!place) break;
      try {
        take(job, place, await this.#ask({ ...job.query, block: place.block, before: place.before }));
      } catch (error) {
        place.error = errorText(error);
        place.done = true;
      }
      if (this.#job === job) this.#tell(job);
    }
    this.#asking = false;
  }

  #tell(job: Job): void {
    const { places } = job;
    // What no terminal answers to is wrong with the query.
    const refused = places.length > 0 && places.every((p) => p.error && p.hits.length === 0);
    const over = next(job) === undefined;
    const rest = places.some((p) => !p.done);
    this.store.setState(
      {
        groups: refused
          ? []
          : places
              .filter((p) => p.hits.length > 0 || p.error)
              .map(({ block, hits, error }) => ({ block, hits, error })),
        total: rowsOf(places),
        state: refused ? "refused" : !over ? "looking" : rest ? "more" : "done",
        error: refused ? (places[0]?.error ?? "") : "",
        stale: false,
      },
      true,
    );
  }
}

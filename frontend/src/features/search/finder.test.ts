import { describe, expect, it } from "vitest";
import type { LogLines, Search, SearchHit, SearchHits } from "../../bridge/types";
import { Finder, mostRows } from "./finder";
import type { Query } from "./model";
import { Surroundings } from "./surroundings";

const query = (text: string): Query => ({ text, regexp: false, matchCase: false, word: false });
const hit = (line: number): SearchHit => ({ line, before: "", match: "x", after: "" });

/** A backend whose answers a test gives by hand. */
class Desk<Req, Res> {
  asked: Req[] = [];
  #open: { resolve: (answer: Res) => void; reject: (error: unknown) => void }[] = [];
  readonly ask = (request: Req): Promise<Res> => {
    this.asked.push(request);
    return new Promise((resolve, reject) => this.#open.push({ resolve, reject }));
  };
  get open(): number {
    return this.#open.length;
  }
  async answer(answer: Res): Promise<void> {
    this.#open.shift()?.resolve(answer);
    await new Promise(setImmediate);
  }
  async refuse(text: string): Promise<void> {
    this.#open.shift()?.reject(text);
    await new Promise(setImmediate);
  }
}

const desk = () => new Desk<Search, SearchHits>();

/** A log of so many lines that all match, ten bytes each, as the backend answers for it. */
function all(lines: number): (request: Search) => Promise<SearchHits> {
  return async ({ before }) => {
    const end = before === 0 ? lines : before / 10;
    const hits = Array.from({ length: Math.min(200, end) }, (_, i) => hit((end - 1 - i) * 10));
    const next = hits.at(-1)?.line ?? 0;
    return { hits, next, done: next === 0 };
  };
}

describe("the search over kept output", () => {
  it("goes on until a terminal is done, then with the next", async () => {
    const d = desk();
    const finder = new Finder(d.ask);
    finder.look(query("x"), ["a", "b"]);
    await d.answer({ hits: [hit(90)], next: 50, done: false });
    expect(finder.store.getState()).toMatchObject({ state: "looking", total: 1 });
    await d.answer({ hits: [hit(20)], next: 0, done: true });
    await d.answer({ hits: [], next: 0, done: true });
    expect(d.asked.map(({ block, before }) => [block, before])).toEqual([
      ["a", 0],
      ["a", 50],
      ["b", 0],
    ]);
    expect(finder.store.getState()).toMatchObject({
      state: "done",
      total: 2,
      groups: [{ block: "a", hits: [hit(90), hit(20)] }],
    });
  });

  it("has one call under way: of what was typed meanwhile the last is asked, and the old answer is dropped", async () => {
    const d = desk();
    const finder = new Finder(d.ask);
    for (const text of ["e", "er", "err"]) finder.look(query(text), ["a"]);
    expect(d.open).toBe(1);
    await d.answer({ hits: [hit(1)], next: 0, done: true });
    expect(finder.store.getState()).toMatchObject({ state: "looking", total: 0 });
    expect(d.asked.map((r) => r.text)).toEqual(["e", "err"]);
    await d.answer({ hits: [hit(2)], next: 0, done: true });
    expect(finder.store.getState()).toMatchObject({ state: "done", groups: [{ hits: [hit(2)] }] });
  });

  it("keeps what the query before has found until there is an answer, and says that it is old", async () => {
    const d = desk();
    const finder = new Finder(d.ask);
    finder.look(query("e"), ["a"]);
    await d.answer({ hits: [hit(1)], next: 0, done: true });
    finder.look(query("er"), ["a"]);
    expect(finder.store.getState()).toMatchObject({ stale: true, total: 1 });
    await d.answer({ hits: [], next: 5, done: false });
    expect(finder.store.getState()).toMatchObject({ stale: false, total: 0, state: "looking" });
  });

  it.each([
    ["it is stopped", (finder: Finder) => finder.stop()],
    ["there is nothing to look for", (finder: Finder) => finder.look(query(""), ["a"])],
  ])("asks nothing more once %s", async (_, end) => {
    const d = desk();
    const finder = new Finder(d.ask);
    finder.look(query("x"), ["a", "b"]);
    end(finder);
    await d.answer({ hits: [hit(1)], next: 1, done: false });
    expect(d.asked).toHaveLength(1);
    expect(finder.store.getState().total).toBe(0);
    finder.more();
    expect(d.asked).toHaveLength(1);
  });

  it("stops at enough rows, and goes on when asked without a row twice or one left out", async () => {
    const finder = new Finder(all(2500));
    finder.look(query("x"), ["a"]);
    await new Promise(setImmediate);
    expect(finder.store.getState()).toMatchObject({ state: "more", total: mostRows });
    finder.more();
    await new Promise(setImmediate);
    expect(finder.store.getState()).toMatchObject({ state: "more", total: 2 * mostRows });
    finder.more();
    await new Promise(setImmediate);
    const { state, groups } = finder.store.getState();
    expect(state).toBe("done");
    expect(groups[0]?.hits.map((h) => h.line)).toEqual(
      Array.from({ length: 2500 }, (_, i) => 24990 - i * 10),
    );
  });

  it("gives each terminal its share, and what one does not use to the others", async () => {
    const logs: Record<string, number> = { a: 5000, b: 30, c: 5000 };
    const finder = new Finder((r) => all(logs[r.block] ?? 0)(r));
    finder.look(query("x"), ["a", "b", "c"]);
    await new Promise(setImmediate);
    const { groups, total, state } = finder.store.getState();
    expect(state).toBe("more");
    expect(total).toBe(mostRows);
    expect(groups.map((g) => [g.block, g.hits.length])).toEqual([
      ["a", 485],
      ["b", 30],
      ["c", 485],
    ]);
  });

  it("says what is wrong with a query, and shows nothing of the one before", async () => {
    const d = desk();
    const finder = new Finder(d.ask);
    finder.look(query("x"), ["a"]);
    await d.answer({ hits: [hit(1)], next: 0, done: true });
    finder.look({ ...query("("), regexp: true }, ["a", "b"]);
    await d.refuse("this is no regular expression: missing )");
    await d.refuse("this is no regular expression: missing )");
    expect(finder.store.getState()).toMatchObject({
      state: "refused",
      error: "this is no regular expression: missing )",
      groups: [],
    });
    expect(d.asked).toHaveLength(3);
  });

  it("goes on when one terminal's log cannot be read", async () => {
    const d = desk();
    const finder = new Finder(d.ask);
    finder.look(query("x"), ["a", "b"]);
    await d.refuse("cannot read it");
    await d.answer({ hits: [hit(1)], next: 0, done: true });
    expect(finder.store.getState()).toMatchObject({
      state: "done",
      error: "",
      groups: [{ block: "a", error: "cannot read it" }, { block: "b" }],
    });
  });
});

describe("the text around a hit", () => {
  it("is that of the last choice: what lay between is not asked for", async () => {
    const d = new Desk<{ block: string; offset: number }, LogLines>();
    const around = new Surroundings(d.ask);
    for (const line of [1, 2, 3]) around.show({ block: "a", hit: hit(line) });
    await d.answer({ lines: [], at: 0 });
    expect(around.store.getState().shown).toBeUndefined();
    await d.answer({ lines: [{ offset: 3, text: "three" }], at: 0 });
    expect(d.asked.map((r) => r.offset)).toEqual([1, 3]);
    expect(around.store.getState().shown).toMatchObject({ key: "a:3", at: 0 });
    around.show({ block: "a", hit: hit(4) });
    around.stop();
    await d.answer({ lines: [], at: 0 });
    expect(around.store.getState().shown).toMatchObject({ key: "a:3" });
  });
});

/** Where a query was found in a text: half-open ranges, and a score (higher is better). */
export interface Match {
  score: number;
  ranges: [number, number][];
}

/**
 * Finds every word of the query in the text, in any order; a word matches as a
 * whole piece, best at the start of a word. Undefined when one is missing.
 */
export function match(text: string, query: string): Match | undefined {
  const hay = text.toLowerCase();
  const ranges: [number, number][] = [];
  let score = 0;
  for (const word of query.toLowerCase().split(/\s+/).filter(Boolean)) {
    const at = bestIndex(hay, word);
    if (at < 0) return undefined;
    ranges.push([at, at + word.length]);
    score += at === 0 ? 3 : isStart(hay, at) ? 2 : 1;
  }
  ranges.sort((a, b) => a[0] - b[0]);
  return { score: score - hay.length / 1000, ranges };
}

function isStart(hay: string, at: number): boolean {
  return at === 0 || /[\s/:._-]/.test(hay[at - 1] ?? "");
}

function bestIndex(hay: string, word: string): number {
  let first = -1;
  for (let at = hay.indexOf(word); at >= 0; at = hay.indexOf(word, at + 1)) {
    if (isStart(hay, at)) return at;
    if (first < 0) first = at;
  }
  return first;
}

/** Cuts a text into pieces, telling which were matched. */
export function pieces(text: string, ranges: readonly [number, number][]): { text: string; hit: boolean }[] {
  const out: { text: string; hit: boolean }[] = [];
  let at = 0;
  for (const [from, to] of ranges) {
    if (to <= at) continue;
    const start = Math.max(from, at);
    if (start > at) out.push({ text: text.slice(at, start), hit: false });
    out.push({ text: text.slice(start, to), hit: true });
    at = to;
  }
  if (at < text.length) out.push({ text: text.slice(at), hit: false });
  return out;
}

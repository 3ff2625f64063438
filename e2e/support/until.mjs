// Waiting for what must come true, without ever waiting longer than it takes.

import { setTimeout as pause } from "node:timers/promises";

/** How often a probe is tried (milliseconds). */
const every = 25;

/**
 * The first true value of probe. A probe that throws counts as not yet. Fails
 * after timeout milliseconds, saying what was waited for and what was seen last.
 */
export async function until(what, probe, timeout = 30_000) {
  const deadline = performance.now() + timeout;
  let last;
  for (;;) {
    try {
      last = await probe();
      if (last) return last;
    } catch (error) {
      last = error;
    }
    if (performance.now() > deadline) {
      const seen = last instanceof Error ? last.message : JSON.stringify(last);
      throw new Error(`${what}: not within ${timeout / 1000} s; seen last: ${seen}`);
    }
    await pause(every);
  }
}

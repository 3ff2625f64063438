/** The first value of `probe` that is not undefined, tried at each frame for so many milliseconds. */
export async function soon<T>(probe: () => T | undefined, ms: number): Promise<T | undefined> {
  const end = performance.now() + ms;
  for (;;) {
    const value = probe();
    if (value !== undefined || performance.now() > end) return value;
    await new Promise((next) => requestAnimationFrame(next));
  }
}

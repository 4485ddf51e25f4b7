/** Chance that can be repeated: the same seed, the same order. */
export function shuffled<T>(items: readonly T[], seed: number): T[] {
  const result = [...items];
  let state = seed | 0;
  for (let last = result.length - 1; last > 0; last--) {
    // Mulberry32: small, and even enough for choosing.
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    const other = Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * (last + 1));
    [result[last], result[other]] = [result[other] as T, result[last] as T];
  }
  return result;
}

/** In the order they came in; which ones is chance. */
export function sampled<T>(items: readonly T[], limit: number, seed: number): T[] {
  if (items.length <= limit) return [...items];
  const chosen = new Set(shuffled([...items.keys()], seed).slice(0, limit));
  return items.filter((_, index) => chosen.has(index));
}

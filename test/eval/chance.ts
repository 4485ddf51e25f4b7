import { randomNumbers } from '../support/randomness.js';

/** Repeatable randomness: the same seed gives the same order. */
export function shuffled<T>(items: readonly T[], seed: number): T[] {
  const result = [...items];
  const fraction = randomNumbers(seed);
  for (let last = result.length - 1; last > 0; last--) {
    const other = Math.floor(fraction() * (last + 1));
    [result[last], result[other]] = [result[other] as T, result[last] as T];
  }
  return result;
}

/** A random sample in the original order. */
export function sampled<T>(items: readonly T[], limit: number, seed: number): T[] {
  if (items.length <= limit) return [...items];
  const chosen = new Set(shuffled([...items.keys()], seed).slice(0, limit));
  return items.filter((_, index) => chosen.has(index));
}

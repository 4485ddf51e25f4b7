import { randomInt } from 'node:crypto';

/** Repeatable randomness. */
export interface Randomness {
  seed: number;
  below(limit: number): number;
  pick<T>(items: readonly T[]): T;
}

/** Prints its seed, so that WHETSTONE_TEST_SEED can repeat a failed run. */
export function createRandomness(seed = Number(process.env['WHETSTONE_TEST_SEED'] ?? randomInt(2 ** 31))): Randomness {
  process.stdout.write(`Random choices repeat with WHETSTONE_TEST_SEED=${seed}\n`);
  const fraction = randomNumbers(seed);
  const below = (limit: number) => Math.floor(fraction() * limit);
  return { seed, below, pick: (items) => items[below(items.length)] as (typeof items)[number] };
}

/** mulberry32: numbers in [0, 1). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

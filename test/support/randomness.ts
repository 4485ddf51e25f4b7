import { randomInt } from 'node:crypto';

/** Chance that can be repeated: the same seed, the same choices. */
export interface Randomness {
  seed: number;
  below(limit: number): number;
  pick<T>(items: readonly T[]): T;
}

/** The seed is printed, so that a failure can be run again with WHETSTONE_TEST_SEED. */
export function createRandomness(seed = Number(process.env['WHETSTONE_TEST_SEED'] ?? randomInt(2 ** 31))): Randomness {
  process.stdout.write(`Chance has WHETSTONE_TEST_SEED=${seed}\n`);
  const fraction = randomNumbers(seed);
  const below = (limit: number) => Math.floor(fraction() * limit);
  return { seed, below, pick: (items) => items[below(items.length)] as (typeof items)[number] };
}

/** Numbers from 0 to below 1, the same for the same seed (mulberry32): small, and even enough for choosing. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

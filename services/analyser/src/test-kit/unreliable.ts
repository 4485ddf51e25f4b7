import { AppError, type ErrorCode } from '@whetstone/platform';

/** Random numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Now and then nothing happens, and now and then it does happen and the answer is lost: the caller cannot tell. */
export function unreliable<Args extends unknown[], Result>(
  random: () => number,
  code: ErrorCode,
  work: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  const away = () => new AppError(code, 'away', { retryable: true });
  return async (...args) => {
    const fate = random();
    if (fate < 0.15) throw away();
    const result = await work(...args);
    if (fate < 0.3) throw away();
    return result;
  };
}

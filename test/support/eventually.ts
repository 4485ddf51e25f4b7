import { setTimeout as sleep } from 'node:timers/promises';

export interface Patience {
  /** For the error message. */
  what: string;
  withinMs?: number;
  /** Longest pause between two looks. The first pauses are shorter: most things take little time. */
  everyMs?: number;
}

/** Polls until `look` returns something. */
export async function eventually<T>(
  look: () => Promise<T | undefined> | T | undefined,
  { what, withinMs = 180_000, everyMs = 40 }: Patience,
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (let pauseMs = everyMs / 8; ; pauseMs = Math.min(pauseMs * 2, everyMs)) {
    const seen = await look();
    if (seen !== undefined) return seen;
    if (Date.now() > deadline) throw new Error(`Not within ${withinMs} ms: ${what}`);
    await sleep(pauseMs);
  }
}

/** Maps with limited concurrency; results keep the order. */
export async function inParallel<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  const workers = Array.from({ length: Math.min(atOnce, items.length) }, async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await work(items[index] as T);
    }
  });
  await Promise.all(workers);
  return results;
}

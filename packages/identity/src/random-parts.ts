import { randomFillSync } from 'node:crypto';

/**
 * Random bytes that make an id its own, fetched for many ids at a time: one fetch costs more than everything else that makes
 * an id.
 */
export function createRandomParts(bytes: number): () => Uint8Array {
  const pool = Buffer.alloc(bytes * 256);
  let used = pool.length;
  return () => {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    used += bytes;
    return pool.subarray(used - bytes, used);
  };
}

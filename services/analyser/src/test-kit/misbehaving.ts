import { createReflectorPool } from '../adapters/reflector-pool.js';

/** A reflector thread that obeys the query. */
export const misbehaving = new URL('./misbehaving-worker.js', import.meta.url);

/** A time limit for one analysis that starting its thread does not reach, however busy the machine is. */
export async function longEnoughForAThread(): Promise<number> {
  const started = performance.now();
  const pool = createReflectorPool({ threads: 1, memoryMb: 32, timeoutMs: 60_000, idleMs: 60_000 }, misbehaving);
  await pool.produce({ query: 'first', turns: [] }, new AbortController().signal);
  await pool.close();
  return 500 + 10 * (performance.now() - started);
}

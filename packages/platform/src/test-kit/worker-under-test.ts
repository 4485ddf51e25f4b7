import { getPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';

import { AppError, lowerPriority, moved, serveWorker } from '../worker.js';

/** As a module does that cannot be read. */
const { failAtStart } = (workerData ?? {}) as { failAtStart?: string };
if (failAtStart !== undefined) throw Object.assign(new Error('cannot start'), { code: failAtStart });

serveWorker({
  double: (value: number) => value * 2,
  slowly: async ({ value, delayMs }: { value: number; delayMs: number }) => {
    await sleep(delayMs);
    return value;
  },
  refuse: () => {
    throw new AppError('too_large', 'Too much of it', { retryable: true });
  },
  stumble: () => {
    throw new TypeError('x is not a function');
  },
  starve: () => {
    throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
  },
  crash: () => {
    setImmediate(() => {
      throw new Error('the thread is broken');
    });
    return new Promise(() => {});
  },
  exhaust: () => {
    const hoard: unknown[] = [];
    for (;;) hoard.push(Array.from({ length: 1000 }, (_, index) => ({ index })));
  },
  hang: () => {
    for (;;);
  },
  unsendable: () => () => {},
  handOver: (length: number) => {
    const array = new Float32Array(length).fill(0.5);
    return moved(array, [array.buffer]);
  },
  giveWay: () => {
    lowerPriority();
    return getPriority();
  },
  lengthOf: (bytes: Uint8Array) => bytes.length,
});

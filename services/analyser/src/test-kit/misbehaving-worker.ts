import { threadId } from 'node:worker_threads';

import type { Interaction } from '@whetstone/contracts';
import { serveWorker } from '@whetstone/platform/worker';

import { reflectionOf } from './reflection-of.js';

/** A reflector that obeys the query: names its thread, hangs, burns CPU, exhausts memory, throws, starves or exits. */
serveWorker({
  reflect(interaction: Interaction) {
    if (interaction.query === 'who') return { ...reflectionOf(interaction), intent: `thread ${threadId}` };
    ways[interaction.query]?.();
    return reflectionOf(interaction);
  },
});

const ways: Record<string, () => void> = {
  hang() {
    for (;;);
  },
  block() {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  },
  eat() {
    const eaten: number[][] = [];
    for (;;) eaten.push(Array.from({ length: 10_000 }, Math.random));
  },
  throw() {
    throw new Error('cannot read this');
  },
  starve() {
    throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
  },
  leave() {
    process.exit(3);
  },
};

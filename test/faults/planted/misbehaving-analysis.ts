import { onWorkerCall } from './on-worker-call.js';

/**
 * Loaded before the product. The thread that analyses does what the words of an upload say, as an upload would that finds a
 * weak spot of the analysis; everything else is left as it is.
 */
const ways: Record<string, () => void> = {
  'harm by hanging': () => {
    for (;;);
  },
  'harm by eating': () => {
    const eaten: number[][] = [];
    for (;;) eaten.push(Array.from({ length: 10_000 }, Math.random));
  },
  'harm by leaving': () => {
    process.exit(3);
  },
};

onWorkerCall(({ method, payload }) => {
  if (method !== 'reflect') return;
  const said = JSON.stringify(payload);
  for (const [words, way] of Object.entries(ways)) if (said.includes(words)) way();
});

import { onWorkerCall } from './on-worker-call.js';

/**
 * Preloaded into the product. The analysis thread obeys certain words of an upload, as if the upload had found a weak spot.
 * Everything else is unchanged.
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

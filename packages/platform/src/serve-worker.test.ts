import { getPriority } from 'node:os';

import { loweredPriority } from './serve-worker.js';
import { createWorkerClient } from './worker-client.js';

it('a thread that lowers its priority lowers its own alone, and on Linux only', async () => {
  const worker = createWorkerClient(new URL('./test-kit/worker-under-test.js', import.meta.url), { name: 'test' });
  const before = getPriority();

  const ofTheThread = await worker.call<number>('giveWay', undefined);
  const ofTheProcess = getPriority();
  await worker.terminate();

  const lowered = Math.max(before, loweredPriority);
  expect(ofTheThread).toBe(process.platform === 'linux' ? lowered : before);
  expect(ofTheProcess).toBe(before);
});

import { createWorkerClient } from '@whetstone/platform';

import { createRevivingWorker } from './reviving-worker.js';

describe('createRevivingWorker', () => {
  it('fails the call during which the thread dies, and answers the next from a new thread', async () => {
    let deaths = 0;
    const worker = createRevivingWorker({
      start: () => createWorkerClient(new URL('../test-kit/fragile-worker.js', import.meta.url), { name: 'fragile' }),
      prepare: (client) => client.call('greet', undefined),
      onDeath: () => {
        deaths++;
      },
    });
    for (let i = 1; i <= 2; i++) {
      expect(await worker.call('echo', i)).toBe(i);
      await expect(worker.call('die', undefined)).rejects.toMatchObject({ code: 'internal' });
      await new Promise(setImmediate);
      expect(deaths).toBe(i);
    }
    expect(await worker.call('echo', 'again')).toBe('again');
    await worker.close();
    await expect(worker.call('echo', 'late')).rejects.toMatchObject({ code: 'store_unavailable' });
  });

  it('reports why a thread does not start, and tries again', async () => {
    let tries = 0;
    const worker = createRevivingWorker({
      start: () => createWorkerClient(new URL('../test-kit/fragile-worker.js', import.meta.url), { name: 'fragile' }),
      prepare: async () => {
        if (++tries === 1) throw new Error('not yet');
      },
      onDeath: () => undefined,
    });
    await expect(worker.call('echo', 1)).rejects.toThrow('not yet');
    expect(await worker.call('echo', 2)).toBe(2);
    await worker.close();
  });
});

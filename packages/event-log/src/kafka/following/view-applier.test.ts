import type { EachBatchPayload } from 'kafkajs';

import { ViewApplier } from './view-applier.js';

function setUp() {
  const seen: { partition: number; offset: number; positions: number[] }[] = [];
  const crashes: Error[] = [];
  const applier = new ViewApplier({
    handlers: {
      topic: 't',
      onEvents(events, positions) {
        for (const { partition, offset } of events) seen.push({ partition, offset, positions: [...positions] });
      },
      onReset: () => {},
      onCrash: () => {},
    },
    onProgress: () => {},
    onAnew: () => {},
    onCrash: (error) => crashes.push(error),
  });
  const resolved: string[] = [];
  return {
    applier,
    seen,
    crashes,
    resolved,
    /** As kafkajs hands it over. */
    batch(partition: number, ...offsets: number[]): EachBatchPayload {
      const messages = offsets.map((offset) => ({
        offset: String(offset),
        timestamp: '1',
        key: Buffer.from('k'),
        value: Buffer.from('v'),
        attributes: 0,
      }));
      return {
        batch: { topic: 't', partition, messages, lastOffset: () => messages.at(-1)?.offset },
        resolveOffset: (offset: string) => resolved.push(offset),
        isRunning: () => true,
        isStale: () => false,
      } as unknown as EachBatchPayload;
    },
  };
}

const empty = { low: 0, high: 0 };

describe('what a view is brought', () => {
  it('is applied once, in order, with how far the view has come', async () => {
    const { applier, seen, resolved, batch } = setUp();
    await applier.begin([empty, empty]);
    await applier.apply(batch(1, 0, 1));
    await applier.apply(batch(1, 1, 2));
    expect(seen).toEqual([
      { partition: 1, offset: 0, positions: [0, 2] },
      { partition: 1, offset: 1, positions: [0, 2] },
      { partition: 1, offset: 2, positions: [0, 3] },
    ]);
    expect(resolved).toEqual(['1', '2']);
  });

  it('waits where it is of a partition that the view has not looked at yet', async () => {
    const { applier, seen, crashes, resolved, batch } = setUp();
    await applier.begin([empty]);
    await applier.apply(batch(1, 0));
    expect({ seen, crashes, resolved }).toEqual({ seen: [], crashes: [], resolved: [] });

    await applier.check([empty, { low: 0, high: 1 }], [0]);
    await applier.apply(batch(1, 0));
    expect(seen).toEqual([{ partition: 1, offset: 0, positions: [0, 1] }]);
    expect(crashes).toEqual([]);
  });
});

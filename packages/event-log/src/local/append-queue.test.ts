import { AppError } from '@whetstone/platform';

import { AppendQueue, type AppendQueueOptions } from './append-queue.js';
import type { EventToWrite, WriteBatch } from './event-writer.js';

describe('AppendQueue', () => {
  it('writes what comes while a batch is under way together, in the order of the calls', async () => {
    const { queue, batches } = setUp();
    const first = queue.append(...anEvent('0'));
    await new Promise((resolve) => setImmediate(resolve));
    const others = Array.from({ length: 500 }, (_, index) => queue.append(...anEvent(`${index + 1}`)));
    await Promise.all([first, ...others]);

    expect(batches.length).toBeLessThanOrEqual(3);
    expect(batches.flatMap(keysOf)).toEqual(Array.from({ length: 501 }, (_, index) => `${index}`));
  });

  it('pauses after a batch that had company, so that few at a time need few batches', async () => {
    const pauses: number[] = [];
    const { queue } = setUp({ nowMs: () => 1000, pause: async (timeMs) => void pauses.push(timeMs) });
    await queue.append(...anEvent('alone'));
    await queue.append(...anEvent('alone again'));
    expect(pauses).toEqual([]);

    await Promise.all(['a', 'b', 'c', 'd'].map((key) => queue.append(...anEvent(key))));
    await queue.append(...anEvent('e'));
    await queue.append(...anEvent('f'));

    expect(pauses).toEqual([6]);
  });

  it('ends the pause as soon as enough have gathered', async () => {
    const { queue } = setUp({ nowMs: () => 1000, pause: () => new Promise(() => {}) });
    await Promise.all(['a', 'b'].map((key) => queue.append(...anEvent(key))));

    const several = Array.from({ length: 6 }, (_, index) => queue.append(...anEvent(`${index}`)));

    await expect(Promise.all(several)).resolves.toHaveLength(6);
  });

  it('does not pause when the last batch is longer ago, or when a batch is full', async () => {
    let nowMs = 1000;
    const pauses: number[] = [];
    const { queue } = setUp({ nowMs: () => nowMs, pause: async (timeMs) => void pauses.push(timeMs) });
    await Promise.all(['a', 'b'].map((key) => queue.append(...anEvent(key))));
    nowMs += 4;
    await Promise.all(['c', 'd'].map((key) => queue.append(...anEvent(key))));
    await queue.append(...anEvent('large', 2_000_000));

    expect(pauses).toEqual([]);
  });

  it('bounds a batch by a mebibyte and lets a larger event go alone', async () => {
    const { queue, batches } = setUp();
    const sizes = [400_000, 400_000, 400_000, 3_000_000, 10, 10];
    await Promise.all(sizes.map((bytes, index) => queue.append(...anEvent(`${index}`, bytes))));

    expect(batches.map(keysOf)).toEqual([['0', '1'], ['2'], ['3'], ['4', '5']]);
  });

  it('lets an event that cannot be written fail alone', async () => {
    const { queue } = setUp({
      inspect: ({ events }) => {
        if (events.some(({ key }) => key === 'bad')) throw new AppError('invalid_argument', 'no');
      },
    });
    const results = await Promise.allSettled(['a', 'bad', 'b'].map((key) => queue.append(...anEvent(key))));

    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(queue.healthy).toBe(true);
  });

  it('fails what is under way when the log is away, and recovers by itself', async () => {
    let away = true;
    const { queue } = setUp({
      inspect: () => {
        if (away) throw new AppError('log_unavailable', 'full', { retryable: true });
      },
    });
    const failed = await Promise.allSettled(['a', 'b'].map((key) => queue.append(...anEvent(key))));
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(queue.healthy).toBe(false);

    away = false;
    await queue.append(...anEvent('c'));
    expect(queue.healthy).toBe(true);
  });

  it('refuses to keep more waiting than memory should hold', async () => {
    const { queue } = setUp();
    const appends = Array.from({ length: 12 }, (_, index) => queue.append(...anEvent(`${index}`, 6_000_000)));
    const results = await Promise.allSettled(appends);

    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(11);
    expect(results.at(-1)).toMatchObject({ status: 'rejected', reason: { code: 'log_unavailable', retryable: true } });
    await queue.append(...anEvent('later', 6_000_000));
  });

  it('writes only the furthest of the positions that wait, together with the events', async () => {
    const { queue, batches } = setUp();
    const position = { group: 'g', partitionId: 1 };
    await Promise.all([
      queue.append(...anEvent('a')),
      ...[3, 7, 5].map((nextOffset) => queue.savePosition({ ...position, nextOffset })),
    ]);

    expect(batches).toHaveLength(1);
    expect(batches[0]?.positions).toEqual([{ ...position, nextOffset: 7 }]);
  });
});

function setUp({
  inspect = () => {},
  ...times
}: Pick<AppendQueueOptions, 'nowMs' | 'pause'> & { inspect?(batch: WriteBatch): void } = {}) {
  const batches: WriteBatch[] = [];
  const queue = new AppendQueue({
    async write(batch) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      inspect(batch);
      batches.push(batch);
      return [];
    },
    onWritten: () => {},
    ...times,
  });
  return { queue, batches };
}

function anEvent(key: string, valueBytes = 3): [EventToWrite, Uint8Array] {
  const event = { partitionId: 1, compacted: false, key, headers: '{}', timestampMs: 1, valueBytes };
  return [event, new Uint8Array(valueBytes)];
}

function keysOf({ events }: WriteBatch): string[] {
  return events.map(({ key }) => key);
}

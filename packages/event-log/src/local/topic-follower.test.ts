import { partitionOf } from '../partition-of.js';
import type { LogEvent } from '../ports.js';
import type { Partition } from './database.js';
import type { ReadResult } from './event-reader.js';
import { LogTail } from './log-tail.js';
import { TopicFollower } from './topic-follower.js';

const partitions = Array.from({ length: 8 }, (_, partition) => ({
  id: partition,
  topic: 't',
  partition,
  compacted: true,
}));

describe('a view of the local log', () => {
  it('catches up with every partition in one turn of the event loop, however long a turn takes', async () => {
    const { follower, appendToAll, applied } = setUp();
    await follower.caughtUp();
    appendToAll(3);

    const turns = countTurns();
    await Promise.all(keysOfAllPartitions().map((key) => follower.catchUp(key)));

    expect(turns.stop()).toBeLessThanOrEqual(2);
    expect(applied()).toBe(24);
    await follower.stop();
  });

  it('lets others have a turn while it reads a long topic', async () => {
    const { follower, appendToAll, applied } = setUp({ applyMs: 2 });
    await follower.caughtUp();
    appendToAll(20);

    const turns = countTurns();
    await Promise.all(keysOfAllPartitions().map((key) => follower.catchUp(key)));

    expect(turns.stop()).toBeGreaterThan(5);
    expect(applied()).toBe(160);
    await follower.stop();
  });
});

/** One event a batch. */
function setUp({ applyMs = 0 } = {}) {
  let end = 0;
  let applied = 0;
  const reader = {
    version: () => end,
    bounds: () => new Map(partitions.map(({ id }) => [id, { start: 0, end }])),
    read: ({ partition }: Partition, from: number): ReadResult => ({
      events: [eventAt(partition, from)],
      next: from + 1,
    }),
  };
  const tail = new LogTail({ reader, pollMs: 60_000 });
  const handlers = {
    topic: 't',
    onEvents: (events: LogEvent[]) => {
      for (const until = performance.now() + applyMs; performance.now() < until; );
      applied += events.length;
    },
    onReset() {},
    onCrash() {},
  };
  const follower = new TopicFollower({ tail, partitions, handlers, onStopped() {} });
  const appendToAll = (count: number) => {
    end += count;
  };
  return { follower, appendToAll, applied: () => applied };
}

function eventAt(partition: number, offset: number): LogEvent {
  return { topic: 't', partition, offset, key: 'k', value: new Uint8Array(), headers: {}, timestampMs: 0 };
}

function keysOfAllPartitions(): string[] {
  const keys = Array.from({ length: 200 }, (_, index) => `key-${index}`);
  return partitions.map(({ partition }) => keys.find((key) => partitionOf(key, partitions.length) === partition) ?? '');
}

function countTurns(): { stop(): number } {
  let turns = 0;
  let next: NodeJS.Immediate;
  const count = () => {
    turns++;
    next = setImmediate(count);
  };
  next = setImmediate(count);
  return {
    stop() {
      clearImmediate(next);
      return turns;
    },
  };
}

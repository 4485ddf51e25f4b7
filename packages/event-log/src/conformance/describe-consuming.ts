import { eventually } from '@whetstone/platform/test-kit';
import type { EventLog } from '../ports.js';
import { anEvent, aWhile, Collector, type TestLogs, testTimeoutMs } from './test-kit.js';

export function describeConsuming(logs: TestLogs): void {
  describe('consuming', () => {
    it(
      'delivers again, after a restart, what was not committed, and not what was',
      async () => {
        const topic = await logs.createTopic({ partitions: 1 });
        const first = await logs.open();
        await appendNumbers(first, topic, 0, 10);
        const before = await Collector.join(first, topic, 'workers');
        await eventually(() => before.events.length >= 10, 'all events');
        const sixth = before.event(5);
        await before.consumption.commit(sixth.partition, sixth.offset);
        await first.close();

        const second = await logs.open();
        const after = await Collector.join(second, topic, 'workers');
        await eventually(() => after.events.length >= 5, 'the uncommitted events');
        await aWhile();

        expect(after.texts()).toEqual(['5', '6', '7', '8', '9']);
      },
      testTimeoutMs,
    );

    it(
      'never moves a position back by a commit',
      async () => {
        const topic = await logs.createTopic({ partitions: 1 });
        const first = await logs.open();
        await appendNumbers(first, topic, 0, 10);
        const before = await Collector.join(first, topic, 'workers');
        await eventually(() => before.events.length >= 10, 'all events');
        await before.consumption.commit(0, before.event(8).offset);
        await before.consumption.commit(0, before.event(2).offset);
        await first.close();

        const second = await logs.open();
        const after = await Collector.join(second, topic, 'workers');
        await eventually(() => after.events.length >= 2, 'the uncommitted events');
        await aWhile();

        expect(after.texts()).toEqual(['8', '9']);
      },
      testTimeoutMs,
    );

    it(
      'shows each group every event',
      async () => {
        const topic = await logs.createTopic();
        const log = await logs.open();
        await appendNumbers(log, topic, 0, 30);

        const one = await Collector.join(log, topic, 'one');
        const two = await Collector.join(log, topic, 'two');
        await eventually(() => new Set(one.texts()).size === 30, 'all events in the first group');
        await eventually(() => new Set(two.texts()).size === 30, 'all events in the second group');
      },
      testTimeoutMs,
    );

    it(
      'shares the partitions between the members of a group, and lets one take over what another leaves',
      async () => {
        const topic = await logs.createTopic({ partitions: 4 });
        const log = await logs.open();
        const one = await Collector.join(log, topic, 'workers');
        await appendNumbers(log, topic, 0, 40);
        await eventually(() => has([one], 0, 40), 'the first member to have all partitions');
        const two = await Collector.join(log, topic, 'workers');
        await bothReceive(log, topic, one, two);
        expect(one.revoked.length).toBeGreaterThan(0);

        await two.consumption.stop();
        one.events.length = 0;
        await appendNumbers(log, topic, 1000, 40);

        await eventually(() => has([one], 1000, 40), 'the remaining member to get everything');
      },
      testTimeoutMs,
    );

    it(
      'delivers events that come while it waits',
      async () => {
        const topic = await logs.createTopic();
        const log = await logs.open();
        const reader = await Collector.join(log, topic, 'readers');
        await aWhile();

        await appendNumbers(log, topic, 0, 5);

        await eventually(() => new Set(reader.texts()).size === 5, 'the events');
      },
      testTimeoutMs,
    );

    it(
      'delivers nothing of a paused partition until it is resumed',
      async () => {
        const topic = await logs.createTopic({ partitions: 1 });
        const log = await logs.open();
        const reader = await Collector.join(log, topic, 'readers');
        await appendNumbers(log, topic, 0, 1);
        await eventually(() => reader.events.length >= 1, 'the first event');

        reader.consumption.pause([0]);
        await appendNumbers(log, topic, 1, 3);
        await aWhile();
        expect(reader.texts()).toEqual(['0']);
        reader.consumption.resume([0]);

        await eventually(() => reader.events.length >= 4, 'the events that waited');
        expect(reader.texts()).toEqual(['0', '1', '2', '3']);
      },
      testTimeoutMs,
    );

    it(
      'delivers again from where it is told to',
      async () => {
        const topic = await logs.createTopic({ partitions: 1 });
        const log = await logs.open();
        await appendNumbers(log, topic, 0, 6);
        const reader = await Collector.join(log, topic, 'readers');
        await eventually(() => reader.events.length >= 6, 'all events');

        reader.consumption.seek(0, reader.event(3).offset);

        await eventually(() => reader.events.length >= 9, 'the last three again');
        expect(reader.texts().slice(6)).toEqual(['3', '4', '5']);
      },
      testTimeoutMs,
    );

    it(
      'tells how many events are not committed yet, and how old the oldest is',
      async () => {
        const topic = await logs.createTopic({ partitions: 2 });
        const log = await logs.open();
        await appendNumbers(log, topic, 0, 7);
        const reader = await Collector.join(log, topic, 'readers');
        await eventually(() => reader.events.length >= 7, 'all events');
        await eventually(async () => (await reader.consumption.lag()).messages === 7, 'a lag of seven');
        await aWhile();
        expect((await reader.consumption.lag()).seconds).toBeGreaterThan(0);

        await reader.commitAll();

        await eventually(async () => (await reader.consumption.lag()).messages === 0, 'no lag');
        expect((await reader.consumption.lag()).seconds).toBe(0);
      },
      testTimeoutMs,
    );

    it(
      'ends with a crash when a handler throws',
      async () => {
        const topic = await logs.createTopic({ partitions: 1 });
        const log = await logs.open();
        const crashes: Error[] = [];
        await log.consume({
          topic,
          group: 'broken',
          onEvents: () => {
            throw new Error('a mistake in the handler');
          },
          onRevoked: () => {},
          onCrash: (error) => crashes.push(error),
        });

        await appendNumbers(log, topic, 0, 1);

        await eventually(() => crashes.length > 0, 'the crash');
        expect(crashes.map(({ message }) => message)).toEqual(['a mistake in the handler']);
      },
      testTimeoutMs,
    );
  });
}

async function appendNumbers(log: EventLog, topic: string, from: number, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, index) => from + index);
  await Promise.all(numbers.map((number) => log.append(topic, anEvent(`key-${number}`, `${number}`))));
}

function has(collectors: Collector[], from: number, count: number): boolean {
  const seen = new Set(collectors.flatMap((collector) => collector.texts()));
  return Array.from({ length: count }, (_, index) => `${from + index}`).every((text) => seen.has(text));
}

/** Rebalances take time in a cluster: appends until both members have received something. */
async function bothReceive(log: EventLog, topic: string, one: Collector, two: Collector): Promise<void> {
  let from = 0;
  await eventually(async () => {
    one.events.length = 0;
    two.events.length = 0;
    await appendNumbers(log, topic, from, 40);
    await eventually(() => has([one, two], from, 40), 'both together to get everything');
    from += 40;
    return one.events.length > 0 && two.events.length > 0;
  }, 'both members to get a share');
}

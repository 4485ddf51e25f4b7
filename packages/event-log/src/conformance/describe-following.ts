import { eventually } from '@whetstone/platform/test-kit';
import type { EventLog } from '../ports.js';
import { anEvent, aWhile, type TestLogs, testTimeoutMs, View } from './test-kit.js';

export function describeFollowing(logs: TestLogs): void {
  describe('following', () => {
    it(
      'has caught up with an empty topic',
      async () => {
        const topic = await logs.createTopic();
        const log = await logs.open();
        const view = await View.follow(log, topic);

        await view.following.caughtUp();

        expect(view.applied).toBe(0);
      },
      testTimeoutMs,
    );

    it(
      'has applied everything that was there before it began once it has caught up',
      async () => {
        const topic = await logs.createTopic();
        const log = await logs.open();
        await appendKeys(log, topic, 300, 'old');

        const view = await View.follow(log, topic);
        await view.following.caughtUp();

        expect(view.values.size).toBe(300);
        expect(view.positions).toHaveLength(4);
      },
      testTimeoutMs,
    );

    it(
      'goes on from stored positions',
      async () => {
        const topic = await logs.createTopic();
        const first = await logs.open();
        await appendKeys(first, topic, 20, 'old');
        const before = await View.follow(first, topic);
        await before.following.caughtUp();
        await first.close();

        const second = await logs.open();
        await second.append(topic, anEvent('key-3', 'new'));
        const after = await View.follow(second, topic, before.positions);
        await after.following.caughtUp();

        expect([...after.values]).toEqual([['key-3', 'new']]);
        expect(after.resets).toBe(0);
      },
      testTimeoutMs,
    );

    it(
      'begins anew when the stored positions are not in the log',
      async () => {
        const topic = await logs.createTopic();
        const log = await logs.open();
        await appendKeys(log, topic, 20, 'there');

        const view = await View.follow(log, topic, [1_000_000, 1_000_000, 1_000_000, 1_000_000]);
        await eventually(() => view.resets > 0 && view.values.size === 20, 'the view to be built again');
      },
      testTimeoutMs,
    );

    it(
      'has applied, after catching up, what was appended before the call',
      async () => {
        const topic = await logs.createTopic();
        const log = await logs.open();
        const view = await View.follow(log, topic);
        await view.following.caughtUp();

        for (let round = 0; round < 20; round++) {
          await log.append(topic, { ...anEvent(`key:${round}`, 'done'), partitionKey: 'job-1' });
          await view.following.catchUp('job-1');
          expect(view.values.get(`key:${round}`)).toBe('done');
        }
      },
      testTimeoutMs,
    );

    it(
      'answers many callers that catch up at once',
      async () => {
        const topic = await logs.createTopic();
        const log = await logs.open();
        const view = await View.follow(log, topic);
        const ids = Array.from({ length: 50 }, (_, index) => `job-${index}`);

        await Promise.all(
          ids.map(async (id) => {
            await log.append(topic, anEvent(id, 'done'));
            await view.following.catchUp(id);
            expect(view.values.get(id)).toBe('done');
          }),
        );
      },
      testTimeoutMs,
    );

    it(
      'sees what another opener of the same log appends',
      async () => {
        const topic = await logs.createTopic();
        const [mine, theirs] = [await logs.open(), await logs.open()];
        const view = await View.follow(mine, topic);
        await view.following.caughtUp();

        await theirs.append(topic, anEvent('key', 'from elsewhere'));

        await eventually(() => view.values.get('key') === 'from elsewhere', 'the event');
      },
      testTimeoutMs,
    );

    it(
      'is young while it is at the end',
      async () => {
        const topic = await logs.createTopic();
        const log = await logs.open();
        const view = await View.follow(log, topic);
        await view.following.caughtUp();
        await aWhile();

        await eventually(() => view.following.ageSeconds() < 5, 'a recent look at the end');
        expect(view.following.ageSeconds()).toBeGreaterThanOrEqual(0);
      },
      testTimeoutMs,
    );

    it(
      'applies nothing after it was stopped',
      async () => {
        const topic = await logs.createTopic();
        const log = await logs.open();
        const view = await View.follow(log, topic);
        await view.following.caughtUp();
        await view.following.stop();

        await appendKeys(log, topic, 5, 'late');
        await aWhile();

        expect(view.applied).toBe(0);
        await expect(view.following.catchUp('key-1')).rejects.toMatchObject({ code: 'log_unavailable' });
      },
      testTimeoutMs,
    );

    it(
      'keeps the last event of each key through compaction, so that every view stays right',
      async () => {
        const topic = await logs.createTopic({ compacted: true });
        const log = await logs.open();
        for (const text of ['first', 'second', 'third']) await appendKeys(log, topic, 20, text);
        const early = await View.follow(log, topic);
        await early.following.caughtUp();

        await logs.compact(log, topic);
        await log.append(topic, anEvent('key-7', 'fourth'));

        const late = await View.follow(log, topic);
        await late.following.caughtUp();
        await early.following.catchUp('key-7');
        expect(late.values.size).toBe(20);
        expect(late.values.get('key-7')).toBe('fourth');
        expect(late.values.get('key-8')).toBe('third');
        expect(new Map([...early.values].sort())).toEqual(new Map([...late.values].sort()));

        const resumed = await View.follow(log, topic, early.positions);
        await resumed.following.caughtUp();
        expect(resumed.resets).toBe(0);
      },
      testTimeoutMs,
    );
  });
}

async function appendKeys(log: EventLog, topic: string, count: number, text: string): Promise<void> {
  const keys = Array.from({ length: count }, (_, index) => `key-${index}`);
  await Promise.all(keys.map((key) => log.append(topic, anEvent(key, text))));
}

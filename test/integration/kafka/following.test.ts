import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { EventLog, Following, LogEvent } from '@whetstone/event-log';

import { sharedKafka } from '../../support/shared-engines.js';
import {
  appendAsProducer,
  appendTombstones,
  appendUnseen,
  createTopic,
  openLog,
  readAll,
  rollAndCompact,
  withAdmin,
} from './topics.js';
import { until } from './until.js';

const brokers = sharedKafka();

describe('following a topic of Kafka', () => {
  let log: EventLog;

  beforeEach(async () => {
    log = await openLog({ brokers: brokers() });
  });
  afterEach(() => log.close());

  it('begins anew when what it would read next was removed while it was not there', async () => {
    const topic = await createTopic(brokers(), { partitions: 2 });
    await append(topic, 0, 20);
    const view = await follow(topic);
    await view.following.caughtUp();
    const stored = view.positions.slice();
    await view.following.stop();
    await append(topic, 20, 20);
    await removeAll(topic);
    await append(topic, 40, 20);

    const after = await follow(topic, stored);
    await after.following.caughtUp();

    expect(after.resets).toBe(1);
    expect([...after.texts].sort()).toEqual(numbers(40, 20));
  });

  it('begins anew when what it would read next is removed while it is busy', async () => {
    const topic = await createTopic(brokers());
    await append(topic, 0, 20);
    const free = gate();
    const view = await follow(topic, undefined, free.opened);
    await until('the first events', () => view.handled > 0);
    await append(topic, 20, 20);
    await removeAll(topic);
    await append(topic, 40, 20);
    free.open();

    await until('the last event', () => view.texts.has('59'));
    await view.following.catchUp('key-1');

    expect(view.resets).toBe(1);
    expect([...view.texts].sort()).toEqual(numbers(40, 20));
  });

  it('begins anew when a topic is made again, and is then shorter than what was read', async () => {
    const topic = await createTopic(brokers());
    await append(topic, 0, 20);
    const view = await follow(topic);
    await view.following.caughtUp();
    await withAdmin(brokers(), (admin) => admin.deleteTopics({ topics: [topic] }));
    await until('the topic to be made again', () => createTopic(brokers(), { name: topic }).then(Boolean, () => false));
    await append(topic, 100, 3);

    await until('the new events', () => view.texts.has('102'));
    expect([...view.texts].sort()).toEqual(numbers(100, 3));
    expect(view.resets).toBe(1);
  });

  it('has caught up with a topic that has expired, from its beginning and from its end', async () => {
    const topic = await createTopic(brokers(), { partitions: 2 });
    await append(topic, 0, 20);
    const view = await follow(topic);
    await view.following.caughtUp();
    await removeAll(topic);

    const late = await follow(topic);
    await late.following.caughtUp();
    await view.following.catchUp('key-1');

    expect([late.texts.size, late.resets]).toEqual([0, 0]);
    expect([view.texts.size, view.resets]).toEqual([20, 0]);
  });

  it('has caught up with a topic of which compaction has left nothing', async () => {
    const topic = await createTopic(brokers(), { partitions: 2, compacted: true });
    await append(topic, 0, 20);
    await appendTombstones(brokers(), topic, numbers(0, 20).map(keyOf));
    await rollAndCompact(brokers(), log, topic, (events) => events.length === 0);

    const view = await follow(topic);
    await view.following.caughtUp();
    await view.following.catchUp('key-1');

    expect(view.texts.size).toBe(0);
    expect(view.following.ageSeconds()).toBeLessThan(20);
    await append(topic, 50, 1);
    await view.following.catchUp(keyOf('50'));
    expect([...view.texts]).toEqual(['50']);
  });

  it('goes past batches of which compaction has left the headers alone', async () => {
    // Two large batches fill a segment, so that compaction does not merge what is left of them.
    const topic = await createTopic(brokers(), { compacted: true, settings: { 'segment.bytes': String(1024 * 1024) } });
    const [first, second] = [randomText(900_000), randomText(900_000)];
    await appendAsProducer(brokers(), topic, { key: keyOf('0'), value: first });
    await sleep(150);
    await log.append(topic, { key: keyOf('0'), value: Buffer.from(second) });
    await sleep(150);
    await append(topic, 1, 1);
    await until('compaction', async () => {
      const texts = (await readAll(log, topic)).map(({ value }) => Buffer.from(value).toString());
      return !texts.includes(first);
    });

    const view = await follow(topic);
    await view.following.caughtUp();

    expect([...view.texts].map((text) => text.length)).toEqual([second.length, 1]);
    expect(view.texts).toEqual(new Set([second, '1']));
  });

  it('has read every segment of a partition before it has caught up: a fetch brings one at a time', async () => {
    const topic = await createTopic(brokers(), { settings: { 'segment.ms': '100' } });
    for (let index = 0; index < 8; index++) {
      await append(topic, index, 1);
      await sleep(150);
    }

    const view = await follow(topic);
    await view.following.caughtUp();

    expect([...view.texts]).toEqual(numbers(0, 8));
  });

  it('has read what is too large to come in one answer with another partition before it has caught up', async () => {
    const topic = await createTopic(brokers(), { partitions: 2 });
    await log.append(topic, { key: 'large', value: randomBytes(2_000_000) });
    await append(topic, 0, 20);

    // A fetch returns its partitions in any order.
    for (let round = 0; round < 8; round++) {
      const view = await follow(topic);
      await view.following.caughtUp();
      expect(view.texts.size).toBe(21);
      await view.following.stop();
    }
  });

  it('does not wait for what nobody can see: transactions that were given up', async () => {
    const topic = await createTopic(brokers(), { partitions: 2 });
    await append(topic, 0, 5);
    await appendUnseen(brokers(), topic);

    const view = await follow(topic);
    await view.following.caughtUp();
    await appendUnseen(brokers(), topic);
    await view.following.catchUp('key-1');

    expect(view.texts.size).toBe(5);
  });

  it('hands barriers to nobody: neither views nor consumers see them, and they are no lag', async () => {
    const topic = await createTopic(brokers());
    await append(topic, 0, 5);
    const view = await follow(topic);
    await view.following.caughtUp();
    await appendUnseen(brokers(), topic);
    const before = await endOf(topic);

    await view.following.catchUp('key-1');
    const consumed: string[] = [];
    const consumption = await log.consume({
      topic,
      group: topic,
      onEvents: (events) => void consumed.push(...events.map(({ key }) => key)),
      onRevoked() {},
      onCrash: (error) => void consumed.push(error.message),
    });
    await until('the consumer to have them', () => consumed.length === 5);
    await consumption.commit(0, 5);

    expect(await endOf(topic)).toBe(before + 1);
    await until('no lag', async () => (await consumption.lag()).messages === 0);
    expect(consumed).toEqual(numbers(0, 5).map(keyOf));
    expect([...view.texts]).toEqual(numbers(0, 5));
    expect(await readAll(log, topic)).toHaveLength(5);
  });

  it('appends nothing where there is no gap', async () => {
    const topic = await createTopic(brokers());
    await append(topic, 0, 5);
    const before = await endOf(topic);

    const view = await follow(topic);
    await view.following.caughtUp();
    for (let index = 0; index < 5; index++) await view.following.catchUp('key-1');
    await sleep(1500);

    expect(await endOf(topic)).toBe(before);
  });

  it('waits for a topic that is not there yet, and so does whoever consumes it', async () => {
    const topic = `late-${randomUUID()}`;
    const view = await follow(topic);
    const consumed: string[] = [];
    await log.consume({
      topic,
      group: topic,
      onEvents: (events) => void consumed.push(...events.map(({ value }) => Buffer.from(value).toString())),
      onRevoked() {},
      onCrash: (error) => void consumed.push(error.message),
    });
    await expect(append(topic, 0, 1)).rejects.toMatchObject({
      code: 'log_unavailable',
      message: expect.stringContaining('topics apply'),
    });

    await createTopic(brokers(), { name: topic });
    await append(topic, 0, 3);
    await view.following.caughtUp();
    await view.following.catchUp('key-1');

    expect([...view.texts]).toEqual(['0', '1', '2']);
    await until('the consumer to have them', () => consumed.length === 3);
    expect(consumed).toEqual(['0', '1', '2']);
  });

  it('leaves no group behind', async () => {
    const topic = await createTopic(brokers());
    const clientId = `test-${randomUUID()}`;
    const own = await openLog({ brokers: brokers() }, { clientId });
    const states = () =>
      withAdmin(brokers(), async (admin) => {
        const ids = (await admin.listGroups()).groups.map(({ groupId }) => groupId);
        const { groups } = await admin.describeGroups(ids.filter((id) => id.startsWith(clientId)));
        return groups.map(({ state }) => state);
      });
    try {
      const following = await own.follow({ topic, onEvents() {}, onReset() {}, onCrash() {} });
      // Kafka waits for a member that is about to join, also after it has gone.
      await until('the member to have joined', async () => (await states()).join() === 'Stable');

      await following.stop();

      await until('the group to be gone', async () => (await states()).length === 0);
    } finally {
      await own.close();
    }
  });

  async function append(topic: string, from: number, count: number): Promise<void> {
    for (const text of numbers(from, count)) {
      await log.append(topic, { key: keyOf(text), value: Buffer.from(text) });
    }
  }

  async function follow(topic: string, from?: number[], free = Promise.resolve()) {
    const seen = { texts: new Set<string>(), handled: 0, resets: 0, positions: [] as number[] };
    const view = { ...seen, following: {} as Following };
    view.following = await log.follow({
      topic,
      ...(from && { from }),
      async onEvents(events: LogEvent[], positions) {
        view.handled++;
        await free;
        for (const { value } of events) view.texts.add(Buffer.from(value).toString());
        view.positions = positions;
      },
      onReset() {
        view.texts.clear();
        view.resets++;
      },
      onCrash: (error) => {
        throw error;
      },
    });
    return view;
  }

  async function endOf(topic: string): Promise<number> {
    const [bounds] = await withAdmin(brokers(), (admin) => admin.fetchTopicOffsets(topic));
    return Number(bounds?.high);
  }

  async function removeAll(topic: string): Promise<void> {
    await withAdmin(brokers(), async (admin) => {
      const ends = await admin.fetchTopicOffsets(topic);
      await admin.deleteTopicRecords({
        topic,
        partitions: ends.map(({ partition, high }) => ({ partition, offset: high })),
      });
    });
  }
});

function numbers(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${from + index}`);
}

function randomText(length: number): string {
  return randomBytes(length).toString('hex').slice(0, length);
}

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

function keyOf(text: string): string {
  return `key-${text}`;
}

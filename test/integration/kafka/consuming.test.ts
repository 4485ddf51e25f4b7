import { setTimeout as sleep } from 'node:timers/promises';

import { createDetachedConsumer, type DetachedConsumer, type EventLog, type LogEvent } from '@whetstone/event-log';
import { Registry } from '@whetstone/platform';

import { sharedKafka } from '../../support/shared-engines.js';
import { createTopic, openLog, silent, withAdmin } from './topics.js';
import { until } from './until.js';

const brokers = sharedKafka();
/** The shortest that brokers accept. */
const sessionTimeoutMs = 6000;

describe('consuming from Kafka', () => {
  let log: EventLog;
  let consumers: DetachedConsumer[] = [];

  beforeEach(async () => {
    log = await openLog({ brokers: brokers(), sessionTimeoutMs });
  });
  afterEach(async () => {
    await Promise.all(consumers.map((consumer) => consumer.stop()));
    consumers = [];
    await log.close();
  });

  it('keeps its place in the group through work that takes longer than the session may', async () => {
    const topic = await createTopic(brokers(), { partitions: 2 });
    await appendNumbers(topic, 8);
    const registry = new Registry();
    const worked: string[] = [];
    await consume(topic, {
      registry,
      work: async (event) => {
        worked.push(textOf(event));
        await sleep(sessionTimeoutMs + 1000);
      },
    });

    await until('all to be committed', async () => (await committed(topic)) === 8);

    expect(worked.sort()).toEqual(['0', '1', '2', '3', '4', '5', '6', '7']);
    expect(await metric(registry, 'whetstone_rebalances_total')).toBe(0);
    expect(await metric(registry, 'whetstone_consumer_lag_messages')).toBe(0);
  });

  it('hands partitions over to a member that joins: their work is aborted and done there, the rest goes on', async () => {
    const topic = await createTopic(brokers(), { partitions: 4 });
    await appendNumbers(topic, 40);
    const release = gate();
    const [aborted, done] = [new Set<string>(), [] as string[]];
    const work = async (event: LogEvent, signal: AbortSignal) => {
      await Promise.race([release.opened, abortOf(signal)]);
      if (signal.aborted) {
        aborted.add(textOf(event));
        throw new Error('aborted');
      }
      done.push(textOf(event));
    };
    const registry = new Registry();
    await consume(topic, { concurrency: 40, registry, work });
    await until('all to be in flight', async () => (await metric(registry, 'whetstone_inflight_messages')) === 40);

    await consume(topic, { concurrency: 40, work });
    await until('some work to be aborted', () => aborted.size > 0);
    const kept = 40 - aborted.size;
    release.open();
    await until('all to be committed', async () => (await committed(topic)) === 40);

    expect(kept).toBeGreaterThan(0);
    expect(new Set(done).size).toBe(40);
    // The partitions that the first member kept were not restarted.
    expect(done).toHaveLength(40);
    expect(await metric(registry, 'whetstone_rebalances_total')).toBe(1);
  });

  it('goes on, after a member has left, from what it had committed', async () => {
    const topic = await createTopic(brokers(), { partitions: 2 });
    await appendNumbers(topic, 20);
    const leaving = await openLog({ brokers: brokers(), sessionTimeoutMs });
    const seen: string[] = [];
    const consumption = await leaving.consume({
      topic,
      group: topic,
      onEvents: (events) => seen.push(...events.map(textOf)),
      onRevoked() {},
      onCrash() {},
    });
    await until('the first member to have everything', () => seen.length === 20);
    await consumption.commit(0, 3);
    const [one] = await withAdmin(brokers(), (admin) => admin.fetchOffsets({ groupId: topic, topics: [topic] }));
    expect(one?.partitions.find(({ partition }) => partition === 0)?.offset).toBe('3');
    await leaving.close();

    const worked: string[] = [];
    await consume(topic, { work: async (event) => void worked.push(textOf(event)) });
    await until('the rest', () => worked.length >= 17);
    await sleep(300);
    expect(worked).toHaveLength(17);
  });

  it('delivers everything again when an operator has set the offsets to zero', async () => {
    const topic = await createTopic(brokers(), { partitions: 2 });
    await appendNumbers(topic, 10);
    const first: string[] = [];
    const consumer = await consume(topic, { work: async (event) => void first.push(textOf(event)) });
    await until('all to be committed', async () => (await committed(topic)) === 10);
    await consumer.stop();

    await withAdmin(brokers(), (admin) => admin.resetOffsets({ groupId: topic, topic, earliest: true }));
    const again: string[] = [];
    await consume(topic, { work: async (event) => void again.push(textOf(event)) });

    await until('everything again', () => again.length >= 10);
    expect(again.sort()).toEqual(first.sort());
    await until('all to be committed again', async () => (await committed(topic)) === 10);
  });

  it('tells of a mistake in a handler and lets another member go on', async () => {
    const topic = await createTopic(brokers());
    await appendNumbers(topic, 1);
    const crashes: string[] = [];
    const broken = await consume(topic, {
      work: () => Promise.reject(new TypeError('a mistake')),
      onCrash: (error) => crashes.push(error.message),
    });
    await until('the crash', () => crashes.length > 0);
    await broken.stop();

    const worked: string[] = [];
    await consume(topic, { work: async (event) => void worked.push(textOf(event)) });
    await until('another member to do it', () => worked.length === 1);
    expect(crashes).toEqual(['a mistake']);
  });

  it('takes no more than its window, however much there is', async () => {
    const topic = await createTopic(brokers());
    await Promise.all(Array.from({ length: 600 }, (_, index) => append(topic, index)));
    const release = gate();
    let most = 0;
    let running = 0;
    const done: string[] = [];
    await consume(topic, {
      concurrency: 600,
      work: async (event) => {
        most = Math.max(most, ++running);
        await release.opened;
        running--;
        done.push(textOf(event));
      },
    });
    await until('a full window', () => running === 256);
    release.open();

    await until('everything', () => new Set(done).size === 600);
    expect(most).toBe(256);
    expect(done).toHaveLength(600);
  });

  it('sees an account behind the backlog of another, commits nothing that it left out, and does all of it once', async () => {
    const topic = await createTopic(brokers(), { partitions: 1 });
    const backlog = 2000;
    await Promise.all(Array.from({ length: backlog }, (_, index) => appendOf(topic, 'busy', index)));
    await appendOf(topic, 'quiet', backlog);
    const done: string[] = [];
    const consumer = await consume(topic, {
      concurrency: 4,
      laneOf: ({ key }) => ({ account: key, collection: key }),
      work: async (event) => {
        await sleep(2);
        done.push(textOf(event));
      },
    });
    await until('the quiet one', () => done.includes(`${backlog}`));
    const before = done.indexOf(`${backlog}`);
    await consumer.stop();

    expect(before).toBeLessThan(backlog / 4);
    expect(await committed(topic)).toBeLessThanOrEqual(done.length);
    const again: string[] = [];
    await consume(topic, { concurrency: 64, work: async (event) => void again.push(textOf(event)) });
    await until('the rest', () => new Set([...done, ...again]).size === backlog + 1);
    await until('all to be committed', async () => (await committed(topic)) === backlog + 1);
    expect([new Set(done).size, new Set(again).size]).toEqual([done.length, again.length]);
  });

  function appendOf(topic: string, account: string, index: number): Promise<void> {
    return log.append(topic, { key: account, value: Buffer.from(`${index}`) });
  }

  async function consume(
    topic: string,
    options: Partial<Parameters<typeof createDetachedConsumer>[0]> &
      Pick<Parameters<typeof createDetachedConsumer>[0], 'work'>,
  ): Promise<DetachedConsumer> {
    const consumer = createDetachedConsumer({
      log,
      topic,
      group: topic,
      laneOf: ({ key }) => ({ account: key, collection: key }),
      concurrency: 8,
      graceMs: 0,
      onCrash: (error) => {
        throw error;
      },
      logger: silent,
      ...options,
    });
    consumers.push(consumer);
    await consumer.start();
    return consumer;
  }

  async function appendNumbers(topic: string, count: number): Promise<void> {
    for (let index = 0; index < count; index++) await append(topic, index);
  }

  function append(topic: string, index: number): Promise<void> {
    return log.append(topic, { key: `key-${index}`, value: Buffer.from(`${index}`) });
  }

  /** A newly elected coordinator may not know it yet; then nothing is committed. */
  async function committed(topic: string): Promise<number> {
    const offsets = withAdmin(brokers(), (admin) => admin.fetchOffsets({ groupId: topic, topics: [topic] }));
    const [one] = await offsets.catch(() => []);
    return (one?.partitions ?? []).reduce((sum, { offset }) => sum + Math.max(0, Number(offset)), 0);
  }
});

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

function abortOf(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

function textOf({ value }: LogEvent): string {
  return Buffer.from(value).toString();
}

async function metric(registry: Registry, name: string): Promise<number | undefined> {
  await registry.metrics();
  const found = await registry.getSingleMetric(name)?.get();
  return found?.values[0]?.value;
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger, Registry } from '@whetstone/platform';
import { eventually } from '@whetstone/platform/test-kit';

import { type LocalEventLog, openLocalEventLog } from '../local/open-local-event-log.js';
import type { LogEvent } from '../ports.js';
import { createDetachedConsumer, type DetachedConsumer, type DetachedConsumerOptions } from './detached-consumer.js';

const logger = createLogger({ service: 'test', level: 'silent', pretty: false });

describe('a detached consumer', () => {
  let folder: string;
  let log: LocalEventLog;
  let consumers: DetachedConsumer[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whetstone-detached-'));
    log = await open();
  });
  afterEach(async () => {
    await Promise.all(consumers.map((consumer) => consumer.stop()));
    consumers = [];
    await log.close();
    await rm(folder, { recursive: true });
  });

  it('commits only what is finished without a gap: a restart repeats the rest', async () => {
    const release = gate();
    const done: string[] = [];
    await append(log, 'one', 5);
    const consumer = await consume({
      graceMs: 0,
      work: async (event, signal) => {
        if (textOf(event) === '2') await release.openedOr(signal);
        done.push(textOf(event));
      },
    });
    await eventually(() => done.length === 4, 'the others');
    await consumer.stop();
    await log.close();

    log = await open();
    const again: string[] = [];
    await consume({ work: async (event) => void again.push(textOf(event)) });
    await eventually(() => again.length >= 3, 'what was not committed');

    expect(done).toEqual(['0', '1', '3', '4']);
    expect(again).toEqual(['2', '3', '4']);
  });

  it('takes no more of a partition than its window, and goes on when there is room', async () => {
    const release = gate();
    let most = 0;
    let running = 0;
    const done: string[] = [];
    await append(log, 'one', 100);
    await consume({
      concurrency: 50,
      window: { messages: 8 },
      work: async (event) => {
        most = Math.max(most, ++running);
        await release.opened;
        running--;
        done.push(textOf(event));
      },
    });
    await eventually(() => running === 8, 'a full window');
    release.open();

    await eventually(() => done.length >= 100, 'everything');
    expect(most).toBe(8);
    expect(new Set(done).size).toBe(100);
    expect(done).toHaveLength(100);
  });

  it('bounds the window by bytes too', async () => {
    const release = gate();
    let running = 0;
    for (let index = 0; index < 6; index++) {
      await log.append('one', { key: 'a', value: Buffer.alloc(1000, index) });
    }
    await consume({
      concurrency: 50,
      window: { bytes: 2500 },
      work: async () => {
        running++;
        await release.opened;
      },
    });

    await eventually(() => running === 3, 'a full window');
    release.open();
    await eventually(() => running === 6, 'everything');
  });

  it('serves lanes in turn and never two events of one job at a time', async () => {
    const order: string[] = [];
    const active = new Set<string>();
    let overlaps = 0;
    for (let index = 0; index < 60; index++) {
      await log.append('one', { key: 'crowded', value: Buffer.from(`job-${index % 5}`) });
    }
    await log.append('one', { key: 'quiet', value: Buffer.from('job-quiet') });
    await consume({
      concurrency: 4,
      serialKeyOf: textOf,
      work: async (event) => {
        const job = textOf(event);
        if (active.has(job)) overlaps++;
        active.add(job);
        order.push(event.key);
        await new Promise((resolve) => setTimeout(resolve, 1));
        active.delete(job);
      },
    });
    await eventually(() => order.length === 61, 'everything');

    expect(overlaps).toBe(0);
    expect(order.indexOf('quiet')).toBeLessThan(12);
  });

  it('sees an account behind the backlog of another, and after a restart repeats only what was not committed', async () => {
    const backlog = 1000;
    const append = (account: string, index: number) =>
      log.append('one', { key: account, value: Buffer.from(`${index}`) });
    await Promise.all(Array.from({ length: backlog }, (_, index) => append('crowded', index)));
    await append('quiet', backlog);
    const done: string[] = [];
    const work = async (event: LogEvent) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      done.push(textOf(event));
    };
    const consumer = await consume({ concurrency: 4, window: { messages: 64 }, work });
    await eventually(() => done.includes(`${backlog}`), 'the quiet one');
    await consumer.stop();
    expect(done.length).toBeLessThan(backlog / 4);

    const first = done.length;
    await consume({ concurrency: 64, window: { messages: 64 }, work });
    await eventually(() => new Set(done).size === backlog + 1, 'everything');
    const again = done.slice(first);
    expect(new Set(again).size).toBe(again.length);
    expect(done.filter((text) => text === `${backlog}`)).toHaveLength(2);
  });

  it('lets an account in where another fills the windows of all partitions', async () => {
    const append = (count: number, account: string) =>
      Promise.all(
        Array.from({ length: count }, (_, index) =>
          log.append('four', { key: `${account} ${index}`, value: Buffer.from(account) }),
        ),
      );
    await append(1000, 'crowded');
    await append(20, 'quiet');
    const done: string[] = [];
    await consume({
      topic: 'four',
      laneOf: ({ key }) => ({ account: key.split(' ')[0] as string, collection: '' }),
      concurrency: 4,
      window: { messages: 128 },
      work: async (event) => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        done.push(textOf(event));
      },
    });
    await eventually(() => done.filter((account) => account === 'quiet').length === 20, 'the quiet ones');

    expect(done.lastIndexOf('quiet')).toBeLessThan(250);
  });

  it('aborts work on partitions that another member takes over, and loses nothing', async () => {
    const done = new Set<string>();
    let aborted = 0;
    await append(log, 'four', 40);
    const work = async (event: LogEvent, signal: AbortSignal) => {
      if (consumers.length < 2) {
        await gate()
          .openedOr(signal)
          .finally(() => aborted++);
      }
      done.add(textOf(event));
    };
    const registry = new Registry();
    await consume({ topic: 'four', concurrency: 40, graceMs: 0, work, registry });
    await eventually(async () => (await metric(registry, 'whetstone_inflight_messages')) === 40, 'all to be in flight');
    await consume({ topic: 'four', work });

    await eventually(() => aborted > 0 && done.size >= aborted, 'the other member to do what was aborted');
    expect(await metric(registry, 'whetstone_rebalances_total')).toBe(1);
  });

  it('reports lag and what is in flight', async () => {
    const release = gate();
    const registry = new Registry();
    await append(log, 'one', 5);
    await consume({ concurrency: 2, registry, work: () => release.opened });
    await eventually(async () => (await metric(registry, 'whetstone_inflight_messages')) === 2, 'two in flight');
    expect(await metric(registry, 'whetstone_consumer_lag_messages')).toBe(5);
    expect(await metric(registry, 'whetstone_consumer_lag_seconds')).toBeGreaterThan(0);

    release.open();

    await eventually(async () => (await metric(registry, 'whetstone_consumer_lag_messages')) === 0, 'no lag');
    expect(await metric(registry, 'whetstone_consumer_lag_seconds')).toBe(0);
  });

  it('lets work end before it stops, begins nothing new, and commits', async () => {
    const release = gate();
    const begun: string[] = [];
    await append(log, 'one', 5);
    const consumer = await consume({
      concurrency: 1,
      work: async (event) => {
        begun.push(textOf(event));
        await release.opened;
      },
    });
    await eventually(() => begun.length === 1, 'the first');
    const stopped = consumer.stop();
    release.open();
    await stopped;

    const again: string[] = [];
    await consume({ work: async (event) => void again.push(textOf(event)) });
    await eventually(() => again.length >= 4, 'the rest');
    expect(begun).toEqual(['0']);
    expect(again).toEqual(['1', '2', '3', '4']);
  });

  it('crashes when work rejects without having been aborted', async () => {
    const crashes: string[] = [];
    await append(log, 'one', 3);
    const consumer = await consume({
      concurrency: 1,
      work: async () => {
        throw new Error('a mistake');
      },
      onCrash: (error) => crashes.push(error.message),
    });

    await eventually(() => crashes.length > 0, 'the crash');
    expect(crashes).toEqual(['a mistake']);
    expect(consumer.live).toBe(false);
  });

  function open(): Promise<LocalEventLog> {
    const topics = [1, 4].map((partitions) => ({
      name: partitions === 1 ? 'one' : 'four',
      partitions,
      compacted: false,
    }));
    return openLocalEventLog({ path: join(folder, 'log.db'), topics });
  }

  async function consume(options: Partial<DetachedConsumerOptions> & Pick<DetachedConsumerOptions, 'work'>) {
    const consumer = createDetachedConsumer({
      log,
      topic: 'one',
      group: 'workers',
      laneOf: ({ key }) => ({ account: key, collection: key }),
      concurrency: 8,
      onCrash: (error) => {
        throw error;
      },
      logger,
      ...options,
    });
    consumers.push(consumer);
    await consumer.start();
    return consumer;
  }
});

async function append(log: LocalEventLog, topic: string, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    await log.append(topic, { key: `key-${index}`, value: Buffer.from(`${index}`) });
  }
}

function textOf({ value }: LogEvent): string {
  return Buffer.from(value).toString();
}

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const openedOr = (signal: AbortSignal) =>
    Promise.race([
      opened,
      new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
    ]);
  return { open, opened, openedOr };
}

async function metric(registry: Registry, name: string): Promise<number | undefined> {
  await registry.metrics();
  const found = await registry.getSingleMetric(name)?.get();
  return found?.values[0]?.value;
}

import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

import type { TopicSpec } from '@whetstone/contracts';
import type { EventLog, LogEvent } from '@whetstone/event-log';
import { type KafkaConfig, type KafkaEventLogOptions, openKafkaEventLog } from '@whetstone/event-log/kafka';
import { createLogger } from '@whetstone/platform';
import { type Admin, Kafka, logLevel, Partitioners } from 'kafkajs';

import { until } from './until.js';

export const silent = createLogger({ service: 'test', level: 'silent', pretty: false });

export interface TestTopic extends Partial<TopicSpec> {
  settings?: Record<string, string>;
}

export function openLog(config: KafkaConfig, options: Partial<KafkaEventLogOptions> = {}): Promise<EventLog> {
  return openKafkaEventLog({ config, clientId: 'whetstone-test', logger: silent, ...options });
}

/** Runs one admin request. */
export async function withAdmin<Result>(brokers: string[], work: (admin: Admin) => Promise<Result>): Promise<Result> {
  const admin = clientOf(brokers).admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}

/** A new topic. */
export async function createTopic(
  brokers: string[],
  { name: topic = `test-${randomUUID()}`, partitions = 1, compacted = false, settings = {} }: TestTopic = {},
): Promise<string> {
  const all = {
    'max.message.bytes': String(8 * 1024 * 1024),
    ...(compacted && compactedAtOnce),
    ...settings,
  };
  const configEntries = Object.entries(all).map(([name, value]) => ({ name, value }));
  await withAdmin(brokers, async (admin) => {
    await admin.createTopics({
      topics: [{ topic, numPartitions: partitions, replicationFactor: 1, configEntries }],
      waitForLeaders: false,
    });
    await until('a new topic', () => admin.fetchTopicOffsets(topic).then(Boolean, () => false));
  });
  return topic;
}

/** The active segment is never compacted, so segments are short and every old one counts as dirty. */
const compactedAtOnce = {
  'cleanup.policy': 'compact',
  'segment.ms': '100',
  'min.cleanable.dirty.ratio': '0.001',
  'max.compaction.lag.ms': '200',
  'delete.retention.ms': '0',
};

/** Makes the broker compact the whole topic. */
export function compact(brokers: string[], log: EventLog, topic: string): Promise<void> {
  return rollAndCompact(brokers, log, topic, (events) => new Set(events.map(({ key }) => key)).size === events.length);
}

/**
 * Waits until compaction has left the expected events. Only closed segments are compacted, and only a write closes one:
 * here of an aborted transaction, which readers do not see.
 */
export async function rollAndCompact(
  brokers: string[],
  log: EventLog,
  topic: string,
  isCompacted: (events: LogEvent[]) => boolean,
): Promise<void> {
  // Tombstones and transaction markers go one round later than what they remove.
  await until('compaction', async () => {
    await setTimeout(150);
    await appendUnseen(brokers, topic);
    return isCompacted(await readAll(log, topic));
  });
}

/** Tombstones: remove the events of these keys at the next compaction. */
export async function appendTombstones(brokers: string[], topic: string, keys: string[]): Promise<void> {
  const partitions = await withAdmin(brokers, (admin) => admin.fetchTopicOffsets(topic));
  const producer = clientOf(brokers).producer({ createPartitioner: Partitioners.DefaultPartitioner });
  await producer.connect();
  // To every partition: only the log knows which one holds the key.
  const messages = partitions.flatMap(({ partition }) => keys.map((key) => ({ key, value: null, partition })));
  await producer.send({ topic, messages });
  await producer.disconnect();
}

/** Written by an idempotent producer: compaction keeps the header of its last batch, even if that is empty. */
export async function appendAsProducer(
  brokers: string[],
  topic: string,
  message: { key: string; value: string },
): Promise<void> {
  const producer = clientOf(brokers).producer({
    idempotent: true,
    maxInFlightRequests: 1,
    createPartitioner: Partitioners.DefaultPartitioner,
  });
  await producer.connect();
  await producer.send({ topic, messages: [{ ...message, partition: 0 }] });
  await producer.disconnect();
}

/** Writes to every partition what readers do not see. */
export async function appendUnseen(brokers: string[], topic: string): Promise<void> {
  const producer = clientOf(brokers).producer({
    transactionalId: randomUUID(),
    maxInFlightRequests: 1,
    idempotent: true,
    createPartitioner: Partitioners.DefaultPartitioner,
  });
  await producer.connect();
  const partitions = await withAdmin(brokers, (admin) => admin.fetchTopicOffsets(topic));
  const transaction = await producer.transaction();
  await transaction.send({
    topic,
    messages: partitions.map(({ partition }) => ({ key: 'unseen', value: '', partition })),
  });
  await transaction.abort();
  await producer.disconnect();
  // Until its marker is written, a transaction is open and hides what follows.
  await until('the markers', async () => {
    const ends = await withAdmin(brokers, (admin) => admin.fetchTopicOffsets(topic));
    return ends.every(({ partition, high }) => {
      const before = partitions.find((one) => one.partition === partition)?.high;
      return Number(high) >= Number(before) + 2;
    });
  });
}

/** Everything in the topic. */
export async function readAll(log: EventLog, topic: string): Promise<LogEvent[]> {
  const events: LogEvent[] = [];
  const following = await log.follow({
    topic,
    onEvents: (more) => void events.push(...more),
    onReset: () => void events.splice(0),
    onCrash: (error) => {
      throw error;
    },
  });
  await following.caughtUp();
  await following.stop();
  return events;
}

function clientOf(brokers: string[]): Kafka {
  return new Kafka({ brokers, logLevel: logLevel.NOTHING, connectionTimeout: 10_000 });
}

import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

import type { TopicSpec } from '@whetstone/contracts';
import type { EventLog, LogEvent } from '@whetstone/event-log';
import { type KafkaConfig, openKafkaEventLog } from '@whetstone/event-log/kafka';
import { createLogger, type Registry } from '@whetstone/platform';
import { type Admin, Kafka, logLevel, Partitioners } from 'kafkajs';

export const silent = createLogger({ service: 'test', level: 'silent', pretty: false });

export interface TestTopic extends Partial<Omit<TopicSpec, 'name'>> {
  settings?: Record<string, string>;
}

export function openLog(config: KafkaConfig, options: { registry?: Registry; appendTimeoutMs?: number } = {}) {
  return openKafkaEventLog({ config, clientId: 'whetstone-test', logger: silent, ...options });
}

/** One question to the broker. */
export async function withAdmin<Result>(brokers: string[], work: (admin: Admin) => Promise<Result>): Promise<Result> {
  const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING, connectionTimeout: 10_000 }).admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}

/** A topic that nobody has used yet. */
export async function createTopic(
  brokers: string[],
  { partitions = 1, compacted = false, settings = {} }: TestTopic = {},
): Promise<string> {
  const topic = `test-${randomUUID()}`;
  const all = {
    'max.message.bytes': String(8 * 1024 * 1024),
    ...(compacted && compactedAtOnce),
    ...settings,
  };
  await withAdmin(brokers, (admin) =>
    admin.createTopics({
      waitForLeaders: true,
      topics: [
        {
          topic,
          numPartitions: partitions,
          replicationFactor: 1,
          configEntries: Object.entries(all).map(([name, value]) => ({ name, value })),
        },
      ],
    }),
  );
  return topic;
}

/** What is in a segment that is written to is never compacted: segments are short, and whatever is in old ones is dirty. */
const compactedAtOnce = {
  'cleanup.policy': 'compact',
  'segment.ms': '100',
  'min.cleanable.dirty.ratio': '0.001',
  'max.compaction.lag.ms': '200',
  'delete.retention.ms': '0',
};

/**
 * Makes the broker compact everything that is in the topic. Only what was written before a segment's end is compacted, and
 * only a write ends a segment: one that readers do not see, of a transaction that is given up.
 */
export async function compact(brokers: string[], log: EventLog, topic: string): Promise<void> {
  await setTimeout(150);
  await appendUnseen(brokers, topic);
  const giveUpAt = Date.now() + 40_000;
  for (;;) {
    const events = await readAll(log, topic);
    if (new Set(events.map(({ key }) => key)).size === events.length) return;
    if (Date.now() > giveUpAt) throw new Error('Waited in vain for compaction');
    await setTimeout(200);
  }
}

/** Writes to every partition what no reader sees. */
export async function appendUnseen(brokers: string[], topic: string): Promise<void> {
  const kafka = new Kafka({ brokers, logLevel: logLevel.NOTHING, connectionTimeout: 10_000 });
  const producer = kafka.producer({
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
}

/** Everything that is in the topic now. */
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

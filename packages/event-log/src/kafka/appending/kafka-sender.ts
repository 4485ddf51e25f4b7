import kafkajs, { type Producer, type ProducerBatch, type RecordMetadata } from 'kafkajs';

import { isGzip } from '../../message-codec.js';
import { isEncrypted } from '../../upload-codec.js';
import { createKafkaClient, type KafkaClientOptions, noRetry } from '../kafka-client.js';
import { type Renewable, RenewingClient } from '../renewing-client.js';
import type { PartitionBatch } from './append-queue.js';

/** How long the broker waits for the other replicas; below the client's own timeout. */
const replicationTimeoutMs = 4000;
/** Smaller requests are not worth compressing. */
const worthPackingBytes = 4 * 1024;

/**
 * Sends through a plain producer, without retries: the queue retries. (An idempotent producer loses acknowledged
 * messages, and kafkajs' own retries drop messages of a partition whose leader has moved.)
 */
export class KafkaSender {
  readonly #producer: RenewingClient<Producer>;

  constructor(options: KafkaClientOptions) {
    this.#producer = new RenewingClient(() => createProducer(options));
  }

  /** Resolves when all in-sync replicas have every message. */
  async send(batches: PartitionBatch[]): Promise<void> {
    const request: ProducerBatch = {
      acks: -1,
      timeout: replicationTimeoutMs,
      compression: isWorthPacking(batches) ? kafkajs.CompressionTypes.GZIP : kafkajs.CompressionTypes.None,
      topicMessages: batches.map(({ topic, partition, messages }) => ({
        topic,
        messages: messages.map((message) => ({ ...message, partition })),
      })),
    };
    checkAnswer(batches, await this.#producer.use((producer) => producer.sendBatch(request)));
  }

  async close(): Promise<void> {
    await this.#producer.close();
  }
}

function createProducer(options: KafkaClientOptions): Renewable<Producer> {
  const { kafka, destroy } = createKafkaClient(options);
  const client = kafka.producer({
    idempotent: false,
    allowAutoTopicCreation: false,
    metadataMaxAge: 60_000,
    retry: noRetry,
    // The caller has chosen the partition: all processes must agree.
    createPartitioner:
      () =>
      ({ message }) =>
        message.partition ?? 0,
  });
  return { client, destroy };
}

function isWorthPacking(batches: PartitionBatch[]): boolean {
  let packed = 0;
  let plain = 0;
  for (const { value } of batches.flatMap(({ messages }) => messages) as { value: Buffer }[]) {
    if (isGzip(value) || isEncrypted(value)) packed += value.length;
    else plain += value.length;
  }
  return plain >= worthPackingBytes && plain > packed;
}

/** kafkajs silently skips partitions that are missing from its metadata. */
function checkAnswer(batches: PartitionBatch[], answer: RecordMetadata[]): void {
  const acknowledged = new Set(answer.map(({ topicName, partition }) => `${partition}/${topicName}`));
  const missing = batches.filter(({ topic, partition }) => !acknowledged.has(`${partition}/${topic}`));
  if (missing.length === 0) return;
  const names = missing.map(({ topic, partition }) => `${topic}/${partition}`).join(', ');
  throw new kafkajs.KafkaJSError(`Not acknowledged: ${names}`);
}

import kafkajs, { type Producer, type ProducerBatch, type RecordMetadata } from 'kafkajs';

import { isGzip } from '../../message-codec.js';
import { createKafkaClient, type KafkaClientOptions, noRetry } from '../kafka-client.js';
import { type Renewable, RenewingClient } from '../renewing-client.js';
import type { PartitionBatch } from './append-queue.js';

/** How long the broker may wait for the other replicas; less than the client waits for the broker. */
const replicationTimeoutMs = 4000;
/** Below this, packing takes more time than it saves. */
const worthPackingBytes = 4 * 1024;

/**
 * One request after another through a plain producer, tried once: the queue repeats. (An idempotent one loses acknowledged
 * messages, and the repeats of kafkajs forget messages of a partition whose leader has moved in between.)
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
    // The queue has chosen it already: all processes choose alike.
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
    if (isGzip(value)) packed += value.length;
    else plain += value.length;
  }
  return plain >= worthPackingBytes && plain > packed;
}

/** kafkajs leaves out, without a word, a partition that its picture of the cluster does not have. */
function checkAnswer(batches: PartitionBatch[], answer: RecordMetadata[]): void {
  const acknowledged = new Set(answer.map(({ topicName, partition }) => `${partition}/${topicName}`));
  const missing = batches.filter(({ topic, partition }) => !acknowledged.has(`${partition}/${topic}`));
  if (missing.length === 0) return;
  const names = missing.map(({ topic, partition }) => `${topic}/${partition}`).join(', ');
  throw new kafkajs.KafkaJSError(`Not acknowledged: ${names}`);
}

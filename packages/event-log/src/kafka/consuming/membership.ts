import { logSparingly, settleWithin, sleepUntilAborted } from '@whetstone/platform';
import type { Consumer, EachBatchPayload } from 'kafkajs';

import { consumerRetry, createKafkaClient, type KafkaClient, type KafkaClientOptions } from '../kafka-client.js';

export interface MembershipOptions extends KafkaClientOptions {
  topic: string;
  /** The group to join; asked before each join. */
  groupOf(): string;
  sessionTimeoutMs: number;
  /** How long the broker holds a fetch that finds nothing. Pausing, resuming, seeking and stopping wait for the fetch in flight. */
  longestFetchMs: number;
  /** Called with each new consumer before it is used, to attach listeners. */
  onConsumer?(consumer: Consumer): void;
  /** Called after each rebalance, before anything is delivered. */
  onJoin(consumer: Consumer, memberId: string, partitions: number[]): void;
  /** Resolves offsets of `payload.batch`; unresolved ones are fetched again. Never rejects. */
  onBatch(payload: EachBatchPayload): Promise<void>;
  /** Whether to retry after this error. */
  isPassing(error: unknown): boolean;
  /** Failed permanently. */
  onCrash(error: Error): void;
}

const retryMs = 1000;
const stopWithinMs = 5000;

/**
 * Membership in a group, kept until `stop`. kafkajs retries for about a minute and then gives up, at once for errors that it
 * calls final. If waiting may help, this replaces the consumer and tries again.
 */
export class Membership {
  readonly #options: MembershipOptions;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #consumer: Consumer | undefined;
  #endWaiting = () => {};

  constructor(options: MembershipOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  /** `undefined` between two consumers. */
  get consumer(): Consumer | undefined {
    return this.#consumer;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#endWaiting();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { topic, logger, isPassing, onCrash } = this.#options;
    // Deliver nothing before the caller has its handle.
    await new Promise((resolve) => setImmediate(resolve));
    const report = logSparingly(logger, 'Reading a topic failed; retrying', { fields: { topic } });
    while (!this.#stopping.signal.aborted) {
      const error = await this.#consume().catch((failure: unknown) => failure);
      if (this.#stopping.signal.aborted) return;
      if (!isPassing(error)) {
        onCrash(error as Error);
        return;
      }
      report(error);
      await sleepUntilAborted(retryMs, this.#stopping.signal);
    }
  }

  /** Resolves with the error that ended it, or `undefined` after `stop`. */
  async #consume(): Promise<unknown> {
    const client = createKafkaClient(this.#options, consumerRetry);
    const consumer = this.#create(client);
    const ended = new Promise<unknown>((resolve) => {
      consumer.on(consumer.events.CRASH, ({ payload }) => resolve(payload.error));
      this.#endWaiting = () => resolve(undefined);
    });
    try {
      await Promise.race([this.#begin(consumer), ended]);
      return await ended;
    } finally {
      this.#consumer = undefined;
      await settleWithin(consumer.disconnect(), stopWithinMs);
      client.destroy();
    }
  }

  async #begin(consumer: Consumer): Promise<void> {
    const { topic, onBatch, onConsumer, onJoin } = this.#options;
    onConsumer?.(consumer);
    consumer.on(consumer.events.GROUP_JOIN, ({ payload: { memberId, memberAssignment } }) => {
      if (this.#consumer === consumer) onJoin(consumer, memberId, memberAssignment[topic] ?? []);
    });
    await consumer.connect();
    await consumer.subscribe({ topics: [topic], fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: 1,
      eachBatch: async (payload) => {
        if (this.#consumer === consumer) await onBatch(payload);
      },
    });
  }

  #create({ kafka }: KafkaClient): Consumer {
    const { groupOf, sessionTimeoutMs, longestFetchMs } = this.#options;
    const consumer = kafka.consumer({
      groupId: groupOf(),
      allowAutoTopicCreation: false,
      readUncommitted: false,
      sessionTimeout: sessionTimeoutMs,
      rebalanceTimeout: 30_000,
      heartbeatInterval: Math.ceil(sessionTimeoutMs / 10),
      metadataMaxAge: 60_000,
      maxWaitTimeInMs: longestFetchMs,
      minBytes: 1,
      maxBytes: 10 * 1024 * 1024,
      maxBytesPerPartition: 1024 * 1024,
      retry: { ...consumerRetry, restartOnFailure: async () => false },
    });
    this.#consumer = consumer;
    return consumer;
  }
}

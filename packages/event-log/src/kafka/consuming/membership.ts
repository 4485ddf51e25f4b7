import { logSparingly, settleWithin, sleepUntilAborted } from '@whetstone/platform';
import type { Consumer, EachBatchPayload } from 'kafkajs';

import { consumerRetry, createKafkaClient, type KafkaClient, type KafkaClientOptions } from '../kafka-client.js';

export interface MembershipOptions extends KafkaClientOptions {
  topic: string;
  /** The group to join, asked for each time. */
  groupOf(): string;
  sessionTimeoutMs: number;
  /** A consumer that is about to be used: what else it reports can be listened to. */
  onConsumer?(consumer: Consumer): void;
  /** The group has shared out the partitions; before anything of them is delivered. */
  onJoin(consumer: Consumer, memberId: string, partitions: number[]): void;
  /** Resolves `payload.batch` or leaves it: what is not resolved is fetched again. Never rejects. */
  onBatch(payload: EachBatchPayload): Promise<void>;
  /** Whether another attempt makes sense after this error. */
  isPassing(error: unknown): boolean;
  /** Ended for a reason that waiting does not mend. */
  onCrash(error: Error): void;
}

const retryMs = 1000;
const stopWithinMs = 5000;

/**
 * A place in a group, kept for as long as it is wanted. kafkajs repeats what fails for about a minute and then gives up, at
 * once for errors that it calls final; whatever waiting may mend is then tried with a consumer made anew, again and again.
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

  /** Undefined between two consumers. */
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
    // The caller has what it asked for before anything is delivered.
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

  /** Until it ends, and why; undefined where that was asked for. */
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
    const { groupOf, sessionTimeoutMs } = this.#options;
    const consumer = kafka.consumer({
      groupId: groupOf(),
      allowAutoTopicCreation: false,
      readUncommitted: false,
      sessionTimeout: sessionTimeoutMs,
      rebalanceTimeout: 30_000,
      heartbeatInterval: Math.ceil(sessionTimeoutMs / 10),
      metadataMaxAge: 60_000,
      // Pausing, resuming and sharing out take as long as a fetch that waits.
      maxWaitTimeInMs: 100,
      minBytes: 1,
      maxBytes: 10 * 1024 * 1024,
      maxBytesPerPartition: 1024 * 1024,
      retry: { ...consumerRetry, restartOnFailure: async () => false },
    });
    this.#consumer = consumer;
    return consumer;
  }
}

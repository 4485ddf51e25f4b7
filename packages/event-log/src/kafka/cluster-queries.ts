import { AppError, retry, settleWithin, withTimeout } from '@whetstone/platform';
import type { Admin } from 'kafkajs';

import { createKafkaClient, type KafkaClientOptions, noRetry } from './kafka-client.js';
import { groupsNotDeleted, isAnswer, isUnknownTopic, logUnavailable } from './kafka-errors.js';
import { RenewingClient } from './renewing-client.js';

/** Where a partition begins and ends. */
export interface PartitionBounds {
  /** First offset that is still there. */
  low: number;
  /** The offset that the next event gets. */
  high: number;
}

/** A member that leaves its group may still be counted for a moment. */
const deletionMs = 6000;

/** Queries to the cluster. Each answers within the timeout or rejects with AppError `log_unavailable`. */
export class ClusterQueries {
  readonly #admin: RenewingClient<Admin>;
  readonly #timeoutMs: number;
  readonly #onAnswer: (answered: boolean, error?: unknown) => void;

  constructor(options: KafkaClientOptions, timeoutMs: number, onAnswer: (answered: boolean, error?: unknown) => void) {
    this.#admin = new RenewingClient(() => {
      const { kafka, destroy } = createKafkaClient(options);
      return { client: kafka.admin({ retry: noRetry }), destroy };
    });
    this.#timeoutMs = timeoutMs;
    this.#onAnswer = onAnswer;
  }

  async ping(): Promise<void> {
    await this.#ask((admin) => admin.describeCluster());
  }

  async partitionsOf(topic: string): Promise<number> {
    const { topics } = await this.#ask((admin) => admin.fetchTopicMetadata({ topics: [topic] }), topic);
    return topics[0]?.partitions.length ?? 0;
  }

  /** By partition. */
  async boundsOf(topic: string): Promise<PartitionBounds[]> {
    const bounds: PartitionBounds[] = [];
    for (const { partition, low, high } of await this.#ask((admin) => admin.fetchTopicOffsets(topic), topic)) {
      bounds[partition] = { low: Number(low), high: Number(high) };
    }
    return bounds;
  }

  /** Next offset by partition; `undefined` if the group has committed nothing. */
  async committedOf(group: string, topic: string): Promise<(number | undefined)[]> {
    const [answer] = await this.#ask((admin) => admin.fetchOffsets({ groupId: group, topics: [topic] }), topic);
    const committed: (number | undefined)[] = [];
    for (const { partition, offset } of answer?.partitions ?? []) {
      committed[partition] = Number(offset) < 0 ? undefined : Number(offset);
    }
    return committed;
  }

  /** Deletes groups without members. If this fails, the broker expires them. */
  async deleteGroups(groups: string[]): Promise<void> {
    let left = groups;
    const deleteThem = () =>
      this.#admin.use(async (admin) => {
        try {
          await admin.deleteGroups(left);
        } catch (error) {
          left = groupsNotDeleted(error) ?? left;
          if (left.length > 0) throw error;
        }
      });
    const retryIf = (error: unknown) => groupsNotDeleted(error) !== undefined || isAnswer(error);
    await settleWithin(retry(deleteThem, { retryIf, withinMs: deletionMs, longestWaitMs: 1000 }), deletionMs);
  }

  async close(): Promise<void> {
    await this.#admin.close();
  }

  async #ask<Answer>(question: (admin: Admin) => Promise<Answer>, topic?: string): Promise<Answer> {
    try {
      const answer = await withTimeout(this.#timeoutMs, () => this.#admin.use(question));
      this.#onAnswer(true);
      return answer;
    } catch (cause) {
      this.#onAnswer(isAnswer(cause), cause);
      if (topic === undefined || !isUnknownTopic(cause)) throw logUnavailable(cause);
      const text = `Kafka has no topic ${topic}; "whetstone topics apply" makes it`;
      throw new AppError('log_unavailable', text, { retryable: true, cause });
    }
  }
}

/** How long a partition count is cached. */
const freshMs = 60_000;

interface Entry {
  count: Promise<number>;
  asOfMs: number;
}

/** Caches how many partitions each topic has; refreshes the counts in the background. */
export class TopicDirectory {
  readonly #ask: (topic: string) => Promise<number>;
  readonly #topics = new Map<string, Entry>();

  constructor(ask: (topic: string) => Promise<number>) {
    this.#ask = ask;
  }

  /** Answers in the order of the calls. */
  partitionsOf(topic: string): Promise<number> {
    const entry = this.#topics.get(topic);
    if (!entry) return this.#first(topic);
    if (performance.now() - entry.asOfMs > freshMs) this.#refresh(topic, entry);
    return entry.count;
  }

  #first(topic: string): Promise<number> {
    const count = this.#ask(topic);
    this.#topics.set(topic, { count, asOfMs: performance.now() });
    count.catch(() => this.#topics.delete(topic));
    return count;
  }

  #refresh(topic: string, entry: Entry): void {
    entry.asOfMs = performance.now();
    this.#ask(topic).then(
      (count) => this.#topics.set(topic, { count: Promise.resolve(count), asOfMs: entry.asOfMs }),
      () => {},
    );
  }
}

import type { Consumer, EachBatchPayload } from 'kafkajs';

import type { ConsumeOptions, ConsumerLag, Consumption } from '../../ports.js';
import type { ClusterQueries } from '../cluster-queries.js';
import type { KafkaClientOptions } from '../kafka-client.js';
import { isPassing } from '../kafka-errors.js';
import { isBarrier, toLogEvent } from '../records.js';
import { Membership } from './membership.js';
import { OffsetCommits } from './offset-commits.js';

/** Short, since pausing, resuming and rebalancing wait for the fetch in flight. */
const longestFetchMs = 100;

interface KafkaConsumptionOptions {
  client: KafkaClientOptions;
  queries: ClusterQueries;
  nowMs(): number;
  sessionTimeoutMs: number;
  handlers: ConsumeOptions;
  onStopped(consumption: KafkaConsumption): void;
}

/**
 * One member of a group. After a rebalance kafkajs starts over at the committed positions; partitions that this member keeps
 * go on where they were, and lost ones are reported at once.
 */
export class KafkaConsumption implements Consumption {
  readonly #options: KafkaConsumptionOptions;
  readonly #membership: Membership;
  readonly #commits: OffsetCommits;
  #assignments = new Map<number, Assignment>();
  #memberId: string | undefined;
  #ended = false;

  constructor(options: KafkaConsumptionOptions) {
    const { client, handlers, sessionTimeoutMs } = options;
    this.#options = options;
    this.#commits = new OffsetCommits({ send: (offsets) => this.#sendCommits(offsets), logger: client.logger });
    this.#membership = new Membership({
      ...client,
      topic: handlers.topic,
      groupOf: () => handlers.group,
      sessionTimeoutMs,
      longestFetchMs,
      onJoin: (consumer, memberId, partitions) => this.#join(consumer, memberId, partitions),
      onBatch: async (payload) => this.#deliver(payload),
      isPassing,
      onCrash: (error) => this.#crash(error),
    });
  }

  async commit(partition: number, nextOffset: number): Promise<void> {
    const assignment = this.#assignments.get(partition);
    if (!assignment || nextOffset <= assignment.committed) return;
    await this.#commits.commit(partition, nextOffset);
    assignment.commit(nextOffset);
  }

  pause(partitions: number[]): void {
    this.#setPaused(partitions, true);
  }

  resume(partitions: number[]): void {
    this.#setPaused(partitions, false);
  }

  seek(partition: number, nextOffset: number): void {
    const assignment = this.#assignments.get(partition);
    if (!assignment) return;
    assignment.seek(nextOffset);
    this.#tell((consumer) => this.#seek(consumer, assignment));
  }

  async lag(): Promise<ConsumerLag> {
    const { queries, handlers, nowMs } = this.#options;
    const [bounds, committed] = await Promise.all([
      queries.boundsOf(handlers.topic),
      queries.committedOf(handlers.group, handlers.topic),
    ]);
    const lag = { messages: 0, seconds: 0 };
    for (const assignment of this.#assignments.values()) {
      const { low, high } = bounds[assignment.partition] ?? { low: 0, high: 0 };
      const from = Math.max(low, committed[assignment.partition] ?? 0, assignment.done);
      const messages = Math.max(0, high - from);
      lag.messages += messages;
      lag.seconds = Math.max(lag.seconds, assignment.lagSeconds(messages, nowMs()));
    }
    return lag;
  }

  async stop(): Promise<void> {
    this.#end();
    await this.#membership.stop();
    this.#commits.joined(this.#assignments.keys());
    this.#assignments.clear();
  }

  #join(consumer: Consumer, memberId: string, partitions: number[]): void {
    const before = this.#assignments;
    const isSameMember = memberId === this.#memberId;
    this.#memberId = memberId;
    this.#assignments = new Map(
      partitions.map((partition) => {
        const kept = isSameMember ? before.get(partition) : undefined;
        return [partition, kept ?? new Assignment(partition)];
      }),
    );
    const lost = [...before.values()].filter((assignment) => !this.#isMine(assignment));
    this.#commits.joined(lost.map(({ partition }) => partition));
    for (const assignment of this.#assignments.values()) this.#restore(consumer, assignment);
    if (lost.length === 0 || this.#ended) return;
    this.#guarded(() => this.#options.handlers.onRevoked(lost.map(({ partition }) => partition)));
  }

  #isMine(assignment: Assignment): boolean {
    return this.#assignments.get(assignment.partition) === assignment;
  }

  /** kafkajs remembers paused partitions that were lost, and forgets the position of those that were kept. */
  #restore(consumer: Consumer, assignment: Assignment): void {
    const { topic } = this.#options.handlers;
    const { partition, paused } = assignment;
    consumer[paused ? 'pause' : 'resume']([{ topic, partitions: [partition] }]);
    this.#seek(consumer, assignment);
  }

  #deliver({ batch, resolveOffset, isRunning, isStale }: EachBatchPayload): void {
    const { topic, partition, messages } = batch;
    const assignment = this.#assignments.get(partition);
    if (this.#ended || !assignment || assignment.paused || !isRunning() || isStale()) return;
    const from = assignment.next ?? 0;
    const events = messages
      .filter((message) => Number(message.offset) >= from && !isBarrier(message))
      .map((one) => toLogEvent(topic, partition, one));
    assignment.next = Number(batch.lastOffset()) + 1;
    assignment.delivered(events);
    resolveOffset(batch.lastOffset());
    if (events.length > 0) this.#guarded(() => this.#options.handlers.onEvents(events));
  }

  #setPaused(partitions: number[], paused: boolean): void {
    const { topic } = this.#options.handlers;
    for (const partition of partitions) {
      const assignment = this.#assignments.get(partition);
      if (!assignment) continue;
      assignment.paused = paused;
      this.#tell((consumer) => consumer[paused ? 'pause' : 'resume']([{ topic, partitions: [partition] }]));
    }
  }

  #seek(consumer: Consumer, { partition, next }: Assignment): void {
    const { topic } = this.#options.handlers;
    if (next !== undefined) consumer.seek({ topic, partition, offset: String(next) });
  }

  /** A consumer outside of its group throws; it is told again when it has joined. */
  #tell(say: (consumer: Consumer) => void): void {
    try {
      if (this.#membership.consumer) say(this.#membership.consumer);
    } catch (error) {
      const { client, handlers } = this.#options;
      client.logger.debug(
        { err: error, topic: handlers.topic },
        'Consumer is not in its group; will resend the request after it joins',
      );
    }
  }

  async #sendCommits(offsets: ReadonlyMap<number, number>): Promise<void> {
    const { topic } = this.#options.handlers;
    const { consumer } = this.#membership;
    if (!consumer) throw new Error('The group is not joined');
    await consumer.commitOffsets(
      [...offsets].map(([partition, nextOffset]) => ({ topic, partition, offset: String(nextOffset) })),
    );
  }

  #guarded(handler: () => void): void {
    try {
      handler();
    } catch (error) {
      this.#crash(error as Error);
    }
  }

  #crash(error: Error): void {
    if (this.#ended) return;
    this.#end();
    void this.#membership.stop();
    this.#options.handlers.onCrash(error);
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#options.onStopped(this);
  }
}

/** Times of uncommitted events are kept at this distance: that is as exact as a lag needs to be. */
const sampleMs = 1000;

/** One assigned partition: how far it was delivered and committed. */
export class Assignment {
  readonly partition: number;
  /** Next offset to deliver; `undefined` before the first delivery, which starts at the committed position. */
  next: number | undefined;
  paused = false;
  committed = 0;
  /** One past the last event that was ever delivered: a `seek` may go back, and forward again. */
  #deliveredTo = 0;
  /** Some of the delivered events, in order. The first is the last one that may be the oldest uncommitted. */
  #samples: { offset: number; timestampMs: number }[] = [];
  #behindSinceMs: number | undefined;

  constructor(partition: number) {
    this.partition = partition;
  }

  /** Everything before it is done. With nothing left to commit, that includes records that are not delivered, as barriers. */
  get done(): number {
    return this.committed >= this.#deliveredTo ? Math.max(this.committed, this.next ?? 0) : this.committed;
  }

  delivered(events: readonly { offset: number; timestampMs: number }[]): void {
    for (const { offset, timestampMs } of events) {
      if (offset < this.#deliveredTo) continue;
      this.#deliveredTo = offset + 1;
      const last = this.#samples.at(-1);
      if (!last || timestampMs - last.timestampMs >= sampleMs) this.#samples.push({ offset, timestampMs });
    }
  }

  seek(nextOffset: number): void {
    this.next = nextOffset;
  }

  commit(nextOffset: number): void {
    this.committed = Math.max(this.committed, nextOffset);
    if (this.committed >= this.#deliveredTo) this.#samples = [];
    const later = this.#samples.findIndex(({ offset }) => offset > this.committed);
    this.#samples.splice(0, Math.max(0, (later < 0 ? this.#samples.length : later) - 1));
  }

  /**
   * Age of the oldest uncommitted event. Before it has been delivered its time is unknown: then the time since the lag
   * was first seen.
   */
  lagSeconds(messages: number, nowMs: number, monotonicMs = performance.now()): number {
    if (messages === 0) {
      this.#behindSinceMs = undefined;
      return 0;
    }
    this.#behindSinceMs ??= monotonicMs;
    const [oldest] = this.#samples;
    return oldest ? Math.max(0, nowMs - oldest.timestampMs) / 1000 : (monotonicMs - this.#behindSinceMs) / 1000;
  }
}

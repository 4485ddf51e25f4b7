import { randomUUID } from 'node:crypto';

import { AppError, isAppError, logSparingly, retry, sleepUntilAborted } from '@whetstone/platform';
import type { Consumer, EachBatchPayload } from 'kafkajs';

import { partitionOf } from '../../partition-of.js';
import type { Following, FollowOptions } from '../../ports.js';
import type { ClusterQueries } from '../cluster-queries.js';
import { Membership } from '../consuming/membership.js';
import type { KafkaClientOptions } from '../kafka-client.js';
import { isPassing, isRefused } from '../kafka-errors.js';
import { GapWatch } from './gap-watch.js';
import { ViewApplier } from './view-applier.js';
import { EndOffsets, type Look, ViewWaiters } from './view-ends.js';

export interface TopicFollowerOptions {
  client: KafkaClientOptions;
  queries: ClusterQueries;
  handlers: FollowOptions;
  appendBarrier(partition: number): Promise<void>;
  onStopped(follower: TopicFollower): void;
}

/** How often the end offsets are read. */
const lookEveryMs = 1000;
const sessionTimeoutMs = 30_000;
/** Longer would save little; a view that stops waits for the fetch in flight. */
const longestFetchMs = 250;
/** From joining the group until the first fetch has been answered. */
const firstFetchMs = 250;

/**
 * Reads a topic for a view. kafkajs can only read as a member of a group, so each follower is a group of its own: it never
 * commits, and seeks to its positions after each join. Reading the end offsets every second tells whether the view is at the
 * end, and whether the log was truncated below its position. Not every offset before
 * an end holds a record: `GapWatch` takes the view past those that do not.
 */
export class TopicFollower implements Following {
  readonly #options: TopicFollowerOptions;
  /** Every group that it has joined. */
  readonly #groups = new Set<string>();
  readonly #ends: EndOffsets;
  readonly #applier: ViewApplier;
  readonly #gaps: GapWatch;
  readonly #waiters = new ViewWaiters();
  readonly #stopping = new AbortController();
  readonly #caughtUp: Promise<void>;
  readonly #running: Promise<void>;
  #membership: Membership | undefined;
  #joinedAtMs = Number.POSITIVE_INFINITY;
  #group = '';
  /** kafkajs has jumped to the oldest event: the view may have missed some. */
  #mayHaveMissed = false;
  #isMeasuringAge = false;
  #lastAtEndMs = performance.now();

  constructor(options: TopicFollowerOptions) {
    const { client, queries, handlers, appendBarrier } = options;
    this.#options = options;
    this.#ends = new EndOffsets({ ask: () => queries.boundsOf(handlers.topic) });
    this.#applier = new ViewApplier({
      handlers,
      onProgress: () => this.#settle(),
      onAnew: (bounds) => {
        this.#waiters.retarget(bounds);
        this.#seek(this.#membership?.consumer);
      },
      onCrash: (error) => this.#crash(error),
    });
    this.#gaps = new GapWatch({
      topic: handlers.topic,
      logger: client.logger,
      positions: () => this.#applier.positions,
      isWaiting: () => this.#isFetching() && !this.#applier.isBusy,
      appendBarrier,
    });
    const first = this.#firstLook();
    this.#caughtUp = first.then((look) => this.#waiters.reaches(look, { patient: true }));
    // Nobody may be waiting: #running reports the error.
    this.#caughtUp.catch(() => {});
    this.#running = first.then((look) => this.#follow(look)).catch((error: Error) => this.#crash(error));
  }

  caughtUp(): Promise<void> {
    return this.#caughtUp;
  }

  async catchUp(partitionKey: string): Promise<void> {
    this.#throwIfStopped();
    const look = await this.#ends.look();
    this.#throwIfStopped();
    const reached = this.#waiters.reaches(look, { partition: partitionOf(partitionKey, look.bounds.length) });
    this.#settle();
    this.#gaps.watch(look.bounds);
    await reached;
  }

  ageSeconds(): number {
    return (performance.now() - this.#lastAtEndMs) / 1000;
  }

  async stop(): Promise<void> {
    this.#end();
    await this.#running;
    await this.#membership?.stop();
    await this.#applier.end();
    // Including the last one, which it may have been about to join.
    if (this.#group !== '') await this.#options.queries.deleteGroups([...this.#groups.add(this.#group)]);
  }

  async #firstLook(): Promise<Look> {
    const { client, handlers } = this.#options;
    return retry(() => this.#ends.look(), {
      retryIf: (error) => isAppError(error, 'log_unavailable') && !isRefused(error),
      onRetry: logSparingly(client.logger, 'Cannot read the ends of a topic; retrying', {
        fields: { topic: handlers.topic },
      }),
      signal: this.#stopping.signal,
      longestWaitMs: lookEveryMs,
    });
  }

  async #follow(first: Look): Promise<void> {
    const { client, handlers } = this.#options;
    await this.#applier.begin(first.bounds);
    if (this.#stopping.signal.aborted) return;
    this.#membership = new Membership({
      ...client,
      topic: handlers.topic,
      groupOf: () => this.#newGroup(),
      sessionTimeoutMs,
      longestFetchMs,
      onConsumer: (consumer) => this.#noticeResets(consumer),
      onJoin: (consumer) => {
        this.#groups.add(this.#group);
        this.#joinedAtMs = performance.now();
        this.#seek(consumer);
      },
      onBatch: (payload) => this.#apply(payload),
      // Once a view has joined, it survives any outage.
      isPassing: (error) => this.#groups.size > 0 || isPassing(error),
      onCrash: (error) => this.#crash(error),
    });
    const { signal } = this.#stopping;
    for (this.#noteLook(first); !signal.aborted; await sleepUntilAborted(lookEveryMs, signal)) await this.#look();
  }

  /** A new group for each consumer: brokers keep the place of a vanished member for a while. */
  #newGroup(): string {
    this.#group = `${this.#options.client.clientId}-view-${randomUUID()}`;
    return this.#group;
  }

  /** Offset truncated: kafkajs starts over from the earliest, without telling. */
  #noticeResets(consumer: Consumer): void {
    consumer.on(consumer.events.REQUEST, ({ payload: { apiName } }) => {
      // A view never commits. kafkajs does, but only to leave an offset that is out of range.
      if (apiName === 'OffsetCommit') this.#mayHaveMissed = true;
    });
  }

  async #apply(payload: EachBatchPayload): Promise<void> {
    const isNew = payload.batch.partition >= this.#applier.positions.length;
    if (this.#mayHaveMissed || isNew) await this.#look();
    // Without an answer nothing is applied; the batch is fetched again.
    if (!this.#mayHaveMissed) await this.#applier.apply(payload);
  }

  async #look(): Promise<void> {
    const then = this.#applier.positions;
    const isAsking = this.#mayHaveMissed;
    let look: Look;
    try {
      look = await this.#ends.look();
    } catch (error) {
      this.#waiters.rejectImpatient(error as AppError);
      return;
    }
    await this.#applier.check(look.bounds, then);
    if (isAsking) this.#mayHaveMissed = false;
    this.#noteLook(look);
  }

  /** The view's age counts from the last look whose ends it has reached. */
  #noteLook(look: Look): void {
    this.#settle();
    this.#gaps.watch(look.bounds);
    if (this.#isMeasuringAge) return;
    this.#isMeasuringAge = true;
    this.#waiters
      .reaches(look, { patient: true })
      .then(() => {
        this.#lastAtEndMs = look.atMs;
      })
      // Rejected only when the view stops, which its owner knows.
      .catch(() => {})
      .finally(() => {
        this.#isMeasuringAge = false;
      });
    this.#settle();
  }

  #isFetching(): boolean {
    return this.#membership?.consumer !== undefined && performance.now() - this.#joinedAtMs >= firstFetchMs;
  }

  #seek(consumer: Consumer | undefined): void {
    const { client, handlers } = this.#options;
    const { topic } = handlers;
    try {
      this.#applier.positions.forEach((next, partition) => {
        consumer?.seek({ topic, partition, offset: String(next) });
      });
    } catch (error) {
      client.logger.debug(
        { err: error, topic },
        'Consumer is not in its group; will resend the request after it joins',
      );
    }
  }

  #settle(): void {
    this.#waiters.settle(this.#applier.positions);
  }

  #crash(error: Error): void {
    if (this.#stopping.signal.aborted) return;
    this.#end();
    void this.#membership?.stop();
    this.#options.handlers.onCrash(error);
  }

  #end(): void {
    if (this.#stopping.signal.aborted) return;
    this.#stopping.abort(stoppedError());
    this.#gaps.stop();
    this.#waiters.rejectAll(stoppedError());
    this.#options.onStopped(this);
  }

  #throwIfStopped(): void {
    if (this.#stopping.signal.aborted) throw stoppedError();
  }
}

function stoppedError(): AppError {
  return new AppError('log_unavailable', 'The view has stopped', { retryable: true });
}

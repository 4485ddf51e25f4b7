import { AppError } from '@whetstone/platform';

import { partitionOf } from '../partition-of.js';
import type { Following, FollowOptions } from '../ports.js';
import type { Partition } from './database.js';
import type { LogTail } from './log-tail.js';

export interface TopicFollowerOptions {
  tail: LogTail;
  /** Of the topic, in order. */
  partitions: Partition[];
  handlers: FollowOptions;
  onStopped(follower: TopicFollower): void;
}

interface Waiter {
  targets: number[];
  resolve(): void;
  reject(error: AppError): void;
}

/**
 * How long the event loop may be held before others get a turn. One batch a turn would be too little: while requests keep the
 * loop busy, a turn takes long, and whoever waits for the last partition waits for as many turns as there are partitions.
 */
const sliceMs = 10;

/** Applies a topic to a view, one batch after another, and tracks its positions. */
export class TopicFollower implements Following {
  readonly #options: TopicFollowerOptions;
  readonly #stopListening: () => void;
  readonly #caughtUp: Promise<void>;
  #positions: number[];
  #waiters = new Set<Waiter>();
  #running: Promise<void> | undefined;
  #again = false;
  #lastAtEndMs = performance.now();
  #stopped = false;

  /** Throws AppError `log_unavailable` if the ends cannot be read. */
  constructor(options: TopicFollowerOptions) {
    this.#options = options;
    options.tail.refresh();
    this.#positions = options.handlers.from?.slice() ?? this.#starts();
    this.#caughtUp = this.#reaches(this.#ends());
    // Nobody may be waiting.
    this.#caughtUp.catch(() => {});
    this.#stopListening = options.tail.listen(() => this.#wake());
    this.#wake();
  }

  caughtUp(): Promise<void> {
    return this.#caughtUp;
  }

  async catchUp(partitionKey: string): Promise<void> {
    if (this.#stopped) throw stoppedError();
    this.#options.tail.refresh();
    const wanted = partitionOf(partitionKey, this.#options.partitions.length);
    const targets = this.#ends().map((end, partition) => (partition === wanted ? end : 0));
    const reached = this.#reaches(targets);
    this.#wake();
    await reached;
  }

  ageSeconds(): number {
    return (performance.now() - this.#lastAtEndMs) / 1000;
  }

  async stop(): Promise<void> {
    this.#end();
    await this.#running;
  }

  #wake(): void {
    if (this.#stopped) return;
    this.#again = true;
    this.#running ??= this.#run();
  }

  /** Runs until the view is at the end and nothing has woken it since. */
  async #run(): Promise<void> {
    try {
      while (!this.#stopped && this.#again) {
        await new Promise((resolve) => setImmediate(resolve));
        await this.#runSlice();
      }
    } catch (error) {
      this.#crash(error as Error);
    }
    this.#running = undefined;
  }

  async #runSlice(): Promise<void> {
    const endsAtMs = performance.now() + sliceMs;
    do {
      this.#again = false;
      if (await this.#step()) this.#again = true;
    } while (!this.#stopped && this.#again && performance.now() < endsAtMs);
  }

  /** True while there is more to read. */
  async #step(): Promise<boolean> {
    const { partitions, handlers, tail } = this.#options;
    if (this.#outOfRange()) {
      await handlers.onReset();
      this.#positions = this.#starts();
    }
    const ends = this.#ends();
    const behind = partitions.filter(({ partition }) => this.#position(partition) < (ends[partition] ?? 0));
    if (behind.length === 0) this.#lastAtEndMs = Math.max(this.#lastAtEndMs, tail.checkedAtMs);
    for (const partition of behind) {
      const batch = tail.read(partition, this.#position(partition.partition));
      // It does not hold up the others; the tail wakes us to try it again.
      if (!batch) continue;
      const positions = this.#positions.with(partition.partition, batch.next);
      if (batch.events.length > 0) await handlers.onEvents(batch.events, positions.slice());
      this.#positions = positions;
      this.#settle();
      return true;
    }
    this.#settle();
    return false;
  }

  #position(partition: number): number {
    return this.#positions[partition] ?? 0;
  }

  #starts(): number[] {
    return this.#options.partitions.map(({ id }) => this.#options.tail.bounds(id).start);
  }

  #ends(): number[] {
    return this.#options.partitions.map(({ id }) => this.#options.tail.bounds(id).end);
  }

  #outOfRange(): boolean {
    const { partitions, tail } = this.#options;
    if (this.#positions.length !== partitions.length) return true;
    return partitions.some(({ id, partition }) => {
      const { start, end } = tail.bounds(id);
      const position = this.#position(partition);
      return position < start || position > end;
    });
  }

  #reaches(targets: number[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiters.add({ targets, resolve, reject });
    });
  }

  #settle(): void {
    for (const waiter of this.#waiters) {
      if (!waiter.targets.every((target, partition) => this.#position(partition) >= target)) continue;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
  }

  #crash(error: Error): void {
    if (this.#stopped) return;
    this.#end();
    this.#options.handlers.onCrash(error);
  }

  #end(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#stopListening();
    for (const { reject } of this.#waiters) reject(stoppedError());
    this.#waiters = new Set();
    this.#options.onStopped(this);
  }
}

function stoppedError(): AppError {
  return new AppError('log_unavailable', 'The view has stopped', { retryable: true });
}

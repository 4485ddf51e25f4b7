import { type Logger, logSparingly } from '@whetstone/platform';

import type { Consumption, LogEvent } from '../ports.js';
import type { FairPool, Lane, PoolTask } from './fair-pool.js';
import { PartitionWindow, type WindowLimits } from './partition-window.js';

interface PartitionLaneOptions {
  partition: number;
  consumption: Consumption;
  pool: FairPool;
  limits: WindowLimits;
  laneOf(event: LogEvent): Lane;
  serialKeyOf(event: LogEvent): string | undefined;
  work(event: LogEvent, signal: AbortSignal): Promise<void>;
  onCrash(error: Error): void;
  logger: Logger;
}

const commitRetryMs = 1000;

/** Runs one partition through the pool: takes what fits its window, commits what is finished, reads where the window says. */
export class PartitionLane {
  readonly #options: PartitionLaneOptions;
  readonly #window: PartitionWindow;
  /** Queued and running tasks. One controller each: hundreds of listeners on one signal would look like a leak. */
  readonly #tasks = new Map<PoolTask, AbortController>();
  readonly #reportCommit: (error: unknown) => void;
  #aborted = false;
  /** The next offset to be delivered. */
  #position = 0;
  #committed = 0;
  #committing: Promise<void> | undefined;
  #paused = false;

  constructor(options: PartitionLaneOptions) {
    this.#options = options;
    this.#window = new PartitionWindow(options.limits);
    const { logger, partition } = options;
    this.#reportCommit = logSparingly(logger, 'Committing a position failed; retrying', { fields: { partition } });
  }

  take(events: LogEvent[]): void {
    for (const event of events) {
      const { offset, value } = event;
      const lane = this.#options.laneOf(event);
      if (this.#window.offer({ offset, bytes: value.byteLength, account: lane.account })) this.#begin(event, lane);
      this.#position = offset + 1;
    }
    this.#readOn();
  }

  /** The partition was lost, or time is up: starts nothing more and aborts what runs. */
  abort(): void {
    this.#aborted = true;
    for (const [task, controller] of this.#tasks) {
      this.#options.pool.cancel(task);
      controller.abort();
    }
  }

  /** The last commit before the end. If it fails, the events are delivered again. */
  async commitLast(): Promise<void> {
    await this.#committing;
    await this.#commitOnce();
  }

  #readOn(): void {
    const { partition, consumption } = this.#options;
    const from = this.#window.readFrom();
    if (from !== undefined && from !== this.#position) {
      this.#position = from;
      consumption.seek(partition, from);
    }
    const isPaused = from === undefined;
    if (isPaused === this.#paused) return;
    this.#paused = isPaused;
    consumption[isPaused ? 'pause' : 'resume']([partition]);
  }

  #begin(event: LogEvent, lane: Lane): void {
    const { partition, serialKeyOf, pool } = this.#options;
    const controller = new AbortController();
    const task: PoolTask = {
      lane: { ...lane, partition },
      serialKey: serialKeyOf(event),
      run: async () => {
        await this.#work(event, controller.signal);
        this.#tasks.delete(task);
      },
    };
    this.#tasks.set(task, controller);
    pool.add(task);
  }

  async #work(event: LogEvent, signal: AbortSignal): Promise<void> {
    try {
      await this.#options.work(event, signal);
    } catch (error) {
      if (!signal.aborted) this.#options.onCrash(error as Error);
      return;
    }
    this.#window.finish(event.offset);
    if (this.#aborted) return;
    this.#readOn();
    this.#committing ??= this.#commit();
  }

  #startCommitting(): void {
    if (!this.#aborted) this.#committing ??= this.#commit();
  }

  async #commit(): Promise<void> {
    // Everything that ends in this turn of the event loop shares one commit.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#uncommitted() && !this.#aborted && (await this.#commitOnce()));
    this.#committing = undefined;
  }

  #uncommitted(): boolean {
    return this.#window.finishedTo > this.#committed;
  }

  /** False if it failed: it is retried after a while, or with the next event that ends. */
  async #commitOnce(): Promise<boolean> {
    const { partition, consumption } = this.#options;
    const nextOffset = this.#window.finishedTo;
    if (nextOffset <= this.#committed) return true;
    try {
      await consumption.commit(partition, nextOffset);
    } catch (error) {
      this.#reportCommit(error);
      setTimeout(() => this.#startCommitting(), commitRetryMs).unref();
      return false;
    }
    this.#committed = nextOffset;
    return true;
  }
}

import { type Logger, logSparingly } from '@whetstone/platform';

import type { Consumption, LogEvent } from '../ports.js';
import type { FairPool, PoolTask } from './fair-pool.js';

interface WindowLimits {
  messages: number;
  bytes: number;
}

/** One event that was taken and is not committed yet. */
interface WindowEntry {
  readonly offset: number;
  readonly bytes: number;
  finished: boolean;
}

/**
 * The uncommitted events of one partition, in order. They finish in any order; the position is committed only up to the
 * first unfinished one. Bounds both what a crash repeats and what is held in memory.
 */
export class PartitionWindow {
  readonly #limits: WindowLimits;
  #entries: WindowEntry[] = [];
  #bytes = 0;

  constructor(limits: WindowLimits) {
    this.#limits = limits;
  }

  get isFull(): boolean {
    return this.#entries.length >= this.#limits.messages || this.#bytes >= this.#limits.bytes;
  }

  /** Enough room to resume reading. Resuming for every freed place would read most events many times. */
  get isHalfEmpty(): boolean {
    return this.#entries.length <= this.#limits.messages / 2 && this.#bytes <= this.#limits.bytes / 2;
  }

  add(offset: number, bytes: number): WindowEntry {
    const entry = { offset, bytes, finished: false };
    this.#entries.push(entry);
    this.#bytes += bytes;
    return entry;
  }

  /** The next position to commit; `undefined` if the first event is unfinished. */
  finishedTo(): number | undefined {
    let to: number | undefined;
    for (const { finished, offset } of this.#entries) {
      if (!finished) break;
      to = offset + 1;
    }
    return to;
  }

  committed(nextOffset: number): void {
    const first = this.#entries.findIndex(({ offset }) => offset >= nextOffset);
    const gone = this.#entries.splice(0, first < 0 ? this.#entries.length : first);
    for (const { bytes } of gone) this.#bytes -= bytes;
  }
}

interface PartitionLaneOptions {
  partition: number;
  consumption: Consumption;
  pool: FairPool;
  limits: WindowLimits;
  laneOf(event: LogEvent): string;
  serialKeyOf(event: LogEvent): string | undefined;
  work(event: LogEvent, signal: AbortSignal): Promise<void>;
  onCrash(error: Error): void;
  logger: Logger;
}

const commitRetryMs = 1000;

/** Runs one partition through the pool: takes what fits its window, commits what is finished, reads on. */
export class PartitionLane {
  readonly #options: PartitionLaneOptions;
  readonly #window: PartitionWindow;
  /** Queued and running tasks. One controller each: hundreds of listeners on one signal would look like a leak. */
  readonly #tasks = new Map<PoolTask, AbortController>();
  readonly #reportCommit: (error: unknown) => void;
  #aborted = false;
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
    const { partition, consumption } = this.#options;
    for (const event of events) {
      if (this.#window.isFull) {
        consumption.seek(partition, event.offset);
        break;
      }
      this.#begin(event);
    }
    if (!this.#window.isFull) return;
    this.#paused = true;
    consumption.pause([partition]);
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

  #begin(event: LogEvent): void {
    const { laneOf, serialKeyOf, pool } = this.#options;
    const entry = this.#window.add(event.offset, event.value.byteLength);
    const controller = new AbortController();
    const task: PoolTask = {
      lane: laneOf(event),
      serialKey: serialKeyOf(event),
      run: async () => {
        await this.#work(event, entry, controller.signal);
        this.#tasks.delete(task);
      },
    };
    this.#tasks.set(task, controller);
    pool.add(task);
  }

  async #work(event: LogEvent, entry: WindowEntry, signal: AbortSignal): Promise<void> {
    try {
      await this.#options.work(event, signal);
    } catch (error) {
      if (!signal.aborted) this.#options.onCrash(error as Error);
      return;
    }
    entry.finished = true;
    this.#startCommitting();
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
    return (this.#window.finishedTo() ?? 0) > this.#committed;
  }

  /** False if it failed: it is retried after a while, or with the next event that ends. */
  async #commitOnce(): Promise<boolean> {
    const { partition, consumption } = this.#options;
    const nextOffset = this.#window.finishedTo();
    if (nextOffset === undefined) return true;
    try {
      await consumption.commit(partition, nextOffset);
    } catch (error) {
      this.#reportCommit(error);
      setTimeout(() => this.#startCommitting(), commitRetryMs).unref();
      return false;
    }
    this.#committed = nextOffset;
    this.#window.committed(nextOffset);
    if (this.#paused && this.#window.isHalfEmpty) {
      this.#paused = false;
      consumption.resume([partition]);
    }
    return true;
  }
}

import { isAppError, type Logger, logSparingly } from '@whetstone/platform';

import type { Partition } from './database.js';
import type { Bounds, EventReader, ReadResult } from './event-reader.js';
import type { PartitionEnds } from './event-writer.js';

export interface LogTailOptions {
  reader: Pick<EventReader, 'version' | 'bounds' | 'read'>;
  pollMs: number;
  logger?: Logger | undefined;
}

/**
 * Tracks the ends of the partitions and wakes readers. Appends of this process are seen at once; those of another process
 * (the command line) by polling the file's version, a few microseconds several times a second, and
 * only while there are readers.
 */
export class LogTail {
  readonly #reader: LogTailOptions['reader'];
  readonly #pollMs: number;
  readonly #logger: Logger | undefined;
  readonly #reportFailure: (error: unknown) => void;
  readonly #listeners = new Set<() => void>();
  /** Ids of the partitions whose last read failed. */
  readonly #unreadable = new Set<number>();
  #bounds = new Map<number, Bounds>();
  #version = -1;
  #checkedAtMs = 0;
  #isAnswering = true;
  #timer: NodeJS.Timeout | undefined;
  #scheduled: NodeJS.Immediate | undefined;

  constructor({ reader, pollMs, logger }: LogTailOptions) {
    this.#reader = reader;
    this.#logger = logger;
    this.#reportFailure = logger
      ? logSparingly(logger, 'Reading the log failed; retrying. If this goes on, check the disk', { level: 'error' })
      : () => {};
    this.#pollMs = pollMs;
  }

  /** Whether the file answers and every partition that is being read can be read. */
  get healthy(): boolean {
    return this.#isAnswering && this.#unreadable.size === 0;
  }

  /** When the ends were last up to date, by the monotonic clock. */
  get checkedAtMs(): number {
    return this.#checkedAtMs;
  }

  bounds(id: number): Bounds {
    return this.#bounds.get(id) ?? { start: 0, end: 0 };
  }

  /** Reads the ends now; throws AppError `log_unavailable`. */
  refresh(): void {
    this.#version = this.#reader.version();
    this.#bounds = this.#reader.bounds();
    this.#checkedAtMs = performance.now();
  }

  /**
   * Up to the end as it is known. Undefined when the file cannot be read: that is logged and makes the log unhealthy, and
   * listeners are called again soon. Throws what waiting does not mend.
   */
  read(partition: Partition, from: number): ReadResult | undefined {
    try {
      const result = this.#reader.read(partition, from, this.bounds(partition.id).end);
      if (this.#unreadable.delete(partition.id)) {
        const { topic, partition: number } = partition;
        this.#logger?.info({ topic, partition: number }, 'Reading the log works again');
      }
      return result;
    } catch (error) {
      if (!isAppError(error, 'log_unavailable')) throw error;
      this.#unreadable.add(partition.id);
      this.#reportFailure(error);
      return undefined;
    }
  }

  /** Calls `listener` after each successful poll, also if nothing is new. Returns a function that ends it. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    this.#timer ??= setInterval(() => this.#check(), this.#pollMs).unref();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#rest();
    };
  }

  /** After an append of this process. Appends of others are found by the next poll. */
  appended(ends: PartitionEnds): void {
    for (const [id, end] of ends) this.#extend(id, end);
    if (this.#listeners.size > 0) this.#scheduled ??= setImmediate(() => this.#tell());
  }

  /** Answers of the writer thread and polls may cross: an end never moves back. */
  #extend(id: number, end: number): void {
    const known = this.bounds(id);
    if (known.end < end) this.#bounds.set(id, { start: known.start, end });
  }

  #check(): void {
    try {
      if (this.#reader.version() === this.#version) this.#checkedAtMs = performance.now();
      else this.refresh();
      this.#isAnswering = true;
    } catch (error) {
      this.#isAnswering = false;
      this.#reportFailure(error);
      return;
    }
    this.#tell();
  }

  #tell(): void {
    clearImmediate(this.#scheduled);
    this.#scheduled = undefined;
    for (const listener of this.#listeners) listener();
  }

  #rest(): void {
    clearInterval(this.#timer);
    clearImmediate(this.#scheduled);
    this.#timer = undefined;
    this.#scheduled = undefined;
  }
}

import { type AppError, sleep } from '@whetstone/platform';

import type { PartitionBounds } from '../cluster-queries.js';

interface EndOffsetsOptions {
  ask(): Promise<PartitionBounds[]>;
  nowMs?(): number;
}

export interface Look {
  /** When the query was sent. */
  atMs: number;
  bounds: PartitionBounds[];
}

/** Minimum time between two queries. */
const atMostEveryMs = 100;

/** Reads the end offsets of a topic. All callers share one query at a time, and queries are rate-limited. */
export class EndOffsets {
  readonly #ask: () => Promise<PartitionBounds[]>;
  readonly #nowMs: () => number;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  #current: Promise<unknown> = Promise.resolve();
  /** The query that has not been sent yet; shared by everybody who asks until then. */
  #next: Promise<Look> | undefined;

  constructor({ ask, nowMs = () => performance.now() }: EndOffsetsOptions) {
    this.#ask = ask;
    this.#nowMs = nowMs;
  }

  /** The answer to a query that is sent after this call. */
  look(): Promise<Look> {
    this.#next ??= this.#askNext();
    return this.#next;
  }

  async #askNext(): Promise<Look> {
    // Whoever asked for that look gets its error.
    await this.#current.catch(() => {});
    const waitMs = this.#askedAtMs + atMostEveryMs - this.#nowMs();
    if (waitMs > 0) await sleep(waitMs);
    const look = this.#lookNow();
    this.#current = look;
    this.#next = undefined;
    return look;
  }

  async #lookNow(): Promise<Look> {
    const atMs = this.#nowMs();
    this.#askedAtMs = atMs;
    return { atMs, bounds: await this.#ask() };
  }
}

interface Waiter {
  /** `undefined`: all partitions. */
  partition: number | undefined;
  look: Look;
  /** Whether to keep waiting while the log is unavailable. */
  patient: boolean;
  resolve(): void;
  reject(error: AppError): void;
}

/** Callers that wait for a view to reach the end offsets of a look. */
export class ViewWaiters {
  readonly #waiters = new Set<Waiter>();

  reaches(look: Look, { partition, patient = false }: { partition?: number; patient?: boolean } = {}): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiters.add({ partition, look, patient, resolve, reject });
    });
  }

  settle(positions: readonly number[]): void {
    for (const waiter of this.#waiters) {
      const { partition: wanted, look, resolve } = waiter;
      const isBehind = look.bounds.some(({ high }, partition) => {
        if (wanted !== undefined && wanted !== partition) return false;
        return (positions[partition] ?? 0) < high;
      });
      if (isBehind) continue;
      this.#waiters.delete(waiter);
      resolve();
    }
  }

  /** The view starts over: waiters now wait for these ends. */
  retarget(bounds: PartitionBounds[]): void {
    for (const waiter of this.#waiters) waiter.look = { ...waiter.look, bounds };
  }

  /** The log is away. */
  rejectImpatient(error: AppError): void {
    this.#reject(({ patient }) => !patient, error);
  }

  rejectAll(error: AppError): void {
    this.#reject(() => true, error);
  }

  #reject(which: (waiter: Waiter) => boolean, error: AppError): void {
    for (const waiter of this.#waiters) {
      if (!which(waiter)) continue;
      this.#waiters.delete(waiter);
      waiter.reject(error);
    }
  }
}

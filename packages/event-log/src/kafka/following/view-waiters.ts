import type { AppError } from '@whetstone/platform';

import type { PartitionBounds } from '../cluster-queries.js';
import type { Look } from './end-offsets.js';

interface Waiter {
  /** Undefined: all of them. */
  partition: number | undefined;
  look: Look;
  /** Whether it waits on while the log is away. */
  patient: boolean;
  resolve(): void;
  reject(error: AppError): void;
}

/** Those who wait for a view to reach the ends that a look has found. */
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

  /** The topic is another one now: its ends are what is to be reached. */
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

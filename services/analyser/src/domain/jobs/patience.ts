import { setTimeout as sleep } from 'node:timers/promises';

import { abortable } from './abortable.js';

export interface PatienceConfig {
  firstWaitMs: number;
  longestWaitMs: number;
}

export interface InsistOptions {
  /** What waiting does not mend is thrown; without it everything is waited for. */
  isFinal?(error: unknown): boolean;
  onFailure?(error: unknown, failures: number): void;
}

/** Waits for what is away: twice as long after each failure, up to a bound, and never in step with others. */
export interface Patience {
  /** `failures` counts from 1. Rejects when the signal aborts. */
  pause(failures: number, signal: AbortSignal): Promise<void>;
  /** Repeats the operation until it works. Rejects when the signal aborts, also while the operation hangs. */
  insist<Result>(operation: () => Promise<Result>, signal: AbortSignal, options?: InsistOptions): Promise<Result>;
}

export function createPatience(
  { firstWaitMs, longestWaitMs }: PatienceConfig,
  random: () => number = Math.random,
): Patience {
  async function pause(failures: number, signal: AbortSignal): Promise<void> {
    const bound = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(failures - 1, 30));
    await sleep(bound * (0.5 + random() / 2), undefined, { signal });
  }

  return {
    pause,
    async insist(operation, signal, { isFinal, onFailure } = {}) {
      for (let failures = 1; ; failures++) {
        signal.throwIfAborted();
        try {
          return await abortable(operation(), signal);
        } catch (error) {
          signal.throwIfAborted();
          if (isFinal?.(error)) throw error;
          onFailure?.(error, failures);
          await pause(failures, signal);
        }
      }
    },
  };
}

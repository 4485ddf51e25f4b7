import { setTimeout as sleep } from 'node:timers/promises';

import { AppError, type Logger } from '@whetstone/platform';

import { checked, failureOf, type MilvusFailure } from './failure.js';

export interface RetryingCallsOptions {
  /** For messages. */
  address: string;
  /** Of one operation, with all its tries. */
  timeoutMs: number;
  logger: Logger;
}

/** How one request is sent: given what is left of the operation's time. */
export type Ask<Answer> = (timeoutMs: number) => Promise<Answer>;

/** The time of one operation, shared by all its requests. */
export interface Operation {
  /** One request, once; throws MilvusFailure. */
  once<Answer>(ask: Ask<Answer>): Promise<Answer>;
}

export interface RetryingCalls {
  /**
   * Does the work, again from its beginning where it fails for a reason that may pass, until the time is over. Throws
   * AppError `store_unavailable`, `internal` where Milvus refuses what it was asked, and MilvusFailure where a partition is
   * missing: what that means, the caller knows.
   */
  retried<Result>(work: (operation: Operation) => Promise<Result>): Promise<Result>;
  /** Ends what waits for its next try. */
  close(): void;
}

const firstPauseMs = 50;
const longestPauseMs = 1_000;
const passing = new Set(['unavailable', 'not_loaded', 'no_collection']);

/** The SDK's own retries end after 140 ms, and a restart of Milvus takes longer: here is a deadline instead. */
export function createRetryingCalls({ address, timeoutMs, logger }: RetryingCallsOptions): RetryingCalls {
  const closing = new AbortController();
  let away = false;

  async function retried<Result>(work: (operation: Operation) => Promise<Result>): Promise<Result> {
    const deadline = performance.now() + timeoutMs;
    const operation: Operation = {
      once: async (ask) => {
        try {
          return checked(await ask(Math.max(1, Math.ceil(deadline - performance.now()))));
        } catch (error) {
          throw failureOf(error);
        }
      },
    };
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        const result = await work(operation);
        if (away) logger.info(`Milvus at ${address} answers again`);
        away = false;
        return result;
      } catch (error) {
        if (error instanceof AppError) throw error;
        const failure = failureOf(error);
        if (failure.kind === 'no_partition') throw failure;
        const again = passing.has(failure.kind) && performance.now() + pauseMs < deadline && !closing.signal.aborted;
        if (!again) throw appErrorOf(failure);
      }
      // Some sooner, some later: what failed together does not come back all at one moment.
      const jitteredMs = pauseMs * (0.5 + Math.random());
      await sleep(jitteredMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  function appErrorOf(failure: MilvusFailure): AppError {
    if (failure.kind === 'refused') {
      return new AppError('internal', `Milvus refused a request: ${failure.message}`, { cause: failure });
    }
    if (!away) logger.warn({ err: failure }, `Milvus at ${address} does not serve: ${failure.message}`);
    away = true;
    return new AppError('store_unavailable', 'The vector store did not answer', { retryable: true, cause: failure });
  }

  return { retried, close: () => closing.abort() };
}

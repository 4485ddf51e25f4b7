import { AppError, type BackOff, type Logger, retry } from '@whetstone/platform';

import { checked, failureOf, MilvusFailure } from './failure.js';

interface RetryingCallsOptions {
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

const backOff: BackOff = { firstWaitMs: 50, longestWaitMs: 1000 };
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
    const retryIf = (error: unknown) => !(error instanceof AppError) && passing.has(failureOf(error).kind);
    try {
      const result = await retry(() => work(operation), {
        ...backOff,
        retryIf,
        withinMs: timeoutMs,
        signal: closing.signal,
      });
      if (away) logger.info(`Milvus at ${address} answers again`);
      away = false;
      return result;
    } catch (error) {
      if (error instanceof AppError) throw error;
      const failure = failureOf(error);
      throw failure.kind === 'no_partition' ? failure : appErrorOf(failure);
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

  return { retried, close: () => closing.abort(new MilvusFailure('unavailable', 'The store is closed')) };
}

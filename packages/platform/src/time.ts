import { setTimeout as delay } from 'node:timers/promises';

import type { Logger } from './logger.js';

export interface SleepOptions {
  signal?: AbortSignal | undefined;
  /** False lets the process end meanwhile. */
  ref?: boolean;
}

/** Rejects with the signal's reason as soon as that aborts. */
export async function sleep(timeMs: number, { signal, ref = true }: SleepOptions = {}): Promise<void> {
  try {
    await delay(timeMs, undefined, { ref, ...(signal && { signal }) });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

/** Like `sleep`, for loops that look at the signal themselves: resolves early when it aborts. */
export async function sleepUntilAborted(timeMs: number, signal: AbortSignal): Promise<void> {
  await sleep(timeMs, { signal }).catch(() => signal.aborted);
}

/** Settles as `work` does, or rejects with the signal's reason as soon as that aborts. `work` itself may go on. */
export async function abortable<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/**
 * Runs `work` with a signal of its own that follows the outer one. Listeners that `work` leaves on it are gone with the work,
 * however long the outer signal lives.
 */
export async function withOwnSignal<Result>(
  signal: AbortSignal | undefined,
  work: (own: AbortController) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  const own = new AbortController();
  const follow = () => own.abort(signal?.reason);
  signal?.addEventListener('abort', follow, { once: true });
  try {
    return await work(own);
  } finally {
    signal?.removeEventListener('abort', follow);
  }
}

export interface TimeoutOptions {
  /** Ends the work earlier. */
  signal?: AbortSignal | undefined;
  /** What the work is rejected with when its time is over. */
  error?(): Error;
}

/**
 * Runs `work` and rejects when its time is over or the outer signal aborts, whichever comes first. Both abort the signal that
 * `work` gets; work that ignores it goes on unheard.
 */
export function withTimeout<Result>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<Result>,
  { signal, error = () => new Error(`No result within ${timeoutMs} ms`) }: TimeoutOptions = {},
): Promise<Result> {
  return withOwnSignal(signal, async (own) => {
    const timer = setTimeout(() => own.abort(error()), timeoutMs);
    try {
      return await abortable(work(own.signal), own.signal);
    } finally {
      clearTimeout(timer);
    }
  });
}

export type Settled = { status: 'fulfilled' } | { status: 'rejected'; reason: unknown } | { status: 'late' };

/** How the work ended, or `late` if it has not ended after `timeoutMs`. Never rejects. */
export async function settleWithin(work: Promise<unknown>, timeoutMs: number): Promise<Settled> {
  const late = new Error('late');
  return withTimeout(timeoutMs, () => work, { error: () => late }).then(
    () => ({ status: 'fulfilled' }),
    (reason: unknown) => (reason === late ? { status: 'late' } : { status: 'rejected', reason }),
  );
}

export interface BackOff {
  firstWaitMs?: number;
  longestWaitMs?: number;
  random?(): number;
}

/** Doubles with each failure up to a bound, with jitter: what failed together does not come back at one moment. */
export function backOffMs(
  failures: number,
  { firstWaitMs = 100, longestWaitMs = 5000, random = Math.random }: BackOff = {},
): number {
  const boundMs = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(failures - 1, 30));
  return boundMs * (0.5 + random() / 2);
}

export interface RetryOptions extends BackOff {
  /** Whether waiting may mend this error. Every other error is thrown at once. */
  retryIf(error: unknown): boolean;
  /** Hears each failure that is retried; `failures` counts from 1. `logSparingly` makes one that logs. */
  onRetry?(error: unknown, failures: number): void;
  /** Ends the retries, and does not wait for an operation that hangs: rejects with its reason. */
  signal?: AbortSignal | undefined;
  /** Throws the last error where the next try would begin later than this. */
  withinMs?: number;
}

/** Repeats the operation until it works, fails for good, or runs out of time. */
export async function retry<Result>(operation: () => Promise<Result> | Result, options: RetryOptions): Promise<Result> {
  const { retryIf, onRetry, signal, withinMs = Number.POSITIVE_INFINITY } = options;
  const giveUpAtMs = performance.now() + withinMs;
  for (let failures = 1; ; failures++) {
    signal?.throwIfAborted();
    let waitMs: number;
    try {
      const result = Promise.resolve(operation());
      return await (signal ? abortable(result, signal) : result);
    } catch (error) {
      signal?.throwIfAborted();
      waitMs = backOffMs(failures, options);
      if (!retryIf(error) || performance.now() + waitMs > giveUpAtMs) throw error;
      onRetry?.(error, failures);
    }
    await sleep(waitMs, { signal });
  }
}

const logEveryMs = 60_000;

/** Logs a failure that repeats: the first time, and then at most once a minute with the number of failures so far. */
export function logSparingly(
  logger: Logger,
  message: string,
  { level = 'warn', fields = {} }: { level?: 'warn' | 'error'; fields?: Record<string, unknown> } = {},
): (error: unknown) => void {
  let failures = 0;
  let loggedAtMs = Number.NEGATIVE_INFINITY;
  return (error) => {
    failures++;
    if (performance.now() - loggedAtMs < logEveryMs) return;
    loggedAtMs = performance.now();
    logger[level]({ err: error, failures, ...fields }, message);
  };
}

import { AppError } from '@whetstone/platform';

/** Throws once the caller has given up, so that long work ends between two of its steps. */
export function checkCancelled(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return;
  const timedOut = (signal.reason as { name?: unknown } | undefined)?.name === 'TimeoutError';
  throw timedOut
    ? new AppError('deadline_exceeded', 'The call ran out of time', { cause: signal.reason })
    : new AppError('cancelled', 'The call was cancelled', { cause: signal.reason });
}

import { AppError } from '@whetstone/platform';

/** Throws if the caller has cancelled; called between the steps of long work. */
export function checkCancelled(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return;
  const timedOut = (signal.reason as { name?: unknown } | undefined)?.name === 'TimeoutError';
  throw timedOut
    ? new AppError('deadline_exceeded', 'Deadline exceeded', { cause: signal.reason })
    : new AppError('cancelled', 'Cancelled by the caller', { cause: signal.reason });
}

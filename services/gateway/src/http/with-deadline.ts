import { AppError } from '@whetstone/platform';

/**
 * Runs `work` until it is done, its time is up (AppError `deadline_exceeded`), or `abort` fires from elsewhere (AppError
 * `cancelled`). Either way the signal has fired, and what `work` still does is nobody's business any more.
 */
export function withDeadline<Result>(
  timeoutMs: number,
  abort: AbortController,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const { signal } = abort;
    const onAbort = () => settle(() => reject(reasonOf(signal)));
    const timer = setTimeout(() => {
      abort.abort(new AppError('deadline_exceeded', `The operation took longer than ${timeoutMs} ms`));
    }, timeoutMs);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();

    work(signal).then(
      (result) => settle(() => resolve(result)),
      (error: unknown) => settle(() => reject(error)),
    );

    function settle(action: () => void): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      action();
    }
  });
}

function reasonOf({ reason }: AbortSignal): unknown {
  return reason instanceof AppError ? reason : new AppError('cancelled', 'The client went away');
}

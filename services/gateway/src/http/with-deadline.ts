import { AppError } from '@whetstone/platform';

import type { Cancellation } from './cancellation.js';

/**
 * Runs `work` until it is done or cancelled. When its time is up, that cancels it (AppError `deadline_exceeded`). What
 * `work` still does after that is nobody's business any more.
 */
export function withDeadline<Result>(
  timeoutMs: number,
  cancellation: Cancellation,
  work: () => Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      cancellation.cancel(new AppError('deadline_exceeded', `The operation took longer than ${timeoutMs} ms`));
    }, timeoutMs);
    const settle = () => {
      clearTimeout(timer);
      cancellation.listener = undefined;
    };
    cancellation.listener = (reason) => {
      clearTimeout(timer);
      reject(reason);
    };
    work().then(
      (result) => {
        settle();
        resolve(result);
      },
      (error: unknown) => {
        settle();
        reject(error);
      },
    );
  });
}

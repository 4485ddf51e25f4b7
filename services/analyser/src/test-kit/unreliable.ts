import { AppError, type ErrorCode } from '@whetstone/platform';

/** Now and then nothing happens, and now and then it does happen and the answer is lost: the caller cannot tell. */
export function unreliable<Args extends unknown[], Result>(
  random: () => number,
  code: ErrorCode,
  work: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  const away = () => new AppError(code, 'away', { retryable: true });
  return async (...args) => {
    const fate = random();
    if (fate < 0.15) throw away();
    const result = await work(...args);
    if (fate < 0.3) throw away();
    return result;
  };
}

import { AppError } from '@whetstone/platform/worker';

/** Primary result codes that say something about the file or the disk, not about what was asked. */
const environment = new Set([
  3, // permission denied
  5, // busy
  6, // locked
  7, // out of memory
  8, // read only
  10, // input or output failed
  11, // malformed
  13, // full
  14, // cannot open
  15, // locking protocol
  26, // not a database
]);

/** After these a connection may go on: the next transaction simply succeeds once there is room, or the lock is free. */
const passing = new Set([5, 6, 13]);

export function isUnavailable(error: unknown): boolean {
  return environment.has(primaryCodeOf(error)) || codeOf(error) === 'ERR_INVALID_STATE';
}

export function needsReopening(error: unknown): boolean {
  return isUnavailable(error) && !passing.has(primaryCodeOf(error));
}

export function logUnavailable(cause: unknown): AppError {
  const reason = cause instanceof AppError || !hasMessage(cause) ? 'it does not answer' : cause.message;
  return new AppError('log_unavailable', `The log cannot be used: ${reason}`, { retryable: true, cause });
}

function primaryCodeOf(error: unknown): number {
  const { errcode } = (error ?? {}) as { errcode?: unknown };
  return typeof errcode === 'number' ? errcode & 0xff : -1;
}

function codeOf(error: unknown): unknown {
  return ((error ?? {}) as { code?: unknown }).code;
}

function hasMessage(error: unknown): error is { message: string } {
  return typeof ((error ?? {}) as { message?: unknown }).message === 'string';
}

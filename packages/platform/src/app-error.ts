/** The closed set of domain errors. Edges map them to HTTP, gRPC and message dispositions. */
export type ErrorCode =
  | 'analyser_unavailable'
  | 'analysis_failed'
  | 'analysis_timeout'
  | 'answer_not_found'
  | 'cancelled'
  | 'collection_missing'
  | 'deadline_exceeded'
  | 'internal'
  | 'invalid_argument'
  | 'invalid_api_key'
  | 'job_not_found'
  | 'key_not_found'
  | 'lesson_not_found'
  | 'log_unavailable'
  | 'model_mismatch'
  | 'model_unavailable'
  | 'own_key'
  | 'rate_limited'
  | 'shard_full'
  | 'status_unavailable'
  | 'store_unavailable'
  | 'tenant_forbidden'
  | 'too_large'
  | 'too_many_collections'
  | 'too_many_deletions'
  | 'too_many_keys';

export interface AppErrorOptions {
  /** True if the same call may succeed later. */
  retryable?: boolean;
  cause?: unknown;
}

/** The error of the domain. `cause` is for logs and never reaches a caller. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly retryable: boolean;

  constructor(code: ErrorCode, message: string, { retryable = false, cause }: AppErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.retryable = retryable;
  }
}

export function isAppError(error: unknown, code?: ErrorCode): error is AppError {
  return error instanceof AppError && (code === undefined || error.code === code);
}

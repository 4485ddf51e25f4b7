import { AppError } from '../app-error.js';

/** Every way in which a call of a model can fail. A label of metrics, so the set is closed. */
export type FailureKind = AwayKind | SetupKind | RequestKind;

/** The endpoint is away, or busy, or its answer was lost on the way: the same call may succeed later. */
type AwayKind = 'timeout' | 'unreachable' | 'rate_limited' | 'server_error' | 'broken_answer';
/** Nothing works until somebody changes a setting, an account or the endpoint. */
type SetupKind = 'unauthorized' | 'not_found' | 'quota_exceeded' | 'not_an_endpoint' | 'wrong_setting';
/** The endpoint works and does not take this request. */
type RequestKind =
  | 'context_overflow'
  | 'unsupported_output'
  | 'unsupported_limit'
  | 'content_filtered'
  | 'invalid_request';

const awayKinds: ReadonlySet<FailureKind> = new Set<AwayKind>([
  'timeout',
  'unreachable',
  'rate_limited',
  'server_error',
  'broken_answer',
]);
const setupKinds: ReadonlySet<FailureKind> = new Set<SetupKind>([
  'unauthorized',
  'not_found',
  'quota_exceeded',
  'not_an_endpoint',
  'wrong_setting',
]);

/** A call of a model that failed. The message may be logged: it holds no key, and of the request at most what the endpoint quotes. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
  readonly kind: FailureKind;
  /** How long the endpoint wants to be left alone. */
  readonly retryAfterMs: number | undefined;

  constructor(kind: FailureKind, message: string, retryAfterMs?: number) {
    super(message);
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }

  /** Whether the endpoint is the reason, so that waiting helps and the request is not to blame. */
  get isAway(): boolean {
    return awayKinds.has(this.kind) || this.needsSomebody;
  }

  /** Whether waiting alone will not help. */
  get needsSomebody(): boolean {
    return setupKinds.has(this.kind);
  }
}

export function isModelFailure(error: unknown, kind?: FailureKind): error is ModelFailure {
  return error instanceof ModelFailure && (kind === undefined || error.kind === kind);
}

/**
 * What the domain hears of it. Whatever the endpoint is to blame for is a dependency that is away, also where somebody has to
 * mend it first: no message is lost over a wrong key.
 */
export function toAppError(failure: ModelFailure, code: 'analysis_failed' | 'internal'): AppError {
  if (failure.isAway) return new AppError('model_unavailable', failure.message, { retryable: true });
  return new AppError(code, failure.message);
}

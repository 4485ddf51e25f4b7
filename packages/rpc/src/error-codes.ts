import { status } from '@grpc/grpc-js';
import type { ErrorCode } from '@whetstone/platform';

/** The one place where the domain's errors become statuses; what they say besides travels in the details. */
export const statusOfCode: Readonly<Record<ErrorCode, status>> = {
  analyser_unavailable: status.UNAVAILABLE,
  analysis_failed: status.INTERNAL,
  analysis_timeout: status.DEADLINE_EXCEEDED,
  cancelled: status.CANCELLED,
  deadline_exceeded: status.DEADLINE_EXCEEDED,
  internal: status.INTERNAL,
  invalid_api_key: status.UNAUTHENTICATED,
  invalid_argument: status.INVALID_ARGUMENT,
  job_not_found: status.NOT_FOUND,
  log_unavailable: status.UNAVAILABLE,
  model_mismatch: status.FAILED_PRECONDITION,
  model_unavailable: status.UNAVAILABLE,
  rate_limited: status.RESOURCE_EXHAUSTED,
  shard_full: status.RESOURCE_EXHAUSTED,
  status_unavailable: status.UNAVAILABLE,
  store_unavailable: status.UNAVAILABLE,
  tenant_forbidden: status.PERMISSION_DENIED,
  too_large: status.RESOURCE_EXHAUSTED,
  too_many_collections: status.RESOURCE_EXHAUSTED,
};

export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(statusOfCode, code);
}

/**
 * What another replica may answer where this one cannot. All other errors that a service answers with are its last word: a
 * store that is away is away for every replica, and asking them all would only add to its troubles.
 */
export const worthAskingAnother: ReadonlySet<ErrorCode> = new Set(['status_unavailable']);

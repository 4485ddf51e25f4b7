import { Metadata, status } from '@grpc/grpc-js';
import { AppError, type ErrorCode } from '@whetstone/platform';

const detailsKey = 'whetstone-error-bin';
/** A negative pushback tells the caller's retry policy not to retry. */
const pushbackKey = 'grpc-retry-pushback-ms';
/** Trailers are headers, which have little room. */
const longestMessage = 1000;

/** The part of an error that its caller sees: never the cause. */
export function detailsOf({ code, retryable, message }: AppError): Metadata {
  const metadata = new Metadata();
  const details = { code, retryable, message: message.slice(0, longestMessage) };
  metadata.set(detailsKey, Buffer.from(JSON.stringify(details)));
  if (!worthAskingAnother.has(code)) metadata.set(pushbackKey, '-1');
  return metadata;
}

/** The error that one of our services answered with; `undefined` if something else ended the call. */
export function readDetails(metadata: Metadata | undefined): AppError | undefined {
  const [bytes] = metadata?.get(detailsKey) ?? [];
  if (!Buffer.isBuffer(bytes)) return undefined;
  try {
    const { code, retryable, message } = JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
    // A newer service may use a code that is unknown here.
    const known = isErrorCode(code) ? code : 'internal';
    return new AppError(known, String(message), { retryable: retryable === true });
  } catch {
    return undefined;
  }
}

/** The only mapping from error codes to gRPC statuses; the rest of an error travels in the details. */
export const statusOfCode: Readonly<Record<ErrorCode, status>> = {
  analyser_unavailable: status.UNAVAILABLE,
  analysis_failed: status.INTERNAL,
  analysis_timeout: status.DEADLINE_EXCEEDED,
  answer_not_found: status.NOT_FOUND,
  cancelled: status.CANCELLED,
  collection_missing: status.FAILED_PRECONDITION,
  deadline_exceeded: status.DEADLINE_EXCEEDED,
  internal: status.INTERNAL,
  invalid_api_key: status.UNAUTHENTICATED,
  invalid_argument: status.INVALID_ARGUMENT,
  job_not_found: status.NOT_FOUND,
  key_not_found: status.NOT_FOUND,
  lesson_not_found: status.NOT_FOUND,
  log_unavailable: status.UNAVAILABLE,
  model_mismatch: status.FAILED_PRECONDITION,
  model_unavailable: status.UNAVAILABLE,
  own_key: status.FAILED_PRECONDITION,
  rate_limited: status.RESOURCE_EXHAUSTED,
  shard_full: status.RESOURCE_EXHAUSTED,
  status_unavailable: status.UNAVAILABLE,
  store_unavailable: status.UNAVAILABLE,
  tenant_forbidden: status.PERMISSION_DENIED,
  too_large: status.RESOURCE_EXHAUSTED,
  too_many_collections: status.RESOURCE_EXHAUSTED,
  too_many_deletions: status.RESOURCE_EXHAUSTED,
  too_many_keys: status.RESOURCE_EXHAUSTED,
};

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(statusOfCode, code);
}

/**
 * Errors that another replica may not have. All others are final: a
 * store that is away is away for every replica, and asking them all would only add load.
 */
const worthAskingAnother: ReadonlySet<ErrorCode> = new Set(['status_unavailable']);

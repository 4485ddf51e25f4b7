import { isAppError } from '@whetstone/platform';

import type { Answer } from './answer.js';
import { Refusal } from './refusal.js';

/** What an operation answers with when it cannot do its work. */
export interface Failure {
  error: 'queueing_failed' | 'enhance_failed' | 'delete_failed' | 'status_failed' | 'internal_error';
  message: string;
}

export const internalFailure: Failure = { error: 'internal_error', message: 'Something went wrong here' };

const retryAfterSeconds = '5';

/** The one place where errors become answers. Causes and messages from within never reach a caller. */
export function answerTo(error: unknown, failure: Failure, requestId: string): Answer {
  if (error instanceof Refusal) return refusalAnswer(error, requestId);
  if (isAppError(error, 'tenant_forbidden')) {
    return { status: 403, body: { error: 'tenant_forbidden', message: error.message } };
  }
  if (isAppError(error, 'job_not_found')) {
    return { status: 404, body: { error: 'job_not_found', message: error.message, request_id: requestId } };
  }
  if (isAppError(error, 'too_large')) {
    const message = 'The body is larger than what the service can queue';
    return { status: 413, body: { error: 'body_too_large', message, request_id: requestId } };
  }
  const answer: Answer = { status: 500, body: { ...failure, request_id: requestId } };
  const isWorthRetrying = isAppError(error) && (error.retryable || error.code === 'deadline_exceeded');
  return isWorthRetrying ? { ...answer, headers: { 'Retry-After': retryAfterSeconds } } : answer;
}

function refusalAnswer({ status, error, message, headers, problems }: Refusal, requestId: string): Answer {
  if (status === 422) return { status, headers, body: { detail: problems } };
  if (status === 401) return { status, headers, body: { error, message } };
  return { status, headers, body: { error, message, request_id: requestId } };
}

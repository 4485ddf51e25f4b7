import { type ServiceError, status } from '@grpc/grpc-js';
import { AppError, type CallContext, isAppError } from '@whetstone/platform';

import { readDetails } from '../error-details.js';
import { callees, type RpcServiceName } from '../rpc-services.js';

/**
 * The error of a call that was not answered with a result.
 *
 * What carries details is what the service itself said, word for word. Everything else came from something in between:
 * a connection, a proxy, a process that is no service of ours. Then the callee is away, which waiting may mend, unless
 * the caller itself has ended the call.
 */
export function errorOfCall(callee: RpcServiceName, error: ServiceError, { signal, deadline }: CallContext): AppError {
  if (signal?.aborted) return reasonOf(signal);
  const { code, details } = error;
  const told = readDetails(error.metadata);
  // A service that gives up because it stops, or hears of a caller's end that was not one, has not answered either.
  if (told && told.code !== 'cancelled') return told;
  if (code === status.DEADLINE_EXCEEDED && deadline !== undefined) {
    return new AppError('deadline_exceeded', `The ${callee} did not answer in time`, { cause: error });
  }
  if (code === status.RESOURCE_EXHAUSTED && details.includes('larger than')) {
    return new AppError('too_large', `A message to or from the ${callee} is larger than it may be`, { cause: error });
  }
  return new AppError(callees[callee].unavailable, `The ${callee} does not answer`, { retryable: true, cause: error });
}

function reasonOf({ reason }: AbortSignal): AppError {
  return isAppError(reason) ? reason : new AppError('cancelled', 'The call was cancelled', { cause: reason });
}

export function unreadableAnswer(callee: RpcServiceName, cause: unknown): AppError {
  return new AppError('internal', `An answer of the ${callee} cannot be read`, { cause });
}

import { type ServerErrorResponse, status } from '@grpc/grpc-js';
import { AppError, isAppError } from '@whetstone/platform';

import { statusOfCode } from '../error-codes.js';
import { detailsOf } from '../error-details.js';

/** How a call ended that has no result, as gRPC takes it. */
export type FailedCall = ServerErrorResponse & { code: status };

/** What is no error of the domain is a mistake of this service: that is all its caller gets to know. */
export function failureOf(error: unknown): FailedCall {
  const told = isAppError(error) ? error : new AppError('internal', 'Something went wrong there');
  return { ...reply(statusOfCode[told.code], told.message), metadata: detailsOf(told) };
}

/** For calls that end because this server does: another one answers them. Without details, which only answers have. */
export function stoppedCall(): FailedCall {
  return reply(status.UNAVAILABLE, 'The server stops');
}

function reply(code: status, details: string): FailedCall {
  // For people with a command-line client. It goes into a header, where a lone surrogate would throw: the trip through
  // bytes mends it.
  const text = Buffer.from(details.slice(0, 200)).toString();
  return { name: 'ServiceError', message: text, code, details: text };
}

/** Of the service, not of its caller: to be looked at here. */
export function isFault(code: status): boolean {
  return [status.INTERNAL, status.UNAVAILABLE, status.UNKNOWN, status.UNIMPLEMENTED, status.DATA_LOSS].includes(code);
}

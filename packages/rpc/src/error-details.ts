import { Metadata } from '@grpc/grpc-js';
import { AppError } from '@whetstone/platform';

import { isErrorCode, worthAskingAnother } from './error-codes.js';

const detailsKey = 'whetstone-error-bin';
/** A negative pushback tells the caller's retry policy to let it be. */
const pushbackKey = 'grpc-retry-pushback-ms';
/** Trailers are headers, and those have room for little. */
const longestMessage = 1000;

/** What of an error its caller gets to see: never the cause. */
export function detailsOf({ code, retryable, message }: AppError): Metadata {
  const metadata = new Metadata();
  const details = { code, retryable, message: message.slice(0, longestMessage) };
  metadata.set(detailsKey, Buffer.from(JSON.stringify(details)));
  if (!worthAskingAnother.has(code)) metadata.set(pushbackKey, '-1');
  return metadata;
}

/** The error that a service of ours answered with; undefined where something else than a service of ours ended the call. */
export function readDetails(metadata: Metadata | undefined): AppError | undefined {
  const [bytes] = metadata?.get(detailsKey) ?? [];
  if (!Buffer.isBuffer(bytes)) return undefined;
  try {
    const { code, retryable, message } = JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
    // A newer service may know a code that this one does not.
    const known = isErrorCode(code) ? code : 'internal';
    return new AppError(known, String(message), { retryable: retryable === true });
  } catch {
    return undefined;
  }
}

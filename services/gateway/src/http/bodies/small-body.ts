import { unpackedBytes } from '@whetstone/event-log';
import { Refusal } from '../refusals.js';
import { type SentBody, smallBodyBytes } from './receive-body.js';
import { unpackBody } from './unpack-body.js';

/** The size when unpacked, as the body itself declares it. */
export function declaredBytes({ bytes, isZipped }: SentBody): number {
  return isZipped ? unpackedBytes(bytes) : bytes.length;
}

/** The body unpacked, or nothing if it is large. Whatever size it declares, it is not unpacked beyond a small one. */
export function unpackSmallBody(body: SentBody, maxBytes: number): Buffer | undefined {
  if (body.bytes.length > smallBodyBytes || declaredBytes(body) > smallBodyBytes) return undefined;
  try {
    return unpackBody(body, Math.min(smallBodyBytes, maxBytes));
  } catch (error) {
    if (error instanceof Refusal && error.status === 413) return undefined;
    throw error;
  }
}

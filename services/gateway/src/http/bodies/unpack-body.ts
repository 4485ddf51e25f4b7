import { gunzipSync } from 'node:zlib';
import { problem } from '@whetstone/contracts';
import { bodyTooLarge, invalid } from '../refusals.js';
import type { SentBody } from './receive-body.js';

/** Unpacks the body, or throws a Refusal with 413 or 422. Unpacks nothing beyond the limit. */
export function unpackBody({ bytes, isZipped }: SentBody, maxBytes: number): Buffer {
  if (!isZipped || bytes.length === 0) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw bodyTooLarge(maxBytes);
    throw invalid([problem('json_invalid', ['body', 0])]);
  }
}

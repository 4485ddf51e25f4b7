import { promisify } from 'node:util';
import { gunzip, gunzipSync, gzip, gzipSync } from 'node:zlib';

import { AppError } from '@whetstone/platform/worker';

export interface EncodeOptions {
  gzip?: boolean;
}

/** Smaller values are not worth compressing: it would delay the acknowledgement more than it saves. */
export const worthPackingBytes = 8 * 1024;
/** Below this, zlib takes less time than a trip through the thread pool. */
const smallBytes = 16 * 1024;
/** An empty gzip stream. */
const leastGzipBytes = 18;
/** Limit for one decompressed message: far above the largest body, far below what would hurt the process. */
const maxDecodedBytes = 64 * 1024 * 1024;
/** The fastest level: a higher one takes twice the time on the way to the 202 and saves a few per cent. */
const compression = { level: 1 };
const expansion = { maxOutputLength: maxDecodedBytes };

const gzipAsync = promisify(gzip);
const gunzipAsync = promisify(gunzip) as (bytes: Uint8Array, options: typeof expansion) => Promise<Buffer>;

/** Encodes a log value as JSON, gzipped if requested and worth it. */
export function encodeMessage(value: unknown, options?: EncodeOptions): Promise<Uint8Array> {
  return encodeJson(Buffer.from(JSON.stringify(value)), options);
}

/** Encodes a log value that is JSON already. */
export async function encodeJson(json: Uint8Array, { gzip: zipped = false }: EncodeOptions = {}): Promise<Uint8Array> {
  return !zipped || json.length <= smallBytes ? encodeJsonSync(json, { gzip: zipped }) : gzipAsync(json, compression);
}

/** Synchronous version for worker threads. */
export function encodeJsonSync(json: Uint8Array, { gzip: zipped = false }: EncodeOptions = {}): Uint8Array {
  return !zipped || json.length < worthPackingBytes ? json : gzipSync(json, compression);
}

/** The JSON that `encodeJson` encoded. */
export async function decodeJson(bytes: Uint8Array): Promise<Uint8Array> {
  return isGzip(bytes) ? unzip(bytes) : bytes;
}

/**
 * Reads what `encodeMessage` wrote, gzipped or not. Rejects with AppError `too_large` for messages that decompress to more than
 * 64 MiB, and `invalid_argument` for anything that is not a message.
 */
export async function decodeMessage<Value>(bytes: Uint8Array): Promise<Value> {
  try {
    return parse<Value>(await decodeJson(bytes));
  } catch (cause) {
    throw noMessage(cause);
  }
}

/** Synchronous version for worker threads. Throws what `decodeMessage` rejects with. */
export function decodeMessageSync<Value>(bytes: Uint8Array): Value {
  try {
    return parse<Value>(isGzip(bytes) ? gunzipSync(bytes, expansion) : bytes);
  } catch (cause) {
    throw noMessage(cause);
  }
}

/** Size after decompression, as the message itself declares it. */
export function unpackedBytes(bytes: Uint8Array): number {
  return isGzip(bytes) && bytes.length >= leastGzipBytes ? declaredBytes(bytes) : bytes.length;
}

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** A small input may decompress to a large one. It declares its size; a false declaration costs at most the limit. */
async function unzip(bytes: Uint8Array): Promise<Uint8Array> {
  const isSmall = bytes.length >= leastGzipBytes && bytes.length <= smallBytes && declaredBytes(bytes) <= smallBytes;
  return isSmall ? gunzipSync(bytes, { maxOutputLength: smallBytes }) : gunzipAsync(bytes, expansion);
}

/** The size that gzip declares in its last four bytes. */
function declaredBytes(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(bytes.byteLength - 4, true);
}

function parse<Value>(json: Uint8Array): Value {
  return JSON.parse(new TextDecoder().decode(json)) as Value;
}

function noMessage(cause: unknown): AppError {
  if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
    return new AppError('too_large', `A message unpacks to more than ${maxDecodedBytes} bytes`, { cause });
  }
  return new AppError('invalid_argument', 'Log value is not a readable message', { cause });
}

import { promisify } from 'node:util';
import { gunzip, gunzipSync, gzip, gzipSync } from 'node:zlib';

import { AppError } from '@whetstone/platform/worker';

export interface EncodeOptions {
  gzip?: boolean;
}

/** Below this, the time that packing takes on the way to an acknowledgement is worth more than the room it saves. */
const worthPackingBytes = 8 * 1024;
/** Below this, zlib takes less time than a trip through the thread pool. */
const smallBytes = 16 * 1024;
/** Head and foot of gzip with nothing between them. */
const leastGzipBytes = 18;
/** What may come out of one message: far above the largest body, far below what hurts the process. */
const maxDecodedBytes = 64 * 1024 * 1024;
/** The fastest level: a higher one takes twice the time on the way to the 202 and saves a few per cent. */
const compression = { level: 1 };
const expansion = { maxOutputLength: maxDecodedBytes };

const gzipAsync = promisify(gzip);
const gunzipAsync = promisify(gunzip) as (bytes: Uint8Array, options: typeof expansion) => Promise<Buffer>;

/** A value of the log: JSON, gzipped where that is asked for and worth it. */
export async function encodeMessage(value: unknown, { gzip: zipped = false }: EncodeOptions = {}): Promise<Uint8Array> {
  const json = Buffer.from(JSON.stringify(value));
  if (!zipped || json.length < worthPackingBytes) return json;
  return json.length <= smallBytes ? gzipSync(json, compression) : gzipAsync(json, compression);
}

/**
 * Reads what `encodeMessage` wrote, gzipped or not. Rejects with AppError `too_large` for what would unpack to more than
 * 64 MiB, and `invalid_argument` for what is no message.
 */
export async function decodeMessage<Value>(bytes: Uint8Array): Promise<Value> {
  try {
    return parse<Value>(isGzip(bytes) ? await unzip(bytes) : bytes);
  } catch (cause) {
    throw noMessage(cause);
  }
}

/** The same for a thread that has nothing else to do meanwhile. Throws what `decodeMessage` rejects with. */
export function decodeMessageSync<Value>(bytes: Uint8Array): Value {
  try {
    return parse<Value>(isGzip(bytes) ? gunzipSync(bytes, expansion) : bytes);
  } catch (cause) {
    throw noMessage(cause);
  }
}

/** How many bytes `decodeMessage` has to read once they are unpacked, as far as the message itself tells. */
export function unpackedBytes(bytes: Uint8Array): number {
  return isGzip(bytes) && bytes.length >= leastGzipBytes ? declaredBytes(bytes) : bytes.length;
}

/** Whether it is packed already. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** A small input may unpack to a large one: it says how large, and a lie costs at most the bound. */
async function unzip(bytes: Uint8Array): Promise<Uint8Array> {
  const isSmall = bytes.length >= leastGzipBytes && bytes.length <= smallBytes && declaredBytes(bytes) <= smallBytes;
  return isSmall ? gunzipSync(bytes, { maxOutputLength: smallBytes }) : gunzipAsync(bytes, expansion);
}

/** What gzip says in its last four bytes. */
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
  return new AppError('invalid_argument', 'A value of the log is not a message', { cause });
}

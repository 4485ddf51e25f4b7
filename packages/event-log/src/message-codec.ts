import { promisify } from 'node:util';
import { gunzip, gunzipSync, gzip, gzipSync } from 'node:zlib';

import { AppError } from '@whetstone/platform';

export interface EncodeOptions {
  gzip?: boolean;
}

/** Below this, the time that packing takes on the way to an acknowledgement is worth more than the room it saves. */
const worthPackingBytes = 8 * 1024;
/** Below this, zlib takes less time than a trip through the thread pool. */
const smallBytes = 16 * 1024;
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
    const json = isGzip(bytes) ? await unzip(bytes) : bytes;
    return JSON.parse(new TextDecoder().decode(json)) as Value;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new AppError('too_large', `A message unpacks to more than ${maxDecodedBytes} bytes`, { cause });
    }
    throw new AppError('invalid_argument', 'A value of the log is not a message', { cause });
  }
}

/** Whether it is packed already. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** A small input may unpack to a large one: its last four bytes say how large, and a lie costs at most the bound. */
async function unzip(bytes: Uint8Array): Promise<Uint8Array> {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isSmall = view.length >= 18 && view.length <= smallBytes && view.readUInt32LE(view.length - 4) <= smallBytes;
  return isSmall ? gunzipSync(view, { maxOutputLength: smallBytes }) : gunzipAsync(view, expansion);
}

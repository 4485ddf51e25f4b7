import { promisify } from 'node:util';
import { gunzip, gunzipSync, gzip, gzipSync } from 'node:zlib';

import kafkajs from 'kafkajs';

/** Below this, zlib takes less time than a trip through the thread pool. */
const smallBytes = 16 * 1024;
/** The fastest level: appends wait for it. */
const compression = { level: 1 };
const gzipAsync = promisify<Uint8Array, typeof compression, Buffer>(gzip);
const gunzipAsync = promisify<Uint8Array, Buffer>(gunzip);

/** Batches are packed and unpacked as fast as zlib can. The codecs of kafkajs are one table for the whole process. */
export function useFastGzip(): void {
  kafkajs.CompressionCodecs[kafkajs.CompressionTypes.GZIP] = () => ({
    compress: async ({ buffer }: { buffer: Buffer }) =>
      buffer.length <= smallBytes ? gzipSync(buffer, compression) : gzipAsync(buffer, compression),
    decompress: async (buffer: Buffer) => (buffer.length <= smallBytes / 4 ? gunzipSync(buffer) : gunzipAsync(buffer)),
  });
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

import { problem } from '@whetstone/contracts';
import { AppError } from '@whetstone/platform';

import { bodyTooLarge, invalid, unsupportedEncoding, unsupportedMediaType } from '../refusals.js';

const gunzipAsync = promisify(gunzip) as (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;
const jsonType = /^\s*(?:application\/json|[\w.+-]+\/[\w.-]+\+json)\s*(?:;|$)/i;
const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i;

/** Reads and unpacks the body, or throws a Refusal with 413, 415 or 422. Keeps and unpacks nothing beyond the limit. */
export async function readBody(req: IncomingMessage, res: ServerResponse, maxBytes: number): Promise<Buffer> {
  const isZipped = isGzip(req.headers['content-encoding']);
  // Gzip makes incompressible data slightly larger.
  const maxSent = isZipped ? maxBytes + Math.ceil(maxBytes / 1000) + 1024 : maxBytes;
  if (Number(req.headers['content-length'] ?? 0) > maxSent) throw bodyTooLarge(maxBytes);
  checkType(req.headers['content-type']);

  if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue();
  const sent = await collect(req, maxSent, maxBytes);
  return isZipped && sent.length > 0 ? unzip(sent, maxBytes) : sent;
}

function isGzip(encoding = ''): boolean {
  const name = encoding.trim().toLowerCase();
  if (name === 'gzip' || name === 'x-gzip') return true;
  if (name === '' || name === 'identity') return false;
  throw unsupportedEncoding();
}

function checkType(type = ''): void {
  if (type.trim() === '') return;
  const [, name = 'utf-8'] = charset.exec(type) ?? [];
  if (!jsonType.test(type) || !/^(?:utf-?8|us-ascii)$/i.test(name)) throw unsupportedMediaType();
}

function collect(req: IncomingMessage, maxSent: number, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    req.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxSent) {
        chunks.push(chunk);
        return;
      }
      // Keep discarding, so that a client that sends everything first can still read the answer.
      chunks.length = 0;
      reject(bodyTooLarge(maxBytes));
    });
    req.on('end', () => {
      const [first] = chunks;
      resolve(first && chunks.length === 1 ? first : Buffer.concat(chunks));
    });
    req.on('close', () => {
      if (!req.complete) reject(new AppError('cancelled', 'The client disconnected before sending its whole body'));
    });
  });
}

async function unzip(sent: Buffer, maxBytes: number): Promise<Buffer> {
  try {
    return await gunzipAsync(sent, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw bodyTooLarge(maxBytes);
    throw invalid([problem('json_invalid', ['body', 0])]);
  }
}

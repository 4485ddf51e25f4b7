import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@whetstone/platform';
import { bodyTooLarge, stalled, unsupportedEncoding, unsupportedMediaType } from '../refusals.js';
import type { Holding } from './bytes-in-flight.js';

/** Bodies up to this size are read on the event loop: the costliest takes a few milliseconds. Only larger ones are counted. */
export const smallBodyBytes = 16 * 1024;

/** A body as it was sent. */
export interface SentBody {
  bytes: Buffer;
  isZipped: boolean;
}

export interface ReceiveLimits {
  /** Of the body when unpacked. */
  maxBytes: number;
  /** A body of which nothing arrives for so long is refused. */
  stallMs: number;
}

const jsonType = /^\s*(?:application\/json|[\w.+-]+\/[\w.-]+\+json)\s*(?:;|$)/i;
const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i;

/** Receives the body, or throws a Refusal with 408, 413, 415, 429 or 503. Keeps nothing beyond the limit. */
export async function receiveBody(
  req: IncomingMessage,
  res: ServerResponse,
  holding: Holding,
  limits: ReceiveLimits,
): Promise<SentBody> {
  const { maxBytes } = limits;
  const isZipped = isGzip(req.headers['content-encoding']);
  // Gzip makes incompressible data slightly larger.
  const maxSent = isZipped ? maxBytes + Math.ceil(maxBytes / 1000) + 1024 : maxBytes;
  const declared = Number(req.headers['content-length'] ?? 0);
  if (declared > maxSent) throw bodyTooLarge(maxBytes);
  checkType(req.headers['content-type']);
  if (declared > smallBodyBytes) holding.take(declared);

  if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue();
  const bytes = await collect(req, { ...limits, maxSent, declared, holding });
  return { bytes, isZipped };
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

interface CollectOptions extends ReceiveLimits {
  maxSent: number;
  /** What the client announced; 0 if it sends chunks. */
  declared: number;
  holding: Holding;
}

function collect(req: IncomingMessage, options: CollectOptions): Promise<Buffer> {
  const { maxSent, maxBytes, declared, holding, stallMs } = options;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let taken = Math.max(declared, smallBodyBytes);
    const timer = setTimeout(() => refuse(stalled(stallMs)), stallMs).unref();

    req.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxSent) return refuse(bodyTooLarge(maxBytes));
      timer.refresh();
      try {
        if (bytes > taken) holding.take(bytes - taken);
        taken = Math.max(taken, bytes);
        chunks.push(chunk);
      } catch (error) {
        refuse(error);
      }
    });
    req.on('end', () => {
      clearTimeout(timer);
      const [first] = chunks;
      resolve(first && chunks.length === 1 ? first : Buffer.concat(chunks));
    });
    req.on('close', () => {
      clearTimeout(timer);
      if (!req.complete) reject(new AppError('cancelled', 'The client disconnected before sending its whole body'));
    });

    /** Keeps discarding, so that a client that sends everything first can still read the answer. */
    function refuse(error: unknown): void {
      clearTimeout(timer);
      chunks.length = 0;
      bytes = Number.POSITIVE_INFINITY;
      reject(error);
    }
  });
}

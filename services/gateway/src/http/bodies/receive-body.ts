import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@whetstone/platform';
import { bodyTooLarge, stalled, tooManyChunks, unsupportedEncoding, unsupportedMediaType } from '../refusals.js';
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
  /** Each takes about a microsecond of the event loop, however small it is. */
  maxChunks: number;
  /** What is accepted besides JSON. */
  takes?: 'lines' | 'protobuf';
}

interface Receiving {
  holding: Holding;
  /** Called with the number of chunks in which the body came, also if it is refused. */
  onChunks(count: number): void;
}

const jsonType = /^\s*(?:application\/json|[\w.+-]+\/[\w.-]+\+json)\s*(?:;|$)/i;
const protobufType = /^\s*application\/x-protobuf\s*(?:;|$)/i;
const linesType = /^\s*application\/(?:x-)?ndjson\s*(?:;|$)/i;
const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i;

/** Receives the body, or throws a Refusal with 408, 413, 415, 429 or 503. Keeps nothing beyond the limit. */
export async function receiveBody(
  req: IncomingMessage,
  res: ServerResponse,
  limits: ReceiveLimits,
  receiving: Receiving,
): Promise<SentBody> {
  const { maxBytes } = limits;
  const isZipped = isGzip(req.headers['content-encoding']);
  // Gzip makes incompressible data slightly larger.
  const maxSent = isZipped ? maxBytes + Math.ceil(maxBytes / 1000) + 1024 : maxBytes;
  const declared = Number(req.headers['content-length'] ?? 0);
  if (declared > maxSent) throw bodyTooLarge(maxBytes);
  checkType(req.headers['content-type'], limits);
  if (declared > smallBodyBytes) receiving.holding.take(declared);

  if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue();
  const bytes = await collect(req, limits, receiving, { maxSent, declared });
  return { bytes, isZipped };
}

function isGzip(encoding = ''): boolean {
  const name = encoding.trim().toLowerCase();
  if (name === 'gzip' || name === 'x-gzip') return true;
  if (name === '' || name === 'identity') return false;
  throw unsupportedEncoding();
}

export function isProtobuf(type = ''): boolean {
  return protobufType.test(type);
}

function checkType(type = '', { takes }: Pick<ReceiveLimits, 'takes'>): void {
  if (type === 'application/json' || type.trim() === '' || (takes === 'protobuf' && isProtobuf(type))) return;
  const [, name = 'utf-8'] = charset.exec(type) ?? [];
  const isAccepted = jsonType.test(type) || (takes === 'lines' && linesType.test(type));
  if (isAccepted && /^(?:utf-?8|us-ascii)$/i.test(name)) return;
  throw unsupportedMediaType(takes);
}

interface SentSize {
  maxSent: number;
  /** What the client announced; 0 if it sends chunks. */
  declared: number;
}

const nothing = Buffer.alloc(0);

function collect(
  req: IncomingMessage,
  { maxBytes, maxChunks, stallMs }: ReceiveLimits,
  { holding, onChunks }: Receiving,
  { maxSent, declared }: SentSize,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let body: Buffer = nothing;
    let bytes = 0;
    let chunks = 0;
    let isRefused = false;
    let taken = Math.max(declared, smallBodyBytes);
    const timer = setTimeout(() => refuse(stalled(stallMs)), stallMs).unref();

    req.on('data', (chunk: Buffer) => {
      if (isRefused) return;
      bytes += chunk.length;
      chunks += 1;
      if (bytes > maxSent) return refuse(bodyTooLarge(maxBytes));
      if (chunks > maxChunks) {
        refuse(tooManyChunks(maxChunks));
        // Discarding them would take as long as keeping them.
        req.pause();
        return;
      }
      timer.refresh();
      try {
        if (bytes > taken) holding.take(bytes - taken);
        taken = Math.max(taken, bytes);
        add(chunk);
      } catch (error) {
        refuse(error);
      }
    });
    req.on('end', () => {
      if (isRefused) return;
      clearTimeout(timer);
      onChunks(chunks);
      resolve(body.length === bytes ? body : body.subarray(0, bytes));
    });
    req.on('close', () => {
      clearTimeout(timer);
      if (!req.complete) reject(new AppError('cancelled', 'The client disconnected before sending its whole body'));
    });

    /** Copies all but an only chunk: kept ones would keep the memory that they were read into, much larger than a small chunk. */
    function add(chunk: Buffer): void {
      if (bytes === chunk.length) {
        body = chunk;
        return;
      }
      if (bytes > body.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(declared, Math.min(2 * bytes, maxSent)));
        body.copy(larger, 0, 0, bytes - chunk.length);
        body = larger;
      }
      chunk.copy(body, bytes - chunk.length);
    }

    /** Keeps discarding, so that a client that sends everything first can still read the answer. */
    function refuse(error: unknown): void {
      clearTimeout(timer);
      onChunks(chunks);
      body = nothing;
      isRefused = true;
      reject(error);
    }
  });
}

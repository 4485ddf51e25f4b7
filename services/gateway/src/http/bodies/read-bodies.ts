import type { IncomingMessage } from 'node:http';
import { type Problem, tooLong, type UploadToAppend } from '@whetstone/contracts';
import type { SecretKind } from '@whetstone/platform/redaction';
import type { Response } from 'express';
import type { ReadInput } from '../../domain/enhance-task.js';
import type { RedactionOptions } from '../../domain/redactor.js';
import { callerOf, exchangeOf } from '../exchange.js';
import { invalid, Refusal } from '../refusals.js';
import type { BatchPiece } from './batch-lines.js';
import type { BodyThreads } from './body-threads.js';
import type { BodyAnswer, BodyCalls, EncodedUpload, ReadPiece } from './body-worker.js';
import type { BytesInFlight } from './bytes-in-flight.js';
import type { McpMessage } from './mcp-message.js';
import { type BodyOf, createBodyPreparation, type PreparedUpload, type SmallBody } from './prepare-body.js';
import { largestTraces, type ReadTraces } from './read-traces.js';
import { isProtobuf, type ReceiveLimits, receiveBody, type SentBody, smallBodyBytes } from './receive-body.js';
import { declaredBytes, unpackSmallBody } from './small-body.js';
import { unpackBody } from './unpack-body.js';

/** An upload to be queued. The interaction of a large one is packed already. */
export interface ReadUpload extends Omit<PreparedUpload, 'interaction'> {
  interaction: UploadToAppend['interaction'];
}

/** A batch that has been received, to be read piece by piece. */
export interface ReadBatch {
  pieces: BatchPiece[];
  /** Throws a Refusal with 503 if its turn did not come in time or its thread failed. */
  read(piece: BatchPiece): Promise<ReadPiece>;
}

/** Receives, validates and redacts bodies, or throws Refusals. */
export interface ReadBodies {
  upload(req: IncomingMessage, res: Response, headerProblems: Problem[]): Promise<ReadUpload>;
  input(req: IncomingMessage, res: Response, queryProblems: Problem[]): Promise<ReadInput>;
  /** @param tenantId the collection in the address */
  mcp(req: IncomingMessage, res: Response, tenantId: string): Promise<McpMessage<ReadUpload>>;
  small<Name extends SmallBody>(
    req: IncomingMessage,
    res: Response,
    name: Name,
    queryProblems?: Problem[],
  ): Promise<BodyOf<Name>>;
  batch(req: IncomingMessage, res: Response, headerProblems: Problem[]): Promise<ReadBatch>;
  traces(req: IncomingMessage, res: Response): Promise<ReadTraces & { isProtobuf: boolean }>;
}

interface ReadBodiesOptions {
  /** Of a body when unpacked. */
  maxBytes: number;
  maxBatchBytes: number;
  stallMs: number;
  inFlight: BytesInFlight;
  redaction: RedactionOptions;
  threads: BodyThreads;
  /** How long a large body may wait for a thread. */
  waitMs: number;
  onSecret(kind: SecretKind, count: number): void;
  /** Called with what a body took: its size when unpacked, and the time to read it. */
  onWork(keyId: string, bytes: number, workMs: number): void;
}

/** The search for a task reads its text again: a character costs as much as so many bytes of a body. */
const searchCost = 3;
/** What receiving a chunk takes, in bytes. */
const chunkCost = 128;
/** What queueing a line of a batch, or the spans of a trace, takes on the event loop, in bytes. */
const lineCost = 4096;
const maxChunks = 16_384;
/** Clients that read lines from somewhere often send each as a chunk. */
const maxChunksOfBatch = 4 * maxChunks;
/** No small body takes longer to read: if it seems so, the event loop had to wait for a core. */
const longestMsPerByte = 200e-6;

export function createReadBodies(options: ReadBodiesOptions): ReadBodies {
  const { inFlight, maxBytes, maxBatchBytes, redaction, stallMs, threads, waitMs, onSecret, onWork } = options;
  const limits: ReceiveLimits = { maxBytes, stallMs, maxChunks };
  const smallLimits: ReceiveLimits = { ...limits, maxBytes: Math.min(smallBodyBytes, maxBytes) };
  const longLine: ReadPiece = {
    lines: [{ problems: [tooLong(['body'], maxBytes, `${maxBytes} bytes`)] }],
    interactions: new Uint8Array(),
    secrets: [],
  };
  const batchLimits = { maxBytes: maxBatchBytes, stallMs, maxChunks: maxChunksOfBatch, takes: 'lines' } as const;
  const maxTracesBytes = largestTraces(maxBytes, maxBatchBytes);
  const tracesLimits = { ...batchLimits, maxBytes: maxTracesBytes, takes: 'protobuf' } as const;
  const preparation = createBodyPreparation((kind) => onSecret(kind, 1), redaction, { compileNow: true });

  return {
    async upload(req, res, headerProblems) {
      const body = await receive(req, res, limits);
      const small = unpackSmallBody(body, maxBytes);
      if (small) return here(res, small, () => preparation.upload(small, headerProblems));
      return withSecretsCounted(await inThread(res, 'upload', { body, headerProblems }));
    },
    async mcp(req, res, tenantId) {
      const body = await receive(req, res, limits);
      const small = unpackSmallBody(body, maxBytes);
      const { message, call } = small
        ? here(res, small, (): McpMessage<ReadUpload | EncodedUpload> => preparation.mcp(small, tenantId))
        : await inThread(res, 'mcp', { body, tenantId });
      if (call?.name === 'get_recommendations') {
        onWork(callerOf(res).keyId, searchCost * call.input.input_text.length, 0);
      }
      if (call?.name !== 'record_run') return { message, ...(call && { call }) };
      return {
        message,
        call: { ...call, upload: 'secrets' in call.upload ? withSecretsCounted(call.upload) : call.upload },
      };
    },
    async input(req, res, queryProblems) {
      const body = await receive(req, res, limits);
      const small = unpackSmallBody(body, maxBytes);
      const input: ReadInput = small
        ? here(res, small, () => preparation.input(small, queryProblems))
        : await inThread(res, 'input', { body, queryProblems });
      onWork(callerOf(res).keyId, searchCost * input.input_text.length, 0);
      return input;
    },
    async small(req, res, name, queryProblems = []) {
      const bytes = unpackBody(await receive(req, res, smallLimits), smallLimits.maxBytes);
      return here(res, bytes, () => preparation.small(bytes, name, queryProblems));
    },
    async batch(req, res, headerProblems) {
      const body = await receive(req, res, batchLimits);
      if (headerProblems.length > 0) throw invalid(headerProblems);
      const { bytes, pieces } = await inThread(res, 'batch', { body });
      return {
        pieces,
        async read({ start, end, lines }) {
          if (end - start > maxBytes) return longLine;
          const sent = { bytes: Buffer.from(bytes.subarray(start, end)), isZipped: false };
          const piece = await inThread(res, 'lines', { body: sent }, lines.length * lineCost);
          for (const [kind, count] of piece.secrets) onSecret(kind, count);
          return piece;
        },
      };
    },
    async traces(req, res) {
      const { 'content-type': type, 'x-whetstone-tenant': tenantId } = req.headers;
      const options = {
        isProtobuf: isProtobuf(type),
        ...(typeof tenantId === 'string' && tenantId !== '' && { tenantId }),
      };
      const body = await receive(req, res, tracesLimits);
      const small = unpackSmallBody(body, maxBytes);
      const { secrets, ...read } = small
        ? { ...here(res, small, () => preparation.traces(small, options)), secrets: [] }
        : await inThread(res, 'traces', { body, options });
      for (const [kind, count] of secrets) onSecret(kind, count);
      onWork(callerOf(res).keyId, read.traces.length * lineCost, 0);
      return { ...read, isProtobuf: options.isProtobuf };
    },
  };

  function withSecretsCounted({ secrets, ...upload }: EncodedUpload): ReadUpload {
    for (const [kind, count] of secrets) onSecret(kind, count);
    return upload;
  }

  async function receive(req: IncomingMessage, res: Response, limits: ReceiveLimits): Promise<SentBody> {
    const holding = inFlight.open(callerOf(res).account);
    res.once('close', holding.release);
    const onChunks = (count: number) => onWork(callerOf(res).keyId, count * chunkCost, 0);
    const body = await receiveBody(req, res, limits, { holding, onChunks });
    const unpacked = declaredBytes(body);
    exchangeOf(res).bodyBytes = unpacked;
    // One that declares too much is refused by its thread.
    const counts = unpacked > Math.max(smallBodyBytes, body.bytes.length) && unpacked <= limits.maxBytes;
    if (counts) holding.take(unpacked - body.bytes.length);
    return body;
  }

  function here<Made>(res: Response, { length }: Buffer, make: () => Made): Made {
    const startedMs = performance.now();
    try {
      return make();
    } finally {
      const workMs = Math.min(performance.now() - startedMs, length * longestMsPerByte);
      onWork(callerOf(res).keyId, length, workMs);
    }
  }

  async function inThread<Method extends keyof BodyCalls>(
    res: Response,
    method: Method,
    given: BodyCalls[Method]['given'],
    costBytes?: number,
  ): Promise<BodyCalls[Method]['made']> {
    const { account, keyId } = callerOf(res);
    const { signal } = exchangeOf(res).cancellation;
    const answer: BodyAnswer<BodyCalls[Method]['made']> = await threads.call(method, given, {
      account,
      waitMs,
      signal,
    });
    const { made, refused, unpackedBytes, cpuMs } = answer;
    onWork(keyId, costBytes ?? unpackedBytes, cpuMs);
    if (made) return made;
    const { status, error, message, problems } = refused as Refusal;
    throw new Refusal(status, error, message, { problems });
  }
}

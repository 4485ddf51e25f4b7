import type { IncomingMessage } from 'node:http';
import type { AgentInput, Problem, UploadToAppend } from '@whetstone/contracts';
import type { SecretKind } from '@whetstone/platform/redaction';
import type { Response } from 'express';
import type { RedactionOptions } from '../../domain/redactor.js';
import { callerOf, exchangeOf } from '../exchange.js';
import { Refusal } from '../refusals.js';
import type { BodyThreads } from './body-threads.js';
import type { BodyAnswer, BodyCalls } from './body-worker.js';
import type { BytesInFlight } from './bytes-in-flight.js';
import { type BodyOf, createBodyPreparation, type PreparedUpload, type SmallBody } from './prepare-body.js';
import { type ReceiveLimits, receiveBody, type SentBody, smallBodyBytes } from './receive-body.js';
import { declaredBytes, unpackSmallBody } from './small-body.js';
import { unpackBody } from './unpack-body.js';

/** An upload to be queued. The interaction of a large one is JSON already. */
export interface ReadUpload extends Omit<PreparedUpload, 'interaction'> {
  interaction: UploadToAppend['interaction'];
}

/** Receives, validates and redacts bodies, or throws Refusals. */
export interface ReadBodies {
  upload(req: IncomingMessage, res: Response, headerProblems: Problem[]): Promise<ReadUpload>;
  input(req: IncomingMessage, res: Response): Promise<AgentInput>;
  small<Name extends SmallBody>(req: IncomingMessage, res: Response, name: Name): Promise<BodyOf<Name>>;
}

interface ReadBodiesOptions extends ReceiveLimits {
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
/** No small body takes longer to read: if it seems so, the event loop had to wait for a core. */
const longestMsPerByte = 200e-6;

export function createReadBodies(options: ReadBodiesOptions): ReadBodies {
  const { inFlight, redaction, threads, waitMs, onSecret, onWork, ...limits } = options;
  const preparation = createBodyPreparation((kind) => onSecret(kind, 1), redaction);

  return {
    async upload(req, res, headerProblems) {
      const body = await receive(req, res);
      const small = unpackSmallBody(body, limits.maxBytes);
      if (small) return here(res, small, () => preparation.upload(small, headerProblems));
      const { secrets, ...upload } = await inThread(res, 'upload', { body, headerProblems });
      for (const [kind, count] of secrets) onSecret(kind, count);
      return upload;
    },
    async input(req, res) {
      const body = await receive(req, res);
      const small = unpackSmallBody(body, limits.maxBytes);
      const input = small ? here(res, small, () => preparation.input(small)) : await inThread(res, 'input', { body });
      onWork(callerOf(res).keyId, searchCost * input.input_text.length, 0);
      return input;
    },
    async small(req, res, name) {
      const maxBytes = Math.min(smallBodyBytes, limits.maxBytes);
      const bytes = unpackBody(await receive(req, res, maxBytes), maxBytes);
      return here(res, bytes, () => preparation.small(bytes, name));
    },
  };

  async function receive(req: IncomingMessage, res: Response, maxBytes = limits.maxBytes): Promise<SentBody> {
    const holding = inFlight.open(callerOf(res).account);
    res.once('close', holding.release);
    const onChunks = (count: number) => onWork(callerOf(res).keyId, count * chunkCost, 0);
    const body = await receiveBody(req, res, { ...limits, maxBytes, holding, onChunks });
    const unpacked = declaredBytes(body);
    // One that declares too much is refused by its thread.
    const counts = unpacked > Math.max(smallBodyBytes, body.bytes.length) && unpacked <= maxBytes;
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
  ): Promise<BodyCalls[Method]['made']> {
    const { account, keyId } = callerOf(res);
    const { signal } = exchangeOf(res).cancellation;
    const answer: BodyAnswer<BodyCalls[Method]['made']> = await threads.call(method, given, {
      account,
      waitMs,
      signal,
    });
    const { made, refused, unpackedBytes, cpuMs } = answer;
    onWork(keyId, unpackedBytes, cpuMs);
    if (made) return made;
    const { status, error, message, problems } = refused as Refusal;
    throw new Refusal(status, error, message, { problems });
  }
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LineResult, Problem } from '@whetstone/contracts';
import { AppError, abortable, isAppError, type Logger, settleWithin } from '@whetstone/platform';
import type { SubmitUpload } from '../domain/submit-upload.js';
import type { ReadPiece } from './bodies/body-worker.js';
import type { ReadBatch, ReadBodies } from './bodies/read-bodies.js';
import { logFields } from './exchange.js';
import type { Operation } from './operation.js';
import { readIdempotencyKey } from './operations.js';

interface StoreBatchOptions {
  bodies: ReadBodies;
  submitUpload: SubmitUpload;
  /** Lines that are not queued by then are reported as failed. */
  timeoutMs: number;
  logger: Logger;
}

/** Time to write the answer, after that of the batch. */
const lastWordsMs = 5000;
const retryAfterSeconds = '5';

export function storeBatchOperation({ bodies, submitUpload, timeoutMs, logger }: StoreBatchOptions): Operation {
  return {
    id: 'storeKnowledgeBatch',
    hasBody: true,
    timeoutMs: timeoutMs + lastWordsMs,
    failure: { error: 'queueing_failed', message: 'The uploads could not be queued' },
    async prepare(req, res) {
      const { problems, ...idempotency } = readIdempotencyKey(req);
      const batch = await bodies.batch(req, res, problems);

      return async ({ caller, exchange }) => {
        const submit: Submit = (upload) => submitUpload(caller, { ...upload, ...idempotency });
        const { signal } = exchange.cancellation;
        const { results, error } = await submitBatch(batch, { submit, timeoutMs, signal });
        const { lines, accepted, failed, parts } = await encode(results);
        if (accepted > 0) exchange.used = { uploads: accepted, bytes: exchange.bodyBytes ?? 0 };
        // If nothing was queued, an error says so: all of it can be sent again.
        if (failed > 0 && accepted === 0) throw error;
        if (failed > 0) {
          logger.warn({ err: error, ...logFields(exchange), lines, failed }, 'Part of a batch could not be queued');
        }
        return {
          status: 200,
          body: undefined,
          parts,
          headers: failed > 0 ? { 'Retry-After': retryAfterSeconds } : {},
        };
      };
    },
  };
}

type Submit = (upload: Parameters<SubmitUpload>[1]) => ReturnType<SubmitUpload>;

interface SubmitOptions {
  submit: Submit;
  timeoutMs: number;
  signal: AbortSignal;
}

/** Pieces that threads may read at once. */
const readAhead = 2;
/** Pieces whose appends may be under way. */
const maxUnderWay = 4;

/**
 * Queues one piece while threads read the next ones. Every line counts as failed until it is known to be durable or refused, so
 * that what is not done in time needs no further care.
 */
async function submitBatch({ pieces, read }: ReadBatch, { submit, timeoutMs, signal }: SubmitOptions) {
  const results: LineResult[][] = pieces.map(({ lines }) => lines.map(failedLine));
  let error: unknown = new AppError('deadline_exceeded', `The batch took longer than ${timeoutMs} ms`);
  let isOver = false;
  const settled = await settleWithin(abortable(submitAll(), signal), timeoutMs);
  isOver = true;
  if (settled.status === 'rejected') throw settled.reason;
  return { results, error };

  async function submitAll(): Promise<void> {
    const underWay: Promise<void>[] = [];
    const reading = Array.from({ length: readAhead }, (_, at) => readPiece(at));
    for (let at = 0; at < pieces.length && !isOver; at++) {
      const piece = await reading.shift();
      reading.push(readPiece(at + readAhead));
      // First let the threads go on.
      await nextTurn();
      if (piece && !isOver) underWay.push(queue(piece, results[at] ?? []));
      if (underWay.length >= maxUnderWay) await underWay.shift();
    }
    await Promise.all(underWay);
  }

  /** `undefined` if it cannot be read, or there is none. */
  async function readPiece(at: number): Promise<ReadPiece | undefined> {
    const piece = pieces[at];
    try {
      return piece && !isOver ? await read(piece) : undefined;
    } catch (reason) {
      error = reason;
      return undefined;
    }
  }

  async function queue({ lines, interactions }: ReadPiece, ofPiece: LineResult[]): Promise<void> {
    let end = 0;
    const appends = lines.map(async (one, index) => {
      const { line = 0 } = ofPiece[index] ?? {};
      if (one.problems) {
        ofPiece[index] = { line, status: 'invalid', detail: one.problems };
        return;
      }
      const { bytes, ...upload } = one;
      const start = end;
      end += bytes;
      try {
        const { jobId } = await submit({ ...upload, interaction: interactions.subarray(start, end) });
        ofPiece[index] = { line, status: 'accepted', job_id: jobId };
      } catch (reason) {
        const refused = refusedLine(line, reason);
        if (refused) ofPiece[index] = refused;
        else error = reason;
      }
    });
    await Promise.all(appends);
    const has = (status: LineResult['status']) => ofPiece.some((result) => result.status === status);
    // The log is away. The other pieces would fail too, each after the timeout of an append.
    if (has('failed') && !has('accepted')) isOver = true;
  }
}

function failedLine(line: number): LineResult {
  return { line, status: 'failed', error: 'queueing_failed' };
}

const tooLarge: Problem = { loc: ['body'], msg: 'The line is too large to queue', type: 'string_too_long' };

/** What another try cannot change. */
function refusedLine(line: number, reason: unknown): LineResult | undefined {
  if (isAppError(reason, 'tenant_forbidden')) {
    return { line, status: 'forbidden', error: 'tenant_forbidden', message: reason.message };
  }
  return isAppError(reason, 'too_large') ? { line, status: 'invalid', detail: [tooLarge] } : undefined;
}

/** Of the answer, in one turn of the event loop. */
const partLines = 1000;

/** As JSON, in several turns of the event loop. */
async function encode(results: LineResult[][]) {
  const counts = { lines: 0, accepted: 0, failed: 0 };
  const parts: Buffer[] = [];
  let texts: string[] = [];
  for (const [at, ofPiece] of results.entries()) {
    counts.lines += ofPiece.length;
    for (const { status } of ofPiece) if (status === 'accepted' || status === 'failed') counts[status]++;
    texts.push(JSON.stringify(ofPiece).slice(1, -1));
    if (counts.lines < partLines * (parts.length + 1) && at + 1 < results.length) continue;
    parts.push(Buffer.from(`${parts.length > 0 ? ',' : ''}${texts.join()}`));
    texts = [];
    await nextTurn();
  }
  const { lines, accepted } = counts;
  parts.unshift(Buffer.from(`{"lines":${lines},"accepted":${accepted},"results":[`));
  parts.push(Buffer.from(']}'));
  return { ...counts, parts };
}

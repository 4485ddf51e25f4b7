import { openSync, readSync } from 'node:fs';
import { type Transferable, workerData } from 'node:worker_threads';
import type { AgentInput, Problem } from '@whetstone/contracts';
import { packInteraction } from '@whetstone/event-log/codec';
import type { SecretKind } from '@whetstone/platform/redaction';
import { lowerPriority, moved, serveWorker } from '@whetstone/platform/worker';
import { searchTexts } from '@whetstone/reading/intent';
import type { ReadInput } from '../../domain/enhance-task.js';
import type { RedactionOptions } from '../../domain/redactor.js';
import { Refusal } from '../refusals.js';
import { type BatchLine, type BatchPiece, cutBatch, readLines } from './batch-lines.js';
import type { McpMessage } from './mcp-message.js';
import { createBodyPreparation, type PreparedUpload } from './prepare-body.js';
import { largestTraces, type ReadTraces, type TracesOptions } from './read-traces.js';
import type { SentBody } from './receive-body.js';
import { unpackBody } from './unpack-body.js';

export interface BodyWorkerData {
  /** Of a body when unpacked. */
  maxBytes: number;
  maxBatchBytes: number;
  redaction: RedactionOptions;
}

/** A large upload: its interaction is packed already, so that the event loop has nothing to clone, encode or compress. */
export interface EncodedUpload extends Omit<PreparedUpload, 'interaction'> {
  interaction: Uint8Array<ArrayBuffer>;
  secrets: [SecretKind, number][];
}

/** A batch unpacked, and where its pieces are. */
export interface CutBatch {
  bytes: Uint8Array;
  pieces: BatchPiece[];
}

/** The lines of a piece, with the interactions of the good ones behind each other. */
export interface ReadPiece {
  lines: BatchLine[];
  interactions: Uint8Array;
  secrets: [SecretKind, number][];
}

export interface BodyCalls {
  batch: { given: { body: SentBody }; made: CutBatch };
  lines: { given: { body: SentBody }; made: ReadPiece };
  upload: { given: { body: SentBody; headerProblems: Problem[] }; made: EncodedUpload };
  input: { given: { body: SentBody; queryProblems: Problem[] }; made: ReadInput };
  traces: { given: { body: SentBody; options: TracesOptions }; made: ReadTraces & { secrets: [SecretKind, number][] } };
  mcp: { given: { body: SentBody; tenantId: string }; made: McpMessage<EncodedUpload> };
}

/** What became of a body, and what that took. */
export interface BodyAnswer<Made> {
  unpackedBytes: number;
  cpuMs: number;
  made?: Made;
  refused?: Pick<Refusal, 'status' | 'error' | 'message' | 'problems'>;
}

const { maxBytes, maxBatchBytes, redaction } = workerData as BodyWorkerData;
const schedule = openIfThere('/proc/thread-self/schedstat');
const scheduleText = Buffer.alloc(64);
let secrets = new Map<SecretKind, number>();
const preparation = createBodyPreparation((kind) => secrets.set(kind, (secrets.get(kind) ?? 0) + 1), redaction, {
  compileNow: false,
});

lowerPriority();
serveWorker({
  batch: ({ body }: BodyCalls['batch']['given']) =>
    answer(
      body,
      (unpacked): [CutBatch, Transferable[]] => {
        const pieces = cutBatch(unpacked, maxBytes);
        const { buffer, byteOffset, byteLength } = unpacked;
        return [{ bytes: new Uint8Array(buffer, byteOffset, byteLength), pieces }, [buffer as ArrayBuffer]];
      },
      maxBatchBytes,
    ),
  lines: ({ body }: BodyCalls['lines']['given']) => {
    secrets = new Map();
    return answer(body, (piece): [ReadPiece, Transferable[]] => {
      const { lines, interactions } = readLines(piece, preparation);
      return [{ lines, interactions, secrets: [...secrets] }, [interactions.buffer]];
    });
  },
  upload: ({ body, headerProblems }: BodyCalls['upload']['given']) => {
    secrets = new Map();
    return answer(body, (bytes): [EncodedUpload, Transferable[]] => {
      const upload = encoded(preparation.upload(bytes, headerProblems));
      return [upload, [upload.interaction.buffer]];
    });
  },
  mcp: ({ body, tenantId }: BodyCalls['mcp']['given']) => {
    secrets = new Map();
    return answer(body, (bytes): [McpMessage<EncodedUpload>, Transferable[]] => {
      const { message, call } = preparation.mcp(bytes, tenantId);
      if (call?.name === 'get_recommendations') {
        return [{ message, call: { ...call, input: withSearchTexts(call.input) } }, []];
      }
      if (call?.name !== 'record_run') return [{ message, ...(call && { call }) }, []];
      const upload = encoded(call.upload);
      return [{ message, call: { ...call, upload } }, [upload.interaction.buffer]];
    });
  },
  input: ({ body, queryProblems }: BodyCalls['input']['given']) =>
    answer(body, (bytes): [ReadInput, Transferable[]] => [
      withSearchTexts(preparation.input(bytes, queryProblems)),
      [],
    ]),
  traces: ({ body, options }: BodyCalls['traces']['given']) => {
    secrets = new Map();
    return answer(
      body,
      (bytes): [BodyCalls['traces']['made'], Transferable[]] => {
        const read = preparation.traces(bytes, options);
        return [{ ...read, secrets: [...secrets] }, read.traces.map(({ spans }) => spans.buffer as ArrayBuffer)];
      },
      largestTraces(maxBytes, maxBatchBytes),
    );
  },
});

function answer<Made>(
  { bytes, isZipped }: SentBody,
  make: (bytes: Buffer) => [Made, Transferable[]],
  mostBytes = maxBytes,
) {
  const startedMs = threadCpuMs();
  const sent = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let unpacked = sent;
  const spent = () => ({ unpackedBytes: unpacked.length, cpuMs: threadCpuMs() - startedMs });
  try {
    unpacked = unpackBody({ bytes: sent, isZipped }, mostBytes);
    const [made, transfer] = make(unpacked);
    return moved({ ...spent(), made } satisfies BodyAnswer<Made>, transfer);
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    const { status, error, message, problems } = thrown;
    return { ...spent(), refused: { status, error, message, problems } } satisfies BodyAnswer<Made>;
  }
}

/** Reading a long input takes too long for the event loop of whoever searches for it. */
function withSearchTexts(input: AgentInput): ReadInput {
  return { ...input, searchTexts: searchTexts(input.input_text, input.context ?? {}) };
}

function encoded(upload: PreparedUpload) {
  return {
    ...upload,
    interaction: packInteraction(JSON.stringify(upload.interaction)),
    secrets: [...secrets],
  };
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch {
    return undefined;
  }
}

/** CPU time of this thread on Linux. Elsewhere the time that passes, which is longer while others use the cores. */
function threadCpuMs(): number {
  if (schedule === undefined) return performance.now();
  const length = readSync(schedule, scheduleText, 0, scheduleText.length, 0);
  return Number(scheduleText.toString('latin1', 0, length).split(' ', 1)[0]) / 1e6;
}

import { type AcceptedUpload, topics } from '@whetstone/contracts';
import {
  decodeMessage,
  decryptUpload,
  type EventLog,
  encodeMessage,
  jobIdOfUploadEvent,
  type LogEvent,
  type NewEvent,
  type SealedMessage,
  splitEncrypted,
  toEncryptedUpload,
  toJobLogEvent,
  unpackedBytes,
  uploadKeyOf,
} from '@whetstone/event-log';
import { isAppError, traceHeaders, withSpan } from '@whetstone/platform';
import { takeInHand, takePackedInHand, takeSealedInHand } from '../domain/jobs/read-upload.js';
import type { Delivery, InsightProducer, JobLog, NoUpload, PackedRun, UploadInHand } from '../domain/ports.js';
import type { FindDataKey } from './data-keys.js';

export function createJobLog(log: Pick<EventLog, 'append'>): JobLog {
  return {
    appendEvent: (event) => send(topics.jobs.name, () => toJobLogEvent(event, traceHeaders())),
    appendDeadLetter: (letter) =>
      send(topics.deadLetters.name, async () => {
        const { upload, unreadable } = letter;
        // The key that the upload had, so that it goes the same way when it is replayed.
        const key = upload ? uploadKeyOf(upload.collectionId, upload.jobId) : unreadable.key;
        return { key, value: await encodeMessage(letter, { gzip: true }), headers: traceHeaders() };
      }),
  };

  async function send(topic: string, toEvent: () => Promise<NewEvent>): Promise<void> {
    await withSpan(`send ${topic}`, { kind: 'producer' }, async () => log.append(topic, await toEvent()));
  }
}

/** Decoded here rather than in a thread: takes half a millisecond at most. */
const readHereBytes = 64 * 1024;

export function toDelivery(
  event: LogEvent,
  producer: Pick<InsightProducer, 'outline'>,
  findDataKey: FindDataKey,
): Delivery {
  const { key, value, timestampMs } = event;
  const jobId = jobIdOfUploadEvent(event);
  const appendedAt = timestampMs * 1000;
  return {
    jobId,
    appendedAt,
    read: (signal) => orProblem(() => read(splitEncrypted(value), signal)),
    readToGiveUp: () => orProblem(() => readToGiveUp(splitEncrypted(value))),
    raw: () => ({
      key,
      value: Buffer.from(value).toString('base64'),
      ...(jobId === undefined ? {} : { jobId }),
    }),
  };

  async function read(sealed: SealedMessage | undefined, signal: AbortSignal): Promise<UploadInHand | NoUpload> {
    if (!sealed) return unpackedBytes(value) <= readHereBytes ? readPlain() : readPacked({}, readWhole, signal);
    const closed = takeSealed(sealed);
    if ('problem' in closed) return closed;
    const found = await findDataKey(closed.collectionId, sealed.dataKeyId);
    if (found === 'destroyed') return closed;
    const taken =
      sealed.unpackedBytes > readHereBytes
        ? await readPacked({ key: found }, closed.whole, signal)
        : takeInHand(await decryptUpload(sealed, found), appendedAt, closed.whole);
    return 'problem' in taken ? taken : { ...taken, dataKey: { id: sealed.dataKeyId, bytes: found } };
  }

  async function readToGiveUp(sealed: SealedMessage | undefined): Promise<UploadInHand | NoUpload> {
    return sealed ? takeSealed(sealed) : readPlain();
  }

  function takeSealed(sealed: SealedMessage): UploadInHand | NoUpload {
    return takeSealedInHand(sealed.envelope, appendedAt, () => toEncryptedUpload(sealed));
  }

  async function readPlain(): Promise<UploadInHand | NoUpload> {
    return takeInHand(await readWhole(), appendedAt);
  }

  function readWhole(): Promise<AcceptedUpload> {
    return decodeMessage(value);
  }

  async function readPacked(
    secret: Pick<PackedRun, 'key'>,
    whole: UploadInHand['whole'],
    signal: AbortSignal,
  ): Promise<UploadInHand | NoUpload> {
    const run = { message: alone(value), ...secret };
    return takePackedInHand(await producer.outline(run, signal), run, appendedAt, whole);
  }
}

/** What cannot be decoded is a result. A decoder's error may quote the message, so it stays out of letters and logs. */
async function orProblem(read: () => Promise<UploadInHand | NoUpload>): Promise<UploadInHand | NoUpload> {
  try {
    return await read();
  } catch (error) {
    if (!isAppError(error, 'invalid_argument') && !isAppError(error, 'too_large')) throw error;
    return { problem: error.message };
  }
}

/** Copies a slice of a larger buffer: transferring it would take the whole buffer along. */
function alone(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}

import { topics } from '@whetstone/contracts';
import {
  decodeMessage,
  type EventLog,
  encodeMessage,
  jobIdOfUploadEvent,
  type LogEvent,
  type NewEvent,
  toJobLogEvent,
  unpackedBytes,
  uploadKeyOf,
} from '@whetstone/event-log';
import { isAppError, traceHeaders, withSpan } from '@whetstone/platform';
import { takeInHand, takePackedInHand } from '../domain/jobs/read-upload.js';
import type { Delivery, InsightProducer, JobLog, NoUpload, UploadInHand } from '../domain/ports.js';

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

export function toDelivery(event: LogEvent, producer: Pick<InsightProducer, 'outline'>): Delivery {
  const { key, value, timestampMs } = event;
  const jobId = jobIdOfUploadEvent(event);
  const appendedAt = timestampMs * 1000;
  return {
    jobId,
    appendedAt,
    read: (signal) => (unpackedBytes(value) <= readHereBytes ? readHere() : readPacked(signal)),
    readHere,
    raw: () => ({
      key,
      value: Buffer.from(value).toString('base64'),
      ...(jobId === undefined ? {} : { jobId }),
    }),
  };

  async function readHere(): Promise<UploadInHand | NoUpload> {
    const { decoded, problem } = await decodeMessage(value).then(
      (decoded) => ({ decoded, problem: undefined }),
      // A decoder's error may quote the message, so it stays out of letters and logs.
      (error) => ({ decoded: undefined, problem: isAppError(error) ? error.message : 'The message cannot be decoded' }),
    );
    return problem === undefined ? takeInHand(decoded, appendedAt) : { problem };
  }

  async function readPacked(signal: AbortSignal): Promise<UploadInHand | NoUpload> {
    const run = { message: alone(value) };
    return takePackedInHand(await producer.outline(run, signal), run, appendedAt, () => decodeMessage(value));
  }
}

/** Copies a slice of a larger buffer: transferring it would take the whole buffer along. */
function alone(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}

import {
  type AcceptedUpload,
  type AuditEntry,
  type DeadLetter,
  type EncryptedUpload,
  type JobEvent,
  type Micros,
  type TraceOfSpans,
  topics,
  type UploadToAppend,
  type UsageEvent,
} from '@whetstone/contracts';
import { AppError } from '@whetstone/platform';

import { decodeMessage, encodeMessage } from './message-codec.js';
import { stableHash } from './partition-of.js';
import type { EventLog, LogEvent, NewEvent } from './ports.js';
import { encodeEncrypted, encodePlain, encryptUpload, type UploadKey } from './upload-codec.js';

const jobIdHeader = 'job-id';

/**
 * An accepted upload as an event of the uploads topic, encrypted with `dataKey` if there is one. A header names the job,
 * so that nobody has to decode it for that.
 */
export async function toUploadLogEvent(
  upload: UploadToAppend | EncryptedUpload,
  headers: Record<string, string> = {},
  dataKey?: UploadKey,
): Promise<NewEvent> {
  const { collectionId, jobId } = upload;
  return {
    key: uploadKeyOf(collectionId, jobId),
    value: await encodeUpload(upload, dataKey),
    headers: { ...headers, [jobIdHeader]: jobId },
  };
}

async function encodeUpload(upload: UploadToAppend | EncryptedUpload, dataKey?: UploadKey): Promise<Uint8Array> {
  if ('encrypted' in upload) return encodeEncrypted(upload);
  return dataKey ? encryptUpload(upload, dataKey) : encodePlain(upload);
}

/** The job of an upload event. Two uploads of one job must not be processed at the same time. */
export function jobIdOfUploadEvent({ headers }: Pick<LogEvent, 'headers'>): string | undefined {
  return headers[jobIdHeader];
}

const rootHeader = 'root';
const earlierJobHeader = 'earlier-job-id';
const endHeader = 'end';

/**
 * Spans of a trace as an event of the spans topic, in the form of an upload. All spans of a trace are in one partition.
 */
export async function toSpansLogEvent(
  upload: UploadToAppend,
  { traceId, hasRoot, earlierJobId }: TraceOfSpans,
  dataKey?: UploadKey,
): Promise<NewEvent> {
  return {
    key: `${upload.collectionId}:${traceId}`,
    value: await encodeUpload(upload, dataKey),
    headers: { [jobIdHeader]: upload.jobId, [earlierJobHeader]: earlierJobId, ...(hasRoot && { [rootHeader]: '1' }) },
  };
}

/** Says that the trace is what came before it: whoever reads this has read all of it. */
export function endOfTrace(key: string): NewEvent {
  return { key, value: new Uint8Array(), headers: { [endHeader]: '1' } };
}

export function isEndOfTrace({ headers }: Pick<LogEvent, 'headers'>): boolean {
  return headers[endHeader] !== undefined;
}

export function readSpansEvent({ key, headers }: Pick<LogEvent, 'key' | 'headers'>): Partial<TraceOfSpans> {
  const earlierJobId = headers[earlierJobHeader];
  return {
    traceId: key.slice(key.lastIndexOf(':') + 1),
    hasRoot: headers[rootHeader] !== undefined,
    ...(earlierJobId !== undefined && { earlierJobId }),
  };
}

const lanesPerCollection = 4;

/** Key of an upload or a dead letter. One busy collection uses at most four partitions. */
export function uploadKeyOf(collectionId: string, jobId: string): string {
  return `${collectionId}:${stableHash(jobId) % lanesPerCollection}`;
}

/** The collection of an upload, from its key alone. */
export function collectionOfUploadKey(key: string): string {
  return key.slice(0, key.lastIndexOf(':'));
}

/**
 * A job event of the jobs topic. The status is part of the key, so that compaction never lets a late
 * `processing` erase a `completed`. So is the time of a completion, so that a second one never erases the first, which
 * counts. The job alone decides the partition, so that its records stay in order.
 */
export async function toJobLogEvent(event: JobEvent, headers: Record<string, string> = {}): Promise<NewEvent> {
  return { key: jobEventKey(event), partitionKey: event.jobId, value: await encodeMessage(event), headers };
}

export function readJobEvent(event: LogEvent): Promise<JobEvent> {
  return decodeMessage<JobEvent>(event.value);
}

export function jobEventKey(event: JobEvent): string {
  const { jobId, status } = event;
  return status === 'completed' ? `${jobId}:${status}:${event.completedAt}` : `${jobId}:${status}`;
}

export async function appendAuditEntry(log: Pick<EventLog, 'append'>, entry: AuditEntry): Promise<void> {
  await log.append(topics.audit.name, { key: entry.account, value: await encodeMessage(entry) });
}

export async function appendUsage(log: Pick<EventLog, 'append'>, event: UsageEvent): Promise<void> {
  const { process, day, part } = event;
  await log.append(topics.usage.name, { key: `${process}:${day}:${part}`, value: await encodeMessage(event) });
}

/**
 * The upload to append again so that its job gets another chance; an encrypted one stays so. Throws AppError `invalid_argument` for a letter that holds
 * no readable upload, and for an upload so old that the records of its job are gone.
 */
export function replayDeadLetter(
  { upload }: Pick<DeadLetter, 'upload'>,
  now: Micros,
): AcceptedUpload | EncryptedUpload {
  if (!upload)
    throw new AppError('invalid_argument', 'This message was never readable as an upload; it cannot be replayed');
  if (now - upload.acceptedAt > topics.jobs.retentionMs * 1000) {
    throw new AppError('invalid_argument', `${upload.jobId} was accepted more than 30 days ago; it cannot be replayed`);
  }
  return { ...upload, replayedAt: now };
}

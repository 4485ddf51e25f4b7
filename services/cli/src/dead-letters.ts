import { type AcceptedUpload, type DeadLetter, type JobEvent, topics } from '@whetstone/contracts';
import { type EventLog, type LogEvent, replayDeadLetter, toUploadLogEvent } from '@whetstone/event-log';
import { AppError, isAppError } from '@whetstone/platform';

import type { CliIo } from './io.js';
import { readTopic } from './read-topic.js';

/** A dead letter without its upload, so that any number fits into memory. */
export interface GivenUp extends Pick<DeadLetter, 'reason' | 'detail' | 'tries' | 'failedAt'> {
  /** Known for an unreadable upload, too, if the log named its job. */
  jobId: string | undefined;
  /** `undefined` if it is unreadable. */
  upload: Pick<AcceptedUpload, 'collectionId' | 'keyId' | 'acceptedAt'> | undefined;
  /** Partition and offset. */
  position: string;
}

/**
 * The dead letters of jobs that have not completed since, oldest first: for each job the last with a readable upload and the
 * last without, because an unreadable one must not hide the upload of an earlier one.
 */
export async function readDeadLetters(log: EventLog, io: Pick<CliIo, 'stderr'>): Promise<GivenUp[]> {
  const letters = new Map<string, GivenUp>();
  await readTopic<DeadLetter>(log, topics.deadLetters.name, io, (message, event) => {
    const letter = givenUp(message, event);
    letters.set(identityOf(letter), letter);
  });
  if (letters.size > 0) {
    await readTopic<JobEvent>(log, topics.jobs.name, io, ({ status, jobId }) => {
      if (status !== 'completed') return;
      for (const readable of [true, false]) letters.delete(identityOfJob(jobId, readable));
    });
  }
  return [...letters.values()].sort((a, b) => a.failedAt - b.failedAt);
}

interface ReplayResult {
  replayed: string[];
  skipped: { jobId: string | undefined; reason: string }[];
}

/** Appends the upload of one job, or of all jobs, again. What cannot be replayed is an error for one job and skipped for all. */
export async function replay(
  log: EventLog,
  io: Pick<CliIo, 'clock' | 'stderr'>,
  jobId?: string,
): Promise<ReplayResult> {
  const letters = await readDeadLetters(log, io);
  if (jobId === undefined) return replayThese(log, io, letters);
  const ofJob = letters.filter((candidate) => candidate.jobId === jobId);
  const letter = ofJob.find(({ upload }) => upload !== undefined) ?? ofJob[0];
  if (!letter)
    throw new AppError(
      'invalid_argument',
      `There is no dead letter for ${jobId}. To see them: whetstone dead-letters list`,
    );
  const result = await replayThese(log, io, [letter]);
  for (const { reason } of result.skipped) throw new AppError('invalid_argument', reason);
  return result;
}

/** Reads the letters again for their uploads. */
async function replayThese(
  log: EventLog,
  { clock }: Pick<CliIo, 'clock'>,
  letters: readonly GivenUp[],
): Promise<ReplayResult> {
  const result: ReplayResult = { replayed: [], skipped: [] };
  const waiting = new Map(letters.map((letter) => [letter.position, letter]));
  if (waiting.size === 0) return result;
  const toldAlready = { stderr: () => {} };
  await readTopic<DeadLetter>(log, topics.deadLetters.name, toldAlready, async (message, event) => {
    const letter = waiting.get(positionOf(event));
    if (!letter) return;
    waiting.delete(letter.position);
    try {
      const upload = replayDeadLetter(message, clock.now());
      await log.append(topics.uploads.name, await toUploadLogEvent(upload));
      result.replayed.push(upload.jobId);
    } catch (error) {
      if (!isAppError(error, 'invalid_argument')) throw error;
      result.skipped.push({ jobId: letter.jobId, reason: error.message });
    }
  });
  for (const { jobId } of waiting.values())
    result.skipped.push({ jobId, reason: 'Its retention in the log has ended' });
  return result;
}

function givenUp({ upload, unreadable, reason, detail, tries, failedAt }: DeadLetter, event: LogEvent): GivenUp {
  return {
    jobId: upload?.jobId ?? unreadable?.jobId,
    upload: upload && { collectionId: upload.collectionId, keyId: upload.keyId, acceptedAt: upload.acceptedAt },
    position: positionOf(event),
    ...{ reason, detail, tries, failedAt },
  };
}

function positionOf({ partition, offset }: LogEvent): string {
  return `${partition}/${offset}`;
}

function identityOf({ jobId, upload, position }: GivenUp): string {
  return jobId === undefined ? position : identityOfJob(jobId, upload !== undefined);
}

function identityOfJob(jobId: string, readable: boolean): string {
  return `${jobId} ${readable ? 'upload' : 'unreadable'}`;
}

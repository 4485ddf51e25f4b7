import { type DeadLetter, type JobEvent, topics } from '@whetstone/contracts';
import { type EventLog, replayDeadLetter, toUploadLogEvent } from '@whetstone/event-log';
import { AppError, type Clock, isAppError } from '@whetstone/platform';

import type { CliIo } from './io.js';
import { readTopic } from './read-topic.js';

/**
 * What is given up at present, oldest first: of each job that has not completed since, the last letter that holds its upload,
 * and the last that does not. One that cannot be read is no reason to lose the upload that an earlier one holds.
 */
export async function readDeadLetters(log: EventLog, io: Pick<CliIo, 'stderr'>): Promise<DeadLetter[]> {
  const letters = new Map<string, DeadLetter>();
  await readTopic<DeadLetter>(log, topics.deadLetters.name, io, (letter) => letters.set(identityOf(letter), letter));
  if (letters.size > 0) {
    await readTopic<JobEvent>(log, topics.jobs.name, io, ({ status, jobId }) => {
      if (status !== 'completed') return;
      for (const readable of [true, false]) letters.delete(identityOfJob(jobId, readable));
    });
  }
  return [...letters.values()].sort((a, b) => a.failedAt - b.failedAt);
}

export interface ReplayResult {
  replayed: string[];
  skipped: { jobId: string | undefined; reason: string }[];
}

/** Appends the uploads of one job, or of all, again. One that cannot be replayed is an error alone and skipped among all. */
export async function replay(
  log: EventLog,
  io: Pick<CliIo, 'clock' | 'stderr'>,
  jobId?: string,
): Promise<ReplayResult> {
  const { clock } = io;
  const letters = await readDeadLetters(log, io);
  if (jobId === undefined) return replayAll(log, clock, letters);
  const ofJob = letters.filter((candidate) => jobIdOf(candidate) === jobId);
  const letter = ofJob.find(({ upload }) => upload !== undefined) ?? ofJob[0];
  if (!letter)
    throw new AppError('invalid_argument', `No upload of ${jobId} is given up. See: whetstone dead-letters list`);
  return { replayed: [await append(log, clock, letter)], skipped: [] };
}

async function replayAll(log: EventLog, clock: Clock, letters: DeadLetter[]): Promise<ReplayResult> {
  const result: ReplayResult = { replayed: [], skipped: [] };
  for (const letter of letters) {
    try {
      result.replayed.push(await append(log, clock, letter));
    } catch (error) {
      if (!isAppError(error, 'invalid_argument')) throw error;
      result.skipped.push({ jobId: jobIdOf(letter), reason: error.message });
    }
  }
  return result;
}

async function append(log: EventLog, clock: Clock, letter: DeadLetter): Promise<string> {
  const upload = replayDeadLetter(letter, clock.now());
  await log.append(topics.uploads.name, await toUploadLogEvent(upload));
  return upload.jobId;
}

/** The job of a letter, also of one that is not readable as an upload where the log named it. */
export function jobIdOf({ upload, unreadable }: DeadLetter): string | undefined {
  return upload?.jobId ?? unreadable?.jobId;
}

function identityOf(letter: DeadLetter): string {
  const jobId = jobIdOf(letter);
  if (jobId === undefined) return `${letter.unreadable?.key}@${letter.failedAt}`;
  return identityOfJob(jobId, letter.upload !== undefined);
}

function identityOfJob(jobId: string, readable: boolean): string {
  return `${jobId} ${readable ? 'upload' : 'unreadable'}`;
}

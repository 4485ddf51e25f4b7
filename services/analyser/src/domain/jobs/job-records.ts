import type { DeadLetter, EncryptedReport, JobCompleted, JobFailed, JobState, Micros } from '@whetstone/contracts';
import type { Seal } from '@whetstone/identity';
import {
  type BackOff,
  type Clock,
  type ErrorCode,
  isAppError,
  type Logger,
  logSparingly,
  retry,
} from '@whetstone/platform';

import type { JobLog, JobLookup, JobObserver } from '../ports.js';

/** A job without an end, as far as this delivery knows. */
export interface OpenJob {
  jobId: string;
  acceptedAt: Micros;
  startedAt?: Micros;
  /** What the records of the job say about its run. */
  run: Pick<JobCompleted, 'collectionId' | 'success'>;
  /** Set if this delivery is an operator's replay. */
  replayedAt?: Micros | undefined;
  /** When this delivery was started, by the monotonic clock. */
  takenAtMs: number;
  log: Logger;
}

/** `ended`: another delivery has ended it, and nothing is written. */
type Completion = 'written' | 'ended';

export interface JobRecordsDeps extends JobLog {
  jobs: JobLookup;
  seal: Pick<Seal, 'seal'>;
  clock: Clock;
  /** For intervals: never set back or forward. */
  monotonicMs(): number;
  observer: JobObserver;
}

/**
 * Reads and writes job records. None of this depends on what an upload says, so a failure is never the upload's
 * fault: everything waits while status or log is away. Rejects when the signal aborts, and for errors that cannot
 * pass, such as a bug.
 */
export interface JobRecords {
  ask(job: OpenJob, signal: AbortSignal): Promise<JobState>;
  /** When the job started: now, or with an earlier delivery. */
  begin(job: OpenJob, state: JobState, signal: AbortSignal): Promise<Micros>;
  complete(job: OpenJob, end: JobCompleted, signal: AbortSignal): Promise<Completion>;
  /**
   * Dead letter first, then the failed record: a crash in between repeats both and loses nothing. False if another
   * delivery has ended the job; then nothing is written.
   */
  giveUp(letter: DeadLetter, job: OpenJob | undefined, signal: AbortSignal, report?: EncryptedReport): Promise<boolean>;
}

/**
 * A process that stalls loses its partitions and does not notice when it goes on. So before the end of a job that took
 * long is written, status is asked once more: the first end is the only one.
 */
const mayBeTakenOverAfterMs = 10_000;

/** Codes of a service in trouble: another replica, or a fixed version, may answer better. */
const troubleElsewhere: ReadonlySet<ErrorCode> = new Set(['internal', 'deadline_exceeded', 'cancelled']);

export function createJobRecords(
  { appendEvent, appendDeadLetter, jobs, seal, clock, monotonicMs, observer }: JobRecordsDeps,
  backOff: BackOff,
  logger: Logger,
): JobRecords {
  return {
    ask,

    async begin({ jobId, acceptedAt, run, log }, state, signal) {
      if (state.status === 'processing' && state.startedAt !== undefined) return state.startedAt;
      const startedAt = clock.now();
      const append = () => appendEvent({ status: 'processing', jobId, acceptedAt, ...run, startedAt });
      await insist(append, signal, log, 'Appending job start failed; retrying');
      return startedAt;
    },

    complete(job, end, signal) {
      const append = async () => {
        const other = await endByAnother(job, signal);
        // An earlier append that was not acknowledged may have been written all the same.
        if (other) return other.completedAt === end.completedAt ? 'written' : 'ended';
        await appendEvent(end);
        return 'written';
      };
      return insist(append, signal, job.log, 'Appending job end failed; retrying');
    },

    async giveUp(letter, job, signal, report) {
      const log = job?.log ?? logger;
      if (job && (await endByAnother(job, signal))) return false;
      await bury(letter, log, signal);
      if (!job) return true;
      const end = { ...failedRecord(letter, job), ...(report && { report }) };
      await insist(() => appendEvent(end), signal, log, 'Appending job end failed; retrying');
      observer.ended('failed');
      return true;
    },
  };

  function insist<Result>(operation: () => Promise<Result>, signal: AbortSignal, log: Logger, message: string) {
    return retry(operation, { ...backOff, retryIf: mayPass, onRetry: logSparingly(log, message), signal });
  }

  function ask({ jobId, log }: OpenJob, signal: AbortSignal): Promise<JobState> {
    return insist(() => jobs.getJob({ jobId }, { signal }), signal, log, 'Asking status for a job failed; retrying');
  }

  async function endByAnother(job: OpenJob, signal: AbortSignal): Promise<JobState | undefined> {
    if (monotonicMs() - job.takenAtMs <= mayBeTakenOverAfterMs) return undefined;
    const state = await ask(job, signal);
    return hasEnded(state, job.replayedAt) ? state : undefined;
  }

  async function bury(letter: DeadLetter, log: Logger, signal: AbortSignal): Promise<void> {
    const { reason, tries } = letter;
    try {
      await insist(() => appendDeadLetter(letter), signal, log, 'Appending a dead letter failed; retrying');
      observer.deadLettered();
      log.error({ reason, tries }, 'Giving up on upload; moved to dead letters');
    } catch (error) {
      if (!isAppError(error, 'too_large')) throw error;
      log.error({ err: error, reason, tries }, 'Giving up on upload; too large to keep as a dead letter');
    }
  }

  function failedRecord(letter: DeadLetter, { jobId, acceptedAt, run, startedAt }: OpenJob): JobFailed {
    return {
      status: 'failed',
      jobId,
      acceptedAt,
      ...run,
      ...(startedAt === undefined ? {} : { startedAt }),
      failedAt: letter.failedAt,
      errorMessage: seal.seal(jobId, describe(letter)),
      ...(letter.reason === callersOwn ? { reason: letter.detail } : {}),
    };
  }
}

/** The one failure that the caller caused and can fix: its detail is not sealed. */
const callersOwn: ErrorCode = 'too_many_collections';

/** Whether nothing is left to do. A failure does not end a later replay by an operator. */
export function hasEnded({ status, failedAt }: JobState, replayedAt?: Micros): boolean {
  if (status === 'completed') return true;
  if (status !== 'failed') return false;
  return replayedAt === undefined || failedAt === undefined || failedAt >= replayedAt;
}

/** A bug, here or in a request, does not go away by waiting. */
export function mayPass(error: unknown): boolean {
  return isAppError(error) && (error.retryable || troubleElsewhere.has(error.code));
}

function describe({ reason, detail, tries }: DeadLetter): string {
  return `${reason}: ${detail} (tries: ${tries})`;
}

import type { DeadLetter, JobCompleted, JobFailed, JobState, Micros } from '@whetstone/contracts';
import type { Seal } from '@whetstone/identity';
import { type Clock, isAppError, type Logger } from '@whetstone/platform';
import type { DeadLetters, JobEvents, JobLookup, JobObserver } from '../ports.js';
import { latestEndOf } from './job-deadline.js';
import type { Patience } from './patience.js';

/** A job that has no end yet, as far as this delivery of it knows. */
export interface OpenJob {
  jobId: string;
  acceptedAt: Micros;
  startedAt?: Micros;
  /** Where this delivery is an operator's replay. */
  replayedAt?: Micros | undefined;
  /** When this delivery of it was taken in hand. */
  takenAt: Micros;
  deadline: Micros;
  log: Logger;
}

/**
 * `too_late`: the job has meanwhile been told to have failed by its deadline. `ended`: another delivery of it has ended it. Nothing
 * was written then.
 */
export type Completion = 'written' | 'too_late' | 'ended';

export interface JobRecordsDeps {
  events: JobEvents;
  deadLetters: DeadLetters;
  jobs: JobLookup;
  seal: Pick<Seal, 'seal'>;
  clock: Clock;
  observer: JobObserver;
}

/**
 * Reads and writes what is known of a job. None of this depends on what an upload says, so whatever goes wrong is never the
 * upload's fault: everything waits for status and log as long as they are away, and only the signal stops it.
 */
export interface JobRecords {
  ask(job: OpenJob, signal: AbortSignal): Promise<JobState>;
  /** When the job started: now, or when another delivery of it has begun. */
  begin(job: OpenJob, state: JobState, signal: AbortSignal): Promise<Micros>;
  complete(job: OpenJob, end: JobCompleted, signal: AbortSignal): Promise<Completion>;
  /**
   * Dead letter first, then the failed record: a crash between the two gives up again, and loses nothing. False when another
   * delivery has ended the job: then nothing was written.
   */
  giveUp(letter: DeadLetter, job: OpenJob | undefined, signal: AbortSignal): Promise<boolean>;
}

/**
 * A process that stands still loses its partitions after a while, and does not know it when it goes on. So the end of a job that was
 * in hand for long is not written before another look: the first end is the only one.
 */
const mayBeTakenOverAfterMicros = 10 * 1_000_000;

export function createJobRecords(
  { events, deadLetters, jobs, seal, clock, observer }: JobRecordsDeps,
  patience: Patience,
  logger: Logger,
): JobRecords {
  const isTooLate = (job: OpenJob) => clock.now() > latestEndOf(job.deadline);

  return {
    ask,

    async begin({ jobId, acceptedAt, log }, state, signal) {
      if (state.status === 'processing' && state.startedAt !== undefined) return state.startedAt;
      const startedAt = clock.now();
      const append = () => events.append({ status: 'processing', jobId, acceptedAt, startedAt });
      await patience.insist(append, signal, tellFirst(log, 'The log does not take the start of a job; waiting'));
      return startedAt;
    },

    complete(job, end, signal) {
      const append = async () => {
        if (isTooLate(job)) return 'too_late';
        const other = await endByAnother(job, signal);
        // What was appended before, and not acknowledged, may have been written all the same.
        if (other) return other.completedAt === end.completedAt ? 'written' : 'ended';
        await events.append(end);
        return 'written';
      };
      return patience.insist(append, signal, tellFirst(job.log, 'The log does not take the end of a job; waiting'));
    },

    async giveUp(letter, job, signal) {
      const log = job?.log ?? logger;
      if (job && (await endByAnother(job, signal))) return false;
      await bury(letter, log, signal);
      if (!job) return true;
      const append = async () => events.append(await failedRecord(letter, job, signal));
      await patience.insist(append, signal, tellFirst(log, 'The log does not take the end of a job; waiting'));
      observer.ended('failed');
      return true;
    },
  };

  function ask({ jobId, log }: OpenJob, signal: AbortSignal): Promise<JobState> {
    const told = tellFirst(log, 'Status does not answer; waiting');
    return patience.insist(() => jobs.getJob({ jobId }, { signal }), signal, told);
  }

  async function endByAnother(job: OpenJob, signal: AbortSignal): Promise<JobState | undefined> {
    if (clock.now() - job.takenAt <= mayBeTakenOverAfterMicros) return undefined;
    const state = await ask(job, signal);
    return hasEnded(state, job.replayedAt) ? state : undefined;
  }

  async function bury(letter: DeadLetter, log: Logger, signal: AbortSignal): Promise<void> {
    const { reason, tries } = letter;
    try {
      await patience.insist(() => deadLetters.append(letter), signal, {
        ...tellFirst(log, 'The log does not take a dead letter; waiting'),
        isFinal: (error) => isAppError(error, 'too_large'),
      });
      observer.deadLettered();
      log.error({ reason, tries }, 'Gave up an upload; it is in the dead letters');
    } catch (error) {
      signal.throwIfAborted();
      log.error({ err: error, reason, tries }, 'Gave up an upload that is too large for the dead letters');
    }
  }

  /** Where status has already told callers how the deadline ended the job, the record says the very same. */
  async function failedRecord(letter: DeadLetter, job: OpenJob, signal: AbortSignal): Promise<JobFailed> {
    const { jobId, acceptedAt } = job;
    const state = isTooLate(job) ? await jobs.getJob({ jobId }, { signal }) : undefined;
    const told = state?.derived ? state : undefined;
    const startedAt = job.startedAt ?? told?.startedAt;
    return {
      status: 'failed',
      jobId,
      acceptedAt,
      ...(startedAt === undefined ? {} : { startedAt }),
      failedAt: told?.failedAt ?? letter.failedAt,
      errorMessage: told?.errorMessage ?? seal.seal(jobId, describe(letter)),
    };
  }
}

/** Whether there is nothing left to do. A failure is no end for the operator's replay that came after it. */
export function hasEnded({ status, failedAt, derived }: JobState, replayedAt?: Micros): boolean {
  if (status === 'completed') return true;
  if (status !== 'failed' || derived) return false;
  return replayedAt === undefined || failedAt === undefined || failedAt >= replayedAt;
}

/** Says once that something is waited for, not at every go. */
function tellFirst(log: Logger, message: string): { onFailure(error: unknown, failures: number): void } {
  return {
    onFailure(error, failures) {
      if (failures === 1) log.warn({ err: error }, message);
    },
  };
}

function describe({ reason, detail, tries }: DeadLetter): string {
  return `${reason}: ${detail} (tries: ${tries})`;
}

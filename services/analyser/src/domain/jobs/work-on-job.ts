import type { JobOutcome, Micros } from '@whetstone/contracts';
import type { EnhancementIds } from '@whetstone/identity';
import {
  type AppError,
  type BackOff,
  backOffMs,
  type ErrorCode,
  isAppError,
  logSparingly,
  sleep,
} from '@whetstone/platform';
import type { UploadInHand } from '../ports.js';
import { type AttemptJobDeps, type AttemptResult, createAttemptJob } from './attempt-job.js';
import { citedEnhancement, type ShownEnhancement } from './cited-enhancement.js';
import { hasEnded, type JobRecords, type OpenJob } from './job-records.js';
import { reportRun } from './report-run.js';

/** `skipped`: the job had already ended. */
export type Disposition = 'completed' | 'failed' | 'skipped';

export interface WorkConfig extends BackOff {
  maxTries: number;
  storingTimeoutMs: number;
}

export interface WorkOnJobDeps extends AttemptJobDeps {
  enhancementIds: Pick<EnhancementIds, 'open'>;
}

export type StartedJob = OpenJob & { startedAt: Micros };

/** Errors that another try cannot fix. */
const finalCodes: ReadonlySet<ErrorCode> = new Set([
  'invalid_argument',
  'model_mismatch',
  'shard_full',
  'tenant_forbidden',
  'too_large',
  'too_many_collections',
]);

const hourMs = 60 * 60 * 1000;
/** How long one delivery works on a job. Counts from the delivery: before that, nobody may have been there to try it. */
export const longestWorkMs = 24 * hourMs;
/** How old an upload may be. Deletion markers are kept for a day longer: what is learnt later could undo a deletion. */
const greatestAgeMicros = 39 * 24 * hourMs * 1000;

/**
 * Attempts a job until it ends: completed, or given up after its tries, after a final error, or when its
 * time is over. Waiting for a dependency costs no try.
 */
export function createWorkOnJob(deps: WorkOnJobDeps, records: JobRecords, config: WorkConfig) {
  const { clock, monotonicMs, observer } = deps;

  return async function workOnJob(upload: UploadInHand, job: StartedJob, signal: AbortSignal): Promise<Disposition> {
    const cited = citedEnhancement(upload, deps.enhancementIds);
    const attempt = createAttemptJob(deps, config.storingTimeoutMs, upload, cited);
    const reportAway = logSparingly(job.log, 'A dependency of a job is away; waiting');
    let tries = 0;
    for (let waits = 1; ; waits++) {
      if (isTimeOver(job)) return missDeadline(upload, job, tries, signal);
      const { result, error } = await settle(attempt(signal));
      signal.throwIfAborted();
      if (result && result.outcome !== 'superseded') {
        const ended = await complete(upload, job, result, signal);
        if (ended === 'completed') hearOutcome(upload, cited);
        return ended;
      }

      if (!result && !isAway(error)) {
        tries++;
        if (tries >= config.maxTries || isFinal(error)) return giveUp(upload, job, error, tries, signal);
        observer.retried();
        job.log.warn({ err: error, tries }, 'Job attempt failed; retrying');
      } else if (!result) {
        reportAway(error);
      }
      await sleep(backOffMs(waits, config), { signal });
      if (result && hasEnded(await records.ask(job, signal), upload.replayedAt)) return 'skipped';
    }
  };

  function isTimeOver({ acceptedAt, takenAtMs }: OpenJob): boolean {
    return monotonicMs() - takenAtMs > longestWorkMs || clock.now() - acceptedAt > greatestAgeMicros;
  }

  async function complete(
    upload: UploadInHand,
    job: StartedJob,
    { outcome: stored, insightsStored, lessons, learnt }: AttemptResult,
    signal: AbortSignal,
  ): Promise<Disposition> {
    const { jobId, acceptedAt, replayedAt, startedAt, log } = job;
    const outcome = outcomeOf(stored === 'deleted', insightsStored);
    const completedAt = clock.now();
    const reason = outcome === 'nothing_to_learn' ? learnt?.nothingBecause : undefined;
    const told = reason === undefined ? {} : { reason };
    // Report nothing about deleted runs.
    const report = outcome === 'deleted' ? undefined : reportRun(upload, learnt, lessons);
    const end = {
      status: 'completed',
      jobId,
      acceptedAt,
      ...job.run,
      startedAt,
      ...(learnt && { learntAt: learnt.at }),
      completedAt,
      insightsStored,
      outcome,
      ...told,
      ...(report && { report }),
    } as const;
    const completion = await records.complete(job, end, signal);
    if (completion === 'ended') return 'skipped';
    observer.ended(outcome);
    observer.stage('total', (completedAt - (replayedAt ?? acceptedAt)) / 1_000_000);
    log.debug({ outcome, insights: insightsStored, ...told }, 'Job completed');
    return 'completed';
  }

  function hearOutcome({ interaction: { success } }: UploadInHand, cited: ShownEnhancement | undefined): void {
    if (cited && success !== undefined) observer.outcomeTold(cited, success);
  }

  async function giveUp(
    upload: UploadInHand,
    job: StartedJob,
    error: unknown,
    tries: number,
    signal: AbortSignal,
  ): Promise<Disposition> {
    const reason = isAppError(error) ? error.code : 'internal';
    // Messages of other errors may quote the upload, which no record may do.
    const detail = isAppError(error) ? error.message : `Unexpected ${kindOf(error)}; the analyser's log says why`;
    job.log.warn({ err: error, tries }, 'Last job attempt failed; giving up');
    const letter = { upload: await upload.whole(), reason, detail, tries, failedAt: clock.now() };
    return (await records.giveUp(letter, job, signal, reportRun(upload))) ? 'failed' : 'skipped';
  }

  async function missDeadline(upload: UploadInHand, job: OpenJob, tries: number, signal: AbortSignal) {
    const detail = 'The job could not be finished in time';
    const whole = await upload.whole();
    const letter = { upload: whole, reason: 'deadline_exceeded', detail, tries, failedAt: clock.now() };
    return (await records.giveUp(letter, job, signal, reportRun(upload))) ? 'failed' : 'skipped';
  }
}

function kindOf(error: unknown): string {
  return error instanceof Error ? error.constructor.name : typeof error;
}

async function settle<Result>(work: Promise<Result>): Promise<{ result?: Result; error?: unknown }> {
  try {
    return { result: await work };
  } catch (error) {
    return { error };
  }
}

function outcomeOf(deleted: boolean, insightsStored: number): JobOutcome {
  if (deleted) return 'deleted';
  return insightsStored > 0 ? 'stored' : 'nothing_to_learn';
}

/** A dependency is away, or the process is starved: waiting helps. */
export function isAway(error: unknown): error is AppError {
  return isAppError(error) && error.retryable;
}

function isFinal(error: unknown): boolean {
  return isAppError(error) && finalCodes.has(error.code);
}

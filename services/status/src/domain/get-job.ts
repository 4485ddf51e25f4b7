import type { EncryptedReport, GetJobRequest, JobEvent, JobState } from '@whetstone/contracts';
import { readJobId } from '@whetstone/identity';
import { AppError, type CallContext, type Clock, isAppError, withTimeout } from '@whetstone/platform';

import { stateOf } from './state-of.js';

/** All job records, as far as this replica has read the jobs topic. */
export interface JobRecords {
  /** False until everything that was in the topic at the start has been read. */
  readonly ready: boolean;
  /** Throws AppError `status_unavailable` (retryable) if the table cannot be read. */
  get(jobId: string): JobEvent | undefined;
  report(jobId: string): EncryptedReport | undefined;
  /**
   * Resolves once every record of this job from before the call has been read. Rejects with AppError
   * `log_unavailable` while the log is away.
   */
  catchUp(jobId: string): Promise<void>;
  /** Resolves when the end of this job is read, after `withinMs`, when the signal aborts, or when this replica stops. */
  untilEnded(jobId: string, withinMs: number, signal?: AbortSignal): Promise<void>;
}

interface GetJobDeps {
  records: JobRecords;
  clock: Clock;
}

interface GetJobConfig {
  catchUpTimeoutMs: number;
}

/**
 * Rejects with AppError `job_not_found` if it is not a job id, and `status_unavailable` (retryable) while the view
 * may be stale: never a guess.
 */
export type GetJob = (request: GetJobRequest, call: CallContext) => Promise<JobState>;

export function createGetJob({ records, clock }: GetJobDeps, { catchUpTimeoutMs }: GetJobConfig): GetJob {
  return async ({ jobId, waitMs = 0, withReport = false }, call) => {
    if (!readJobId(jobId)) throw new AppError('job_not_found', 'Not a valid job id');
    let state = await look(jobId, call);
    if (state.status === 'processing' && waitMs > 0) {
      await records.untilEnded(jobId, waitMs, call.signal);
      call.signal?.throwIfAborted();
      state = await look(jobId, call);
    }
    const report = withReport && state.status !== 'expired' ? records.report(jobId) : undefined;
    return report ? { ...state, report } : state;
  };

  async function look(jobId: string, call: CallContext): Promise<JobState> {
    if (!records.ready) throw unavailable('Job records are still loading');
    const known = stateOf(jobId, records.get(jobId), clock.now());
    if (known.status !== 'processing') return known;

    // This replica may not have read the end yet, while another has already told it.
    await catchUp(jobId, call);
    return stateOf(jobId, records.get(jobId), clock.now());
  }

  async function catchUp(jobId: string, { signal }: CallContext): Promise<void> {
    const late = () => unavailable('The job records lag behind the log');
    try {
      await withTimeout(catchUpTimeoutMs, () => records.catchUp(jobId), { signal, error: late });
    } catch (error) {
      // Another replica may have told an end that this one has not read: `processing` would be a guess.
      if (isAppError(error, 'log_unavailable')) throw unavailable('The log is away; the job may have ended', error);
      throw signal?.aborted ? late() : error;
    }
  }
}

function unavailable(message: string, cause?: unknown): AppError {
  return new AppError('status_unavailable', message, { retryable: true, cause });
}

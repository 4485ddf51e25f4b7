import type { JobEvent } from '@whetstone/contracts';

/** The records of all jobs, as far as this replica has read the jobs topic. */
export interface JobRecords {
  /** False until everything that was in the topic at the start has been read. */
  readonly ready: boolean;
  /** Throws AppError `status_unavailable` (retryable) where the table does not answer. */
  get(jobId: string): JobEvent | undefined;
  /**
   * Resolves once everything is read that had been written about this job before the call. Rejects with AppError
   * `log_unavailable` while the log does not answer.
   */
  catchUp(jobId: string): Promise<void>;
}

import type { Micros } from './time.js';

export type JobStatus = 'processing' | 'completed' | 'failed';
export type JobOutcome = 'stored' | 'nothing_to_learn' | 'deleted';

export interface JobProcessing {
  status: 'processing';
  jobId: string;
  acceptedAt: Micros;
  startedAt: Micros;
}

export interface JobCompleted {
  status: 'completed';
  jobId: string;
  acceptedAt: Micros;
  startedAt: Micros;
  completedAt: Micros;
  insightsStored: number;
  outcome: JobOutcome;
  /** Why there was nothing to learn. */
  reason?: string;
}

export interface JobFailed {
  status: 'failed';
  jobId: string;
  acceptedAt: Micros;
  startedAt?: Micros;
  failedAt: Micros;
  /** Sealed for the operators. */
  errorMessage: string;
}

/** What one message of the jobs topic says. Each is self-contained, so they merge in any order. */
export type JobEvent = JobProcessing | JobCompleted | JobFailed;

export interface GetJobRequest {
  jobId: string;
}

/** What is known of a job. Processing without times: accepted, and nobody has written about it yet. `expired`: past the retention of records. */
export interface JobState {
  jobId: string;
  status: JobStatus | 'expired';
  acceptedAt?: Micros;
  startedAt?: Micros;
  completedAt?: Micros;
  insightsStored?: number;
  outcome?: JobOutcome;
  reason?: string;
  failedAt?: Micros;
  errorMessage?: string;
  /** Failed by its deadline alone: nobody has written its end. */
  derived?: boolean;
}

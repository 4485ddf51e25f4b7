import type { JobEvent, JobState } from '@whetstone/contracts';

import { deadlineOf } from '../domain/jobs/job-deadline.js';
import type { JobEvents, JobLookup } from '../domain/ports.js';

export interface InMemoryJobs extends JobEvents, JobLookup {
  /** Everything that was appended, in order. */
  readonly events: JobEvent[];
}

/** The jobs topic and the view of it in one: what is appended is known at once. */
export function createInMemoryJobs(): InMemoryJobs {
  const events: JobEvent[] = [];
  return {
    events,
    append(event) {
      events.push(event);
      return Promise.resolve();
    },
    getJob: ({ jobId }) => Promise.resolve(jobStateOf(jobId, events)),
  };
}

/** Completed over failed over processing; of two failures the later. */
export function jobStateOf(jobId: string, events: readonly JobEvent[]): JobState {
  const state: JobState = { jobId, status: 'processing' };
  const ranks = { processing: 0, failed: 1, completed: 2 };
  for (const event of events) {
    if (event.jobId !== jobId || ranks[event.status] < ranks[state.status as JobEvent['status']]) continue;
    if (event.status === 'completed' && state.status === 'completed') continue;
    Object.assign(state, event);
  }
  return state;
}

/** What status answers for a job whose deadline has passed without a record of its end. */
export function derivedFailure(job: { jobId: string; acceptedAt: number }): JobState {
  const { jobId, acceptedAt } = job;
  return { jobId, acceptedAt, status: 'failed', failedAt: deadlineOf(job), errorMessage: 'as told', derived: true };
}

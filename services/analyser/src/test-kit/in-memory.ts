import type { Insight, JobEvent, JobState, ReplaceRequest } from '@whetstone/contracts';

import { deadlineOf } from '../domain/jobs/job-records.js';
import type { JobLog, JobLookup, KnowledgeBase } from '../domain/ports.js';

export interface InMemoryJobs extends Pick<JobLog, 'appendEvent'>, JobLookup {
  /** Everything that was appended, in order. */
  readonly events: JobEvent[];
}

/** The jobs topic and the view of it in one: what is appended is known at once. */
export function createInMemoryJobs(): InMemoryJobs {
  const events: JobEvent[] = [];
  return {
    events,
    appendEvent(event) {
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

export interface InMemoryKnowledge extends KnowledgeBase {
  /** What is findable, by job: the insights of its highest attempt. */
  insightsOf(jobId: string): Insight[];
  /** Attempts of which rows are left; more than one would be a doubled job. */
  attemptsOf(jobId: string): string[];
  readonly calls: ReplaceRequest[];
}

/** Replace as the indexer promises it: write, then look, and the highest attempt wins. `pause` comes between its steps. */
export function createInMemoryKnowledge(pause: () => Promise<unknown> = () => Promise.resolve()): InMemoryKnowledge {
  const rows = new Map<string, Map<string, ReplaceRequest>>();
  const calls: ReplaceRequest[] = [];
  const attemptsOf = (jobId: string) => [...(rows.get(jobId)?.keys() ?? [])].sort();

  return {
    calls,
    attemptsOf,
    insightsOf: (jobId) => [...(rows.get(jobId)?.values() ?? [])].flatMap(({ insights }) => insights),
    search: () => Promise.resolve({ hits: [] }),
    getRuns: () => Promise.resolve({ runs: [] }),
    async replace(request) {
      const { jobId, attempt, insights } = request;
      calls.push(request);
      await pause();
      const ofJob = rows.get(jobId) ?? new Map<string, ReplaceRequest>();
      rows.set(jobId, ofJob.set(attempt, request));
      await pause();
      const found = attemptsOf(jobId);
      await pause();
      for (const lower of found.filter((other) => other < attempt)) ofJob.delete(lower);
      const greatest = found.at(-1) ?? attempt;
      if (greatest === attempt) return { outcome: 'stored', insightsStored: insights.length };
      ofJob.delete(attempt);
      return { outcome: 'superseded', insightsStored: 0, supersededBy: greatest };
    },
  };
}

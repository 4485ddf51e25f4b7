import type { Insight, JobEvent, JobState, ReplaceRequest } from '@whetstone/contracts';

import type { JobLog, JobLookup, KnowledgeBase } from '../domain/ports.js';

export interface InMemoryJobs extends Pick<JobLog, 'appendEvent'>, JobLookup {
  /** Everything that was appended, in order. */
  readonly events: JobEvent[];
}

/** The jobs topic and its view in one: appended events are visible at once. */
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

/** Completed beats failed beats processing; the later of two failures wins. */
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

export interface InMemoryKnowledge extends KnowledgeBase {
  /** The searchable insights of a job: those of its highest attempt. */
  insightsOf(jobId: string): Insight[];
  /** Attempts that still have rows; more than one means a duplicated job. */
  attemptsOf(jobId: string): string[];
  readonly calls: ReplaceRequest[];
}

/** Implements the indexer's Replace: write, then look, and the highest attempt wins. `pause` runs between the steps. */
export function createInMemoryKnowledge(pause: () => Promise<unknown> = () => Promise.resolve()): InMemoryKnowledge {
  const rows = new Map<string, Map<string, ReplaceRequest>>();
  const calls: ReplaceRequest[] = [];
  const attemptsOf = (jobId: string) => [...(rows.get(jobId)?.keys() ?? [])].sort();

  return {
    calls,
    attemptsOf,
    insightsOf: (jobId) => [...(rows.get(jobId)?.values() ?? [])].flatMap(({ insights }) => insights),
    search: () => Promise.resolve({ hits: [], verdicts: [], settings: {} }),
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

import type { Insight, ReplaceRequest } from '@whetstone/contracts';

import type { KnowledgeBase } from '../domain/ports.js';

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

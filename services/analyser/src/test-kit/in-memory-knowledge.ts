import type { Insight, ReplaceRequest } from '@whetstone/contracts';

import type { KnowledgeBase } from '../domain/ports.js';

export interface InMemoryKnowledge extends KnowledgeBase {
  /** What is findable, by job: the insights of its highest attempt. */
  insightsOf(jobId: string): Insight[];
  /** Attempts of which rows are left; more than one would be a doubled job. */
  attemptsOf(jobId: string): string[];
  readonly calls: ReplaceRequest[];
}

/** Replace as the indexer promises it: write, then look, and the highest attempt wins. */
export function createInMemoryKnowledge(): InMemoryKnowledge {
  const rows = new Map<string, Map<string, ReplaceRequest>>();
  const calls: ReplaceRequest[] = [];
  const attemptsOf = (jobId: string) => [...(rows.get(jobId)?.keys() ?? [])].sort();

  return {
    calls,
    attemptsOf,
    insightsOf: (jobId) => [...(rows.get(jobId)?.values() ?? [])].flatMap(({ insights }) => insights),
    search: () => Promise.resolve({ hits: [] }),
    async replace(request) {
      const { jobId, attempt, insights } = request;
      calls.push(request);
      const ofJob = rows.get(jobId) ?? new Map<string, ReplaceRequest>();
      rows.set(jobId, ofJob);
      ofJob.set(attempt, request);
      await Promise.resolve();
      const highest = attemptsOf(jobId).at(-1) ?? attempt;
      if (highest > attempt) {
        ofJob.delete(attempt);
        return { outcome: 'superseded', insightsStored: 0 };
      }
      for (const other of attemptsOf(jobId)) if (other < attempt) ofJob.delete(other);
      return { outcome: 'stored', insightsStored: insights.length };
    },
  };
}

import type { Micros } from '@whetstone/contracts';

import { isConsolidated } from './consolidate.js';
import { headsOf } from './delete-matching.js';
import type { VectorStore } from './ports.js';

export interface Scanned {
  /** Names that more than one row has, and names of consolidated insights: a crash may have left one unfinished. */
  names: string[];
  /** Jobs whose run is stored without an insight. */
  jobs: string[];
  /** Jobs and names that have insights from before `agedBefore`. */
  aged: string[];
  /** Jobs whose insights were stored before insights had names. */
  unnamed: string[];
}

export const nothingFound: Scanned = { names: [], jobs: [], aged: [], unnamed: [] };

/** Goes through a whole collection for what there is to consolidate. */
export async function scanCollection(
  store: VectorStore,
  collectionId: string,
  { agedBefore, signal }: { agedBefore: Micros; signal: AbortSignal },
): Promise<Scanned> {
  const rows = new Map<string, number>();
  const merged = new Set<string>();
  const runs = new Set<string>();
  const taught = new Set<string>();
  const aged = new Set<string>();
  const unnamed = new Set<string>();
  for await (const page of headsOf(store, { collectionId, signal })) {
    for (const head of page) {
      const { type, name, jobId, acceptedAt } = head;
      if (type === 'run' && !isConsolidated(head)) runs.add(jobId);
      if (type !== 'insight') continue;
      taught.add(jobId);
      if (isConsolidated(head)) merged.add(name);
      if (name === '') unnamed.add(jobId);
      else rows.set(name, (rows.get(name) ?? 0) + 1);
      if (acceptedAt < agedBefore) aged.add(jobId);
    }
  }
  const several = [...rows].filter(([, count]) => count > 1).map(([name]) => name);
  return {
    names: [...new Set([...several, ...merged])],
    jobs: [...runs].filter((jobId) => !taught.has(jobId)),
    aged: [...aged],
    unnamed: [...unnamed],
  };
}

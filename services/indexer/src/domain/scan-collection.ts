import type { Micros } from '@whetstone/contracts';

import { headsOf } from './delete-matching.js';
import { maxWordings, variantOf } from './fold-wordings.js';
import { groupBy } from './group-by.js';
import type { VectorStore } from './ports.js';
import { isConsolidated } from './repair.js';
import { isSummary } from './row-bodies.js';

export interface Scanned {
  /** Names that more than one row has, and names of consolidated insights: a crash may have left one unfinished. */
  names: string[];
  /** Jobs whose run is stored without an insight. */
  jobs: string[];
  /** Jobs and names that have insights from before `agedBefore`. */
  aged: string[];
  /** Jobs whose insights were stored before insights had names. */
  unnamed: string[];
  /** Names of one variant each, where it has more than its share. */
  crowded: string[][];
}

export const nothingFound: Scanned = { names: [], jobs: [], aged: [], unnamed: [], crowded: [] };

/** Folded at once; the next scan folds more. */
const mostWordings = 256;

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
      if (type === 'run' && !isConsolidated(head) && !isSummary(head)) runs.add(jobId);
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
    crowded: [...groupBy(rows.keys(), variantOf).values()]
      .filter(({ length }) => length > maxWordings)
      .map((wordings) => wordings.slice(0, mostWordings)),
  };
}

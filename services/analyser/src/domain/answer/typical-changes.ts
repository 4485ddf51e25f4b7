import type { RunShape, SearchHit } from '@whetstone/contracts';

import { countNewRuns, createRunsOf } from './hit-runs.js';

/** The set of changes that most runs at similar tasks made, and its share of them. */
export interface TypicalChanges {
  changes: string;
  share: number;
}

/** Weights are whole numbers, so that sums do not depend on how runs are tallied. */
const precision = 1e6;

/**
 * A vote of the runs found, weighted by similarity: similarly worded requests can end differently, and the majority of
 * forty says more than the nearest one. Only runs that their callers reported as successful count.
 */
export function typicalChanges(hits: readonly SearchHit[]): TypicalChanges | undefined {
  const weights = new Map<string, number>();
  const counted = new Set<string>();
  const runsOf = createRunsOf(hits);
  let all = 0;
  for (const hit of hits) {
    const { run, similarity } = hit;
    const changes = changeSetOf(run);
    if (changes === undefined || run.judged || run.outcome !== 'success') continue;
    const runs = countNewRuns(counted, runsOf(hit));
    if (runs === 0) continue;
    const weight = runs * Math.round(precision * Math.max(0, similarity) ** 2);
    weights.set(changes, (weights.get(changes) ?? 0) + weight);
    all += weight;
  }
  // If no run changed anything, there is nothing to prefer.
  if (all === 0 || [...weights.keys()].every((changes) => changes === '')) return undefined;
  const [changes, weight] = [...weights].reduce((most, next) => (next[1] > most[1] ? next : most));
  return { changes, share: weight / all };
}

export function isTypical(run: Pick<Partial<RunShape>, 'changes'>, typical: TypicalChanges): boolean {
  return changeSetOf(run) === typical.changes;
}

/** `undefined` for rows stored before changes were recorded. */
function changeSetOf(run: Pick<Partial<RunShape>, 'changes'>): string | undefined {
  return run.changes && [...new Set(run.changes)].sort().join('\n');
}

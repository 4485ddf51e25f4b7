import type { RunShape, SearchHit } from '@whetstone/contracts';

/** The set of changes that most runs at similar tasks made, and its share of them. */
export interface TypicalChanges {
  changes: string;
  share: number;
}

/**
 * A vote of the search hits, weighted by similarity: similarly worded requests can end differently, and the majority of
 * forty says more than the nearest one. Only runs that their callers reported as successful count.
 */
export function typicalChanges(hits: readonly SearchHit[]): TypicalChanges | undefined {
  const weights = new Map<string, number>();
  const counted = new Set<string>();
  let all = 0;
  for (const { run, origin, similarity } of hits) {
    const changes = changeSetOf(run);
    if (changes === undefined || run.judged || run.outcome !== 'success' || counted.has(origin.bodyDigest)) continue;
    counted.add(origin.bodyDigest);
    const weight = Math.max(0, similarity) ** 2;
    weights.set(changes, (weights.get(changes) ?? 0) + weight);
    all += weight;
  }
  // If no run changed anything, there is nothing to prefer.
  if (all === 0 || [...weights.keys()].every((changes) => changes === '')) return undefined;
  const [changes, weight] = [...weights].reduce((most, next) => (next[1] > most[1] ? next : most));
  return { changes, share: weight / all };
}

/** `undefined` for rows stored before changes were recorded. */
export function changeSetOf(run: Pick<Partial<RunShape>, 'changes'>): string | undefined {
  return run.changes && [...new Set(run.changes)].sort().join('\n');
}

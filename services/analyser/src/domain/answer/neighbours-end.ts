import type { RunShape, SearchHit } from '@whetstone/contracts';

/** How tasks like the one asked about end: the set of changes that most of their runs made, and its share of all. */
export interface LikelyEnd {
  changes: string;
  share: number;
}

/**
 * Lets the neighbours vote, each as much as it is near. Requests in like words can end in different ways, and what most of forty
 * came to says more than what the nearest did. Only runs count of which callers said that they succeeded.
 */
export function likelyEnd(hits: readonly SearchHit[]): LikelyEnd | undefined {
  const weights = new Map<string, number>();
  const counted = new Set<string>();
  let all = 0;
  for (const { run, origin, similarity } of hits) {
    const changes = endOf(run);
    if (changes === undefined || run.judged || run.outcome !== 'success' || counted.has(origin.bodyDigest)) continue;
    counted.add(origin.bodyDigest);
    const weight = Math.max(0, similarity) ** 2;
    weights.set(changes, (weights.get(changes) ?? 0) + weight);
    all += weight;
  }
  // Where nobody changes anything, that says nothing.
  if (all === 0 || [...weights.keys()].every((changes) => changes === '')) return undefined;
  const [changes, weight] = [...weights].reduce((most, next) => (next[1] > most[1] ? next : most));
  return { changes, share: weight / all };
}

/** Undefined where it is not known: rows from before it was. */
export function endOf(run: Pick<Partial<RunShape>, 'changes'>): string | undefined {
  return run.changes && [...new Set(run.changes)].sort().join('\n');
}

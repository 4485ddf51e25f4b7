import type { Row, VectorStore } from './ports.js';
import { insightNameOf } from './row-id.js';

const atOnce = 10_000;
/** An insight never has that many votes; a store that would not delete them must not keep us for ever. */
const mostLooks = 100;

/**
 * Deletes rows, and the votes on insights that are gone with them. Votes are looked for once more after the deletion: one that
 * is written later looks for its insight itself, and finds it gone.
 */
export async function deleteWithVotes(
  store: VectorStore,
  collectionId: string,
  ids: readonly string[],
  goneInsights: readonly string[],
): Promise<void> {
  const votes = goneInsights.length === 0 ? [] : await store.votesOn(collectionId, [...goneInsights], atOnce);
  const doomed = [...ids, ...votes];
  if (doomed.length > 0) await store.deleteRows(collectionId, doomed);
  if (goneInsights.length === 0) return;
  for (let looks = 0; looks < mostLooks; looks++) {
    const left = await store.votesOn(collectionId, [...goneInsights], atOnce);
    if (left.length === 0) return;
    await store.deleteRows(collectionId, left);
  }
}

/** The insights that none of the rows left has any more. */
export function goneInsightsOf(
  doomed: readonly Pick<Row, 'type' | 'jobId' | 'ordinal'>[],
  left: readonly Pick<Row, 'type' | 'jobId' | 'ordinal'>[],
): string[] {
  const staying = new Set(left.filter(isInsight).map(insightNameOf));
  return [...new Set(doomed.filter(isInsight).map(insightNameOf))].filter((name) => !staying.has(name));
}

function isInsight({ type }: Pick<Row, 'type'>): boolean {
  return type === 'insight';
}

import type { DeleteByIntentRequest, DeleteByIntentResult, IntentMatch } from '@whetstone/contracts';
import type { CallContext, Clock } from '@whetstone/platform';
import { reduceToIntent } from '@whetstone/reading';

import { checkCancelled } from './check-cancelled.js';
import { deleteUntilNone, headsOf, type Target } from './delete-matching.js';
import { cosine, embedIntent, reaches } from './intent/similarity.js';
import { addMarker, deletionTime, type MarkerLimits } from './markers.js';
import type { Embedder, RowHead, VectorStore } from './ports.js';
import { hasIntent } from './row-bodies.js';

interface DeleteByIntentDeps {
  store: VectorStore;
  embedder: Embedder;
  clock: Clock;
}

const listedMatches = 20;

/**
 * Deletes every insight whose intent is similar enough, exactly: this pages through the whole collection and computes
 * each cosine itself. The marker is written first: a row written behind the current page finds the marker in its own
 * `replace`.
 *
 * A run and its insights share one vector, so they match together; votes are deleted with their insight, and decisions
 * with the last insight of their lesson.
 */
export function createDeleteByIntent({ store, embedder, clock }: DeleteByIntentDeps, limits: MarkerLimits) {
  return async function deleteByIntent(
    request: DeleteByIntentRequest,
    { signal }: CallContext,
  ): Promise<DeleteByIntentResult> {
    const { collectionId, similarityThreshold: threshold, dryRun } = request;
    const intent = reduceToIntent(request.intent);
    const vector = await embedIntent(embedder, intent, 'interactive');
    checkCancelled(signal);
    const matches = (row: RowHead) => hasIntent(row) && reaches(cosine(vector, row.vector), threshold);
    const target: Target = { collectionId, matches, signal };
    if (dryRun) return countMatches(store, target, vector);

    const deletedAt = deletionTime(request.requestedAt, clock.now());
    await addMarker(store, { collectionId, intent, vector, threshold, deletedAt }, limits);
    return { deletedCount: await deleteUntilNone(store, target, deletedAt), matches: [] };
  };
}

export type DeleteByIntent = ReturnType<typeof createDeleteByIntent>;

async function countMatches(store: VectorStore, target: Target, vector: Float32Array): Promise<DeleteByIntentResult> {
  const result = { deletedCount: 0, matches: [] as IntentMatch[], remainingCount: 0 };
  for await (const page of headsOf(store, target)) {
    const insights = page.filter(({ type }) => type === 'insight');
    const found = insights.filter(target.matches);
    result.deletedCount += found.length;
    result.remainingCount += insights.length - found.length;
    const matches = found.map((row) => ({ id: row.id, intent: row.intent, similarity: cosine(vector, row.vector) }));
    result.matches = [...result.matches, ...matches].sort(bySimilarityThenId).slice(0, listedMatches);
  }
  return result;
}

function bySimilarityThenId(a: IntentMatch, b: IntentMatch): number {
  return a.similarity - b.similarity || (a.id < b.id ? -1 : 1);
}

import type { DeleteByIntentRequest, DeleteByIntentResult, IntentMatch, Micros } from '@whetstone/contracts';
import type { CallContext } from '@whetstone/platform';

import { checkCancelled } from './check-cancelled.js';
import { reduceToIntent } from './intent/reduce-to-intent.js';
import { cosine, embedIntent, reaches } from './intent/similarity.js';
import type { Embedder, PageOptions, RowHead, VectorStore } from './ports.js';
import { pagesOf } from './rows.js';
import { deleteWithVotes, insightNameOf } from './votes.js';

interface DeleteByIntentDeps {
  store: VectorStore;
  embedder: Embedder;
}

const pageRows = 1_000;
const listedMatches = 20;

/**
 * Deletes every insight whose intent is similar enough, exactly: index searches are approximate and limited, so this
 * pages through the whole collection and computes each cosine itself. The marker is written first: a row written behind
 * the current page finds the marker in its own `replace`.
 *
 * A run and its insights share one vector, so they match together; votes are deleted with their insight.
 */
export function createDeleteByIntent({ store, embedder }: DeleteByIntentDeps) {
  return async function deleteByIntent(
    request: DeleteByIntentRequest,
    { signal }: CallContext,
  ): Promise<DeleteByIntentResult> {
    const { collectionId, similarityThreshold: threshold, requestedAt: deletedAt, dryRun } = request;
    const intent = reduceToIntent(request.intent);
    const vector = await embedIntent(embedder, intent, 'interactive');
    checkCancelled(signal);
    const target: Target = { collectionId, vector, threshold, signal };
    if (dryRun) return countMatches(store, target);

    await store.addMarker({ collectionId, intent, vector, threshold, deletedAt });
    let pass = await deleteMatches(store, target);
    let deletedCount = pass.insights;
    while (pass.rows > 0) {
      // Only rows accepted before the request: chasing later ones might never end while matching uploads keep arriving.
      pass = await deleteMatches(store, { ...target, acceptedUntil: deletedAt });
      deletedCount += pass.insights;
    }
    return { deletedCount, matches: [] };
  };
}

export type DeleteByIntent = ReturnType<typeof createDeleteByIntent>;

interface Target {
  collectionId: string;
  vector: Float32Array;
  threshold: number;
  acceptedUntil?: Micros;
  signal: AbortSignal | undefined;
}

interface Match extends IntentMatch {
  /** Name of the insight, if the row is one. */
  insight?: string;
}

/** Matching rows of the whole collection, page by page; skips pages without a match. */
async function* matchingPages(store: VectorStore, target: Target): AsyncGenerator<Match[]> {
  const read = (page: PageOptions) => {
    checkCancelled(target.signal);
    return store.pageHeads(target.collectionId, page);
  };
  for await (const rows of pagesOf(read, pageRows)) {
    const matches = rows.flatMap((row) => matchOf(row, target));
    if (matches.length > 0) yield matches;
  }
}

function matchOf(row: RowHead, target: Target): Match[] {
  const { id, intent, vector, acceptedAt, type } = row;
  if (type === 'vote' || acceptedAt > (target.acceptedUntil ?? Number.POSITIVE_INFINITY)) return [];
  const similarity = cosine(target.vector, vector);
  if (!reaches(similarity, target.threshold)) return [];
  return [{ id, intent, similarity, ...(type === 'insight' ? { insight: insightNameOf(row) } : {}) }];
}

async function deleteMatches(store: VectorStore, target: Target): Promise<{ rows: number; insights: number }> {
  const pass = { rows: 0, insights: 0 };
  for await (const matches of matchingPages(store, target)) {
    const ids = matches.map(({ id }) => id);
    const insights = matches.flatMap(({ insight }) => insight ?? []);
    await deleteWithVotes(store, target.collectionId, ids, insights);
    pass.rows += ids.length;
    pass.insights += insights.length;
  }
  return pass;
}

async function countMatches(store: VectorStore, target: Target): Promise<DeleteByIntentResult> {
  let deletedCount = 0;
  let matches: IntentMatch[] = [];
  for await (const page of matchingPages(store, target)) {
    const insights = page.filter(({ insight }) => insight !== undefined);
    deletedCount += insights.length;
    matches = [...matches, ...insights].sort(bySimilarityThenId).slice(0, listedMatches);
  }
  return { deletedCount, matches: matches.map(({ id, intent, similarity }) => ({ id, intent, similarity })) };
}

function bySimilarityThenId(a: IntentMatch, b: IntentMatch): number {
  return a.similarity - b.similarity || (a.id < b.id ? -1 : 1);
}

import type { ReplaceRequest, ReplaceResult } from '@whetstone/contracts';
import { prefixOfCollection } from '@whetstone/identity';
import { AppError, type CallContext } from '@whetstone/platform';

import { checkCancelled } from './check-cancelled.js';
import { reduceToIntent } from './intent/reduce-to-intent.js';
import { covers, embedIntent } from './intent/similarity.js';
import type { Embedder, Row, VectorStore } from './ports.js';
import { buildRows } from './rows.js';
import { deleteWithVotes, orphanedVotes, removedInsights } from './votes.js';

interface ReplaceDeps {
  store: VectorStore;
  embedder: Embedder;
}

interface ReplaceConfig {
  maxCollectionsPerAccount: number;
}

/**
 * Stores the result of one attempt at a job, so that a job delivered any number of times is stored once.
 *
 * Write, then check: once its rows are durable, the attempt reads what else there is and withdraws itself if a later
 * attempt or a deletion won. Of two attempts, at least the one that checks last sees the other; a deletion either
 * leaves its marker before this check, or pages through the rows after this write. The run row is written even if
 * nothing was learnt, so that an older attempt that resumes late finds the newer one. A vote checks for its insight in
 * the same way; it stays as long as the insight does, even if a deletion removes the run that cast it.
 */
export function createReplace({ store, embedder }: ReplaceDeps, { maxCollectionsPerAccount }: ReplaceConfig) {
  return async function replace(request: ReplaceRequest, { signal }: CallContext): Promise<ReplaceResult> {
    const { collectionId } = request;
    await ensureCollection(store, collectionId, maxCollectionsPerAccount);
    const intent = reduceToIntent(request.intent);
    const vector = await embedIntent(embedder, intent, 'background');
    checkCancelled(signal);

    const own = buildRows(request, intent, vector);
    await store.upsert(collectionId, own);
    return settle(store, request, own);
  };
}

export type Replace = ReturnType<typeof createReplace>;

async function settle(store: VectorStore, request: ReplaceRequest, own: Row[]): Promise<ReplaceResult> {
  const { collectionId, jobId, attempt } = request;
  const [run] = own as [Row];
  const [rows, markers, orphaned] = await Promise.all([
    store.rowsOfJob(collectionId, jobId),
    store.markers(collectionId),
    orphanedVotes(store, collectionId, own),
  ]);
  const supersededBy = latestAfter(attempt, rows);
  const deleted = markers.some((marker) => covers(marker, run));
  const isDoomed = (row: Row) =>
    row.attempt < attempt ||
    (row.attempt === attempt &&
      (supersededBy !== undefined || (deleted && row.type !== 'vote') || orphaned.has(row.id)));
  const doomed = [...new Map([...own, ...rows].map((row) => [row.id, row])).values()].filter(isDoomed);
  const left = rows.filter((row) => !isDoomed(row));
  const ids = doomed.map(({ id }) => id);
  await deleteWithVotes(store, collectionId, ids, removedInsights(doomed, left));
  if (supersededBy !== undefined) return { outcome: 'superseded', insightsStored: 0, supersededBy };
  if (deleted) return { outcome: 'deleted', insightsStored: 0 };
  return { outcome: 'stored', insightsStored: request.insights.length };
}

function latestAfter(attempt: string, rows: Row[]): string | undefined {
  const attempts = rows.map((row) => row.attempt).filter((other) => other > attempt);
  return attempts.sort().at(-1);
}

/**
 * Creates the collection if needed. Two concurrent first writes may exceed the limit by one: an exact count would need
 * a lock across indexers, and the limit only has to stop thousands.
 */
async function ensureCollection(store: VectorStore, collectionId: string, limit: number): Promise<void> {
  if (await store.hasCollection(collectionId)) return;
  if ((await store.countCollections(prefixOfCollection(collectionId))) >= limit) {
    throw new AppError(
      'too_many_collections',
      `The account has reached its limit of ${limit} collections; use an existing tenant_id or ask for a higher limit`,
    );
  }
  await store.createCollection(collectionId);
}

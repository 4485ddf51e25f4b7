import type { ReplaceRequest, ReplaceResult } from '@whetstone/contracts';
import { prefixOfCollection } from '@whetstone/identity';
import { AppError, type CallContext } from '@whetstone/platform';

import { checkCancelled } from './check-cancelled.js';
import { reduceToIntent } from './intent/reduce-to-intent.js';
import { covers, embedIntent } from './intent/similarity.js';
import type { Embedder, Row, VectorStore } from './ports.js';
import { buildRows } from './rows.js';
import { deleteWithVotes, goneInsightsOf, votesOnNothing } from './votes.js';

interface ReplaceDeps {
  store: VectorStore;
  embedder: Embedder;
}

interface ReplaceConfig {
  maxCollectionsPerAccount: number;
}

/**
 * Stores what one attempt at a job has made of it, so that a job delivered any number of times is stored once.
 *
 * Write, then look: after its own rows are durable the attempt reads what else there is, and withdraws itself where a later
 * attempt or a deletion has been faster. Of two attempts at least the one that looks last sees the other; a deletion
 * either leaves its marker before this look, or pages through the rows after this write. The run's row is always
 * written, also when there is nothing to learn, so that an older attempt that wakes up late finds a newer one. A vote looks
 * for the insight that it is on in the same way: it stays where that is, also if a deletion takes the run that cast it.
 */
export function createReplace({ store, embedder }: ReplaceDeps, { maxCollectionsPerAccount }: ReplaceConfig) {
  return async function replace(request: ReplaceRequest, { signal }: CallContext): Promise<ReplaceResult> {
    const { collectionId } = request;
    await placeCollection(store, collectionId, maxCollectionsPerAccount);
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
  const [rows, markers, vain] = await Promise.all([
    store.rowsOfJob(collectionId, jobId),
    store.markers(collectionId),
    votesOnNothing(store, collectionId, own),
  ]);
  const supersededBy = latestAfter(attempt, rows);
  const deleted = markers.some((marker) => covers(marker, run));
  const isDoomed = (row: Row) =>
    row.attempt < attempt ||
    (row.attempt === attempt && (supersededBy !== undefined || (deleted && row.type !== 'vote') || vain.has(row.id)));
  const doomed = [...new Map([...own, ...rows].map((row) => [row.id, row])).values()].filter(isDoomed);
  const left = rows.filter((row) => !isDoomed(row));
  const ids = doomed.map(({ id }) => id);
  await deleteWithVotes(store, collectionId, ids, goneInsightsOf(doomed, left));
  if (supersededBy !== undefined) return { outcome: 'superseded', insightsStored: 0, supersededBy };
  if (deleted) return { outcome: 'deleted', insightsStored: 0 };
  return { outcome: 'stored', insightsStored: request.insights.length };
}

function latestAfter(attempt: string, rows: Row[]): string | undefined {
  const attempts = rows.map((row) => row.attempt).filter((other) => other > attempt);
  return attempts.sort().at(-1);
}

/**
 * Makes sure that a collection is there to be written to. Two first writes at one moment may exceed the limit by one: it
 * guards the store against thousands, and a count that is exact would need a lock across indexers.
 */
async function placeCollection(store: VectorStore, collectionId: string, limit: number): Promise<void> {
  if (await store.hasCollection(collectionId)) return;
  if ((await store.countCollections(prefixOfCollection(collectionId))) >= limit) {
    throw new AppError(
      'too_many_collections',
      `The account has reached its limit of ${limit} collections; use an existing tenant_id or ask for a higher limit`,
    );
  }
  await store.createCollection(collectionId);
}

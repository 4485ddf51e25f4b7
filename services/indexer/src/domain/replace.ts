import type { ReplaceRequest, ReplaceResult } from '@whetstone/contracts';
import type { CallContext } from '@whetstone/platform';

import { buildRows } from './build-rows.js';
import { checkCancelled } from './check-cancelled.js';
import { deleteWithVotes, goneInsightsOf } from './delete-with-votes.js';
import { embedIntent } from './embed-intent.js';
import { covers } from './intent-match.js';
import { placeCollection } from './place-collection.js';
import type { Embedder, Row, VectorStore } from './ports.js';
import { reduceToIntent } from './reduce-to-intent.js';
import { votesOnNothing } from './votes-on-nothing.js';

export interface ReplaceDeps {
  store: VectorStore;
  embedder: Embedder;
}

export interface ReplaceConfig {
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

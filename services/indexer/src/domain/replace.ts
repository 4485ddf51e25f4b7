import type { Micros, ReplaceRequest, ReplaceResult } from '@whetstone/contracts';
import { prefixOfCollection } from '@whetstone/identity';
import { AppError, type CallContext, type Clock, isAppError } from '@whetstone/platform';

import { checkCancelled } from './check-cancelled.js';
import { reduceToIntent } from './intent/reduce-to-intent.js';
import { embedIntent } from './intent/similarity.js';
import { covers, erases, isImplausible } from './markers.js';
import type { Embedder, Row, VectorStore } from './ports.js';
import { buildRows } from './rows.js';
import { deleteWithVotes, orphanedVotes } from './votes.js';

interface ReplaceDeps {
  store: VectorStore;
  embedder: Embedder;
  clock: Clock;
  /** Called with the rows of an attempt that stay. */
  onStored?(collectionId: string, rows: readonly Row[]): void;
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
export function createReplace(
  { store, embedder, clock, onStored }: ReplaceDeps,
  { maxCollectionsPerAccount }: ReplaceConfig,
) {
  return async function replace(request: ReplaceRequest, { signal }: CallContext): Promise<ReplaceResult> {
    const { collectionId } = request;
    const acceptedAt = comparableTime(request.origin.acceptedAt, clock.now());
    const prepare = () => prepareCollection(store, collectionId, acceptedAt, maxCollectionsPerAccount);
    if ((await prepare()) === 'erased') return deletedResult;
    const intent = reduceToIntent(request.intent);
    const vector = await embedIntent(embedder, intent, 'background');
    checkCancelled(signal);

    const own = buildRows(request, intent, vector);
    if ((await write(store, own, prepare)) === 'erased') return deletedResult;
    const result = await settle(store, request, own, acceptedAt);
    if (result.outcome === 'stored') onStored?.(collectionId, own);
    return result;
  };
}

export type Replace = ReturnType<typeof createReplace>;

type Prepared = 'ready' | 'erased';

const deletedResult: ReplaceResult = { outcome: 'deleted', insightsStored: 0 };

/**
 * When the upload was accepted, as far as deletions are concerned. If its time lies far ahead, a clock has been set back
 * since: the upload then counts as older than every deletion, because nothing that was deleted may come back.
 */
function comparableTime(acceptedAt: Micros, now: Micros): Micros {
  return isImplausible(acceptedAt, now) ? 0 : acceptedAt;
}

const mostTries = 5;

/** Writes rows of one collection. If that is erased and removed meanwhile, prepares it again. */
async function write(store: VectorStore, rows: Row[], prepare: () => Promise<Prepared>): Promise<Prepared> {
  const [{ collectionId }] = rows as [Row];
  for (let tries = 1; ; tries++) {
    try {
      await store.upsert(collectionId, rows);
      return 'ready';
    } catch (error) {
      if (!isAppError(error, 'collection_missing') || tries === mostTries) throw error;
    }
    if ((await prepare()) === 'erased') return 'erased';
  }
}

async function settle(
  store: VectorStore,
  request: ReplaceRequest,
  own: Row[],
  acceptedAt: Micros,
): Promise<ReplaceResult> {
  const { collectionId, jobId, attempt } = request;
  const [run] = own as [Row];
  const [rows, markers, orphaned] = await Promise.all([
    store.rowsOfJobs(collectionId, [jobId]),
    store.markers(collectionId, acceptedAt),
    orphanedVotes(store, collectionId, own),
  ]);
  const supersededBy = latestAfter(attempt, rows);
  const deleted = markers.some((marker) => covers(marker, { ...run, acceptedAt }));
  const erased = markers.some(erases);
  const isDoomed = (row: Row) =>
    row.attempt < attempt ||
    (row.attempt === attempt &&
      (supersededBy !== undefined || erased || (deleted && row.type !== 'vote') || orphaned.has(row.id)));
  const doomed = [...new Map([...own, ...rows].map((row) => [row.id, row])).values()].filter(isDoomed);
  await deleteWithVotes(store, collectionId, doomed);
  // The erasure may have found these rows and left the collection because of them.
  if (erased) await store.removeIfEmpty(collectionId);
  if (supersededBy !== undefined) return { outcome: 'superseded', insightsStored: 0, supersededBy };
  return deleted ? deletedResult : { outcome: 'stored', insightsStored: request.insights.length };
}

function latestAfter(attempt: string, rows: Row[]): string | undefined {
  const attempts = rows.map((row) => row.attempt).filter((other) => other > attempt);
  return attempts.sort().at(-1);
}

/**
 * Creates the collection if needed, but not for an upload that was erased with it. Two concurrent first writes may
 * exceed the limit by one: an exact count would need a lock across indexers, and the limit only has to stop thousands.
 */
async function prepareCollection(
  store: VectorStore,
  collectionId: string,
  acceptedAt: Micros,
  limit: number,
): Promise<Prepared> {
  if (await store.hasCollection(collectionId)) return 'ready';
  if ((await store.markers(collectionId, acceptedAt)).some(erases)) return 'erased';
  if ((await store.countCollections(prefixOfCollection(collectionId))) >= limit) {
    throw new AppError(
      'too_many_collections',
      `The account has reached its limit of ${limit} collections; use an existing tenant_id or ask for a higher limit`,
    );
  }
  await store.createCollection(collectionId);
  return 'ready';
}

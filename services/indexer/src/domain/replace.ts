import type { Micros, ReplaceRequest, ReplaceResult, StoredLesson } from '@whetstone/contracts';
import type { CallContext, Clock } from '@whetstone/platform';
import { reduceToIntent } from '@whetstone/reading';

import { checkCancelled } from './check-cancelled.js';
import { deleteWithVotes } from './delete-rows.js';
import { lessonIdOf } from './insight-names.js';
import { embedIntent } from './intent/similarity.js';
import { covers, erases, isImplausible, isOfLesson } from './markers.js';
import type { Embedder, Row, VectorStore } from './ports.js';
import { prepareCollection, writeRows } from './prepare-collection.js';
import { readInsightBody } from './row-bodies.js';
import { buildRows } from './rows.js';
import { orphanedVotes } from './votes.js';

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
 *
 * What was deleted already is not written at all: the deletion would chase it, through a backlog of any length.
 */
export function createReplace(
  { store, embedder, clock, onStored }: ReplaceDeps,
  { maxCollectionsPerAccount }: ReplaceConfig,
) {
  return async function replace(request: ReplaceRequest, { signal }: CallContext): Promise<ReplaceResult> {
    const { collectionId } = request;
    const place = { collectionId, acceptedAt: comparableTime(request.origin.acceptedAt, clock.now()) };
    const prepare = () => prepareCollection(store, place, maxCollectionsPerAccount);
    const [prepared, markers] = await Promise.all([prepare(), store.markers(collectionId, place.acceptedAt)]);
    if (prepared === 'erased') return deletedResult;
    if (markers.some(erases)) return removeErased(store, collectionId, request.origin.jobId);
    const intent = reduceToIntent(request.intent);
    const vector = await embedIntent(embedder, intent, 'background');
    checkCancelled(signal);

    const own = buildRows(request, intent, vector);
    const isDeleted = (row: Row) => markers.some((marker) => covers(marker, { ...row, acceptedAt: place.acceptedAt }));
    const kept = own.filter((row) => !isDeleted(row));
    if (kept.length > 0 && (await writeRows(store, kept, prepare)) === 'erased') return deletedResult;
    const result = await settle(store, own, place.acceptedAt);
    if (result.outcome === 'stored') onStored?.(collectionId, own);
    return result;
  };
}

export type Replace = ReturnType<typeof createReplace>;

const deletedResult: ReplaceResult = { outcome: 'deleted', insightsStored: 0 };

/** An earlier attempt may have written after the erasure passed by, and crashed before its check. */
async function removeErased(store: VectorStore, collectionId: string, jobId: string): Promise<ReplaceResult> {
  const rows = await store.rowsOfJobs(collectionId, [jobId]);
  await deleteWithVotes(store, collectionId, rows, { decisions: true });
  await store.removeIfEmpty(collectionId);
  return deletedResult;
}

/**
 * When the upload was accepted, as far as deletions are concerned. If its time lies far ahead, a clock has been set back
 * since: the upload then counts as older than every deletion, because nothing that was deleted may come back.
 */
export function comparableTime(acceptedAt: Micros, now: Micros): Micros {
  return isImplausible(acceptedAt, now) ? 0 : acceptedAt;
}

/** Decides which of the rows of one attempt stay, once they are written. All rows share one job and one vector. */
export async function settle(store: VectorStore, own: readonly Row[], acceptedAt: Micros): Promise<ReplaceResult> {
  const [first] = own as [Row];
  const { collectionId, jobId, attempt } = first;
  const [rows, markers, orphaned] = await Promise.all([
    store.rowsOfJobs(collectionId, [jobId]),
    store.markers(collectionId, acceptedAt),
    orphanedVotes(store, collectionId, own),
  ]);
  const supersededBy = latestAfter(attempt, rows);
  const erased = markers.some(erases);
  const insights = own.filter(({ type }) => type === 'insight');
  const ofLessons = markers.filter(isOfLesson);
  const forgotten = new Set(
    insights.filter((row) => ofLessons.some((marker) => covers(marker, { ...row, acceptedAt }))).map(({ id }) => id),
  );
  const allForgotten = insights.length > 0 && forgotten.size === insights.length;
  const deleted = allForgotten || markers.some((marker) => covers(marker, { ...first, acceptedAt }));
  const isDoomed = (row: Row) =>
    row.attempt < attempt ||
    (row.attempt === attempt &&
      (supersededBy !== undefined ||
        erased ||
        (deleted && row.type !== 'vote') ||
        forgotten.has(row.id) ||
        orphaned.has(row.id)));
  const doomed = [...new Map([...own, ...rows].map((row) => [row.id, row])).values()].filter(isDoomed);
  // A deletion that met these rows has left the decisions about their lessons.
  await deleteWithVotes(store, collectionId, doomed, { decisions: deleted || forgotten.size > 0 });
  // The erasure may have found these rows and left the collection because of them.
  if (erased) await store.removeIfEmpty(collectionId);
  if (supersededBy !== undefined) return { outcome: 'superseded', insightsStored: 0, supersededBy };
  if (deleted) return deletedResult;
  const stored = insights.filter(({ id }) => !forgotten.has(id));
  return { outcome: 'stored', insightsStored: stored.length, lessons: stored.map(storedLesson) };
}

function storedLesson({ name, body }: Row): StoredLesson {
  return { id: lessonIdOf(name), title: readInsightBody(body).insight.title };
}

function latestAfter(attempt: string, rows: Row[]): string | undefined {
  const attempts = rows.map((row) => row.attempt).filter((other) => other > attempt);
  return attempts.sort().at(-1);
}

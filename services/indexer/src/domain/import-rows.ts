import { checkCancelled } from './check-cancelled.js';
import { decisionOf, silences } from './decisions.js';
import { deleteWithVotes } from './delete-rows.js';
import { groupBy } from './group-by.js';
import { covers, erases } from './markers.js';
import type { DeletionMarker, PageOptions, Row, VectorStore } from './ports.js';
import { pagesOf, upgradedRow } from './rows.js';
import { orphanedVotes } from './votes.js';

export interface ImportOptions {
  /** Also import rows that a deletion by intent has removed since. */
  includeDeleted: boolean;
}

/** Row counts. */
export interface ImportResult {
  stored: number;
  superseded: number;
  deleted: number;
}

/**
 * Imports rows from an export into collections of the same ids. Idempotent, and safe while jobs are processed: like
 * `replace` it writes first and checks afterwards, so it never undoes a later attempt or a deletion. Import votes after
 * their insights: a vote whose insight is missing counts as deleted. Rows of earlier versions are stored in the current
 * format. Decisions need no insight, and none supersedes another.
 */
export function importRows(store: VectorStore, rows: Row[], { includeDeleted }: ImportOptions): Promise<ImportResult> {
  const markersOf = async (collectionId: string) => (includeDeleted ? [] : store.markers(collectionId, 0));
  return storeRows(store, rows, markersOf);
}

/** Like `importRows`, with the deletions that the caller chooses; asks for them after the rows are written. */
export async function storeRows(
  store: VectorStore,
  rows: Row[],
  markersOf: (collectionId: string) => Promise<DeletionMarker[]>,
): Promise<ImportResult> {
  const result: ImportResult = { stored: 0, superseded: 0, deleted: 0 };
  for (const [collectionId, given] of groupBy(rows, (row) => row.collectionId)) {
    const ofCollection = given.map((row) => upgradedRow(row));
    await store.createCollection(collectionId);
    await store.upsert(collectionId, ofCollection);
    const { superseded, deleted, replaced } = await unwanted(store, collectionId, ofCollection, markersOf);
    await deleteWithVotes(store, collectionId, [...superseded, ...deleted, ...replaced]);
    result.superseded += superseded.length;
    result.deleted += deleted.length;
    result.stored += ofCollection.length - superseded.length - deleted.length;
  }
  return result;
}

async function unwanted(
  store: VectorStore,
  collectionId: string,
  rows: Row[],
  markersOf: (collectionId: string) => Promise<DeletionMarker[]>,
) {
  const markers = await markersOf(collectionId);
  const orphaned = await orphanedVotes(store, collectionId, rows);
  const sorted = { superseded: [] as Row[], deleted: [] as Row[], replaced: [] as Row[] };
  const ofJobs = groupBy(rows, (row) => row.jobId);
  const there = groupBy(await store.rowsOfJobs(collectionId, [...ofJobs.keys()]), (row) => row.jobId);
  for (const [jobId, ofJob] of ofJobs) {
    const stored = there.get(jobId) ?? [];
    const last =
      stored
        .map(({ attempt }) => attempt)
        .toSorted()
        .at(-1) ?? '';
    const imported = new Set(ofJob.map(({ id }) => id));
    const isSuperseded = ({ type, attempt }: Row) => type !== 'decision' && attempt < last;
    for (const row of ofJob) {
      if (isSuperseded(row)) sorted.superseded.push(row);
      else if (orphaned.has(row.id) || isDeleted(markers, row)) sorted.deleted.push(row);
    }
    sorted.replaced.push(...stored.filter((row) => !imported.has(row.id) && isSuperseded(row)));
  }
  return sorted;
}

/** A lesson that was muted or rejected stays so, even if it was deleted. */
function isDeleted(markers: readonly DeletionMarker[], row: Row): boolean {
  const decision = row.type === 'decision' ? decisionOf(row) : undefined;
  const applicable = decision && silences(decision) ? markers.filter(erases) : markers;
  return applicable.some((marker) => covers(marker, row));
}

export interface UpgradeOptions {
  signal?: AbortSignal;
  /** Called after every page. */
  onProgress?: (progress: UpgradeResult) => void;
}

export interface UpgradeResult {
  upgraded: number;
}

const pageRows = 300;

/**
 * Rewrites rows of earlier versions in the current format while the store serves. Idempotent: rows in the current
 * format stay untouched.
 *
 * Like `replace` it writes first and checks afterwards: a row removed meanwhile by a deletion or a later attempt does
 * not come back. Skips rows that a deletion already covers: they were re-imported on purpose or are about to be
 * deleted.
 */
export async function upgradeRows(
  { store }: { store: VectorStore },
  { signal, onProgress }: UpgradeOptions = {},
): Promise<UpgradeResult> {
  let upgraded = 0;
  for (const collectionId of await store.listCollections()) {
    const read = (page: PageOptions) => {
      checkCancelled(signal);
      return store.page(collectionId, page);
    };
    for await (const page of pagesOf(read, pageRows)) {
      upgraded += (await upgradeThese(store, collectionId, page)).length;
      onProgress?.({ upgraded });
    }
  }
  return { upgraded };
}

/** The same for the rows of some jobs. Returns the rows as they are now. */
export async function upgradeJobs(store: VectorStore, collectionId: string, jobs: readonly string[]): Promise<Row[]> {
  return upgradeThese(store, collectionId, await store.rowsOfJobs(collectionId, [...jobs]));
}

async function upgradeThese(store: VectorStore, collectionId: string, rows: readonly Row[]): Promise<Row[]> {
  const markers = await store.markers(collectionId, 0);
  const better = rows.flatMap((row) => {
    const upgraded = upgradedRow(row);
    return upgraded === row || markers.some((marker) => covers(marker, row)) ? [] : [upgraded];
  });
  if (better.length > 0) await storeRows(store, better, (id) => store.markers(id, 0));
  return better;
}

import { checkCancelled } from './check-cancelled.js';
import { covers } from './intent/similarity.js';
import type { DeletionMarker, Row, VectorStore } from './ports.js';
import { upgradedRow } from './rows.js';
import { deleteWithVotes, goneInsightsOf, votesOnNothing } from './votes.js';

export interface ImportOptions {
  /** Also what a deletion by intent has removed since. */
  includeDeleted: boolean;
}

/** How many rows were stored, and how many were not and why. */
export interface ImportResult {
  stored: number;
  superseded: number;
  deleted: number;
}

/**
 * Stores rows of an export, in collections of the same ids. As often as one likes, and while jobs are processed: like
 * `replace` it writes first and looks then, so that a later attempt at a job, or a deletion, is not undone. Votes come after
 * the insights that they are on: one whose insight is not there counts as deleted. Rows of earlier versions are stored as
 * this version would have written them.
 */
export function importRows(store: VectorStore, rows: Row[], { includeDeleted }: ImportOptions): Promise<ImportResult> {
  const markersOf = async (collectionId: string) => (includeDeleted ? [] : store.markers(collectionId));
  return storeRows(store, rows, markersOf);
}

/** The same, where the caller says which deletions count in a collection. They are asked for after the rows are written. */
export async function storeRows(
  store: VectorStore,
  rows: Row[],
  markersOf: (collectionId: string) => Promise<DeletionMarker[]>,
): Promise<ImportResult> {
  const result: ImportResult = { stored: 0, superseded: 0, deleted: 0 };
  for (const [collectionId, ofCollection] of groupBy(rows, (row) => row.collectionId)) {
    await store.createCollection(collectionId);
    await store.upsert(
      collectionId,
      ofCollection.map((row) => upgradedRow(row)),
    );
    const { superseded, deleted, replaced, left } = await unwanted(store, collectionId, ofCollection, markersOf);
    const doomed = [...superseded, ...deleted, ...replaced];
    const ids = doomed.map(({ id }) => id);
    await deleteWithVotes(store, collectionId, ids, goneInsightsOf(doomed, left));
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
  const vain = await votesOnNothing(store, collectionId, rows);
  const sorted = { superseded: [] as Row[], deleted: [] as Row[], replaced: [] as Row[], left: [] as Row[] };
  for (const [jobId, ofJob] of groupBy(rows, (row) => row.jobId)) {
    const there = await store.rowsOfJob(collectionId, jobId);
    const last =
      there
        .map(({ attempt }) => attempt)
        .toSorted()
        .at(-1) ?? '';
    const imported = new Set(ofJob.map(({ id }) => id));
    for (const row of ofJob) {
      if (row.attempt < last) sorted.superseded.push(row);
      else if (vain.has(row.id) || markers.some((marker) => covers(marker, row))) sorted.deleted.push(row);
      else sorted.left.push(row);
    }
    for (const row of there.filter(({ id }) => !imported.has(id))) {
      if (row.attempt < last) sorted.replaced.push(row);
      else sorted.left.push(row);
    }
  }
  return sorted;
}

function groupBy<Item>(items: Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

interface UpgradeDeps {
  store: VectorStore;
}

export interface UpgradeOptions {
  signal?: AbortSignal;
  /** Told after every page. */
  onProgress?: (progress: UpgradeResult) => void;
}

export interface UpgradeResult {
  upgraded: number;
}

const pageRows = 300;

/**
 * Writes the rows of earlier versions anew, as this version would have written them, while the store serves. As often as one
 * likes: a row that has nothing to gain is left alone.
 *
 * Like `replace` this writes first and looks then: a row that a deletion or a later attempt takes away meanwhile does not come
 * back. One that a deletion covers already is left as it is: it was brought back on purpose, or is about to go.
 */
export async function upgradeRows(
  { store }: UpgradeDeps,
  { signal, onProgress }: UpgradeOptions = {},
): Promise<UpgradeResult> {
  let upgraded = 0;

  async function upgradePage(collectionId: string, page: Row[]): Promise<void> {
    const markers = await store.markers(collectionId);
    const better = page.filter((row) => upgradedRow(row) !== row && !markers.some((marker) => covers(marker, row)));
    if (better.length > 0) {
      const { stored } = await storeRows(store, better, (id) => store.markers(id));
      upgraded += stored;
    }
    onProgress?.({ upgraded });
  }

  for (const collectionId of await store.listCollections()) {
    let after: string | undefined;
    do {
      checkCancelled(signal);
      const page = await store.page(collectionId, { limit: pageRows, ...(after === undefined ? {} : { after }) });
      await upgradePage(collectionId, page);
      after = page.length < pageRows ? undefined : page.at(-1)?.id;
    } while (after !== undefined);
  }
  return { upgraded };
}

import type { Micros } from '@whetstone/contracts';

import { checkCancelled } from './check-cancelled.js';
import { deleteWithVotes } from './delete-rows.js';
import type { PageOptions, RowHead, VectorStore } from './ports.js';
import { pagesOf } from './rows.js';

/** Which rows of a collection a deletion is about. */
export interface Target {
  collectionId: string;
  matches(row: RowHead): boolean;
  signal: AbortSignal | undefined;
  /** Also the runs whose last insight goes. */
  withRuns?: boolean;
}

interface Deleted {
  rows: number;
  insights: number;
}

const pageRows = 1_000;

/** All rows of the collection, page by page: index searches are approximate and limited. */
export function headsOf(
  store: VectorStore,
  { collectionId, signal }: Pick<Target, 'collectionId' | 'signal'>,
): AsyncGenerator<RowHead[]> {
  const read = (page: PageOptions) => {
    checkCancelled(signal);
    return store.pageHeads(collectionId, page);
  };
  return pagesOf(read, pageRows);
}

/**
 * Goes through the collection once and deletes the rows that match, with the votes on their insights and the decisions
 * about lessons that are gone.
 */
export async function deleteMatching(store: VectorStore, target: Target): Promise<Deleted> {
  const deleted: Deleted = { rows: 0, insights: 0 };
  for await (const page of headsOf(store, target)) {
    const rows = page.filter((row) => target.matches(row));
    if (rows.length === 0) continue;
    await deleteWithVotes(store, target.collectionId, rows, { decisions: true, runs: target.withRuns === true });
    deleted.rows += rows.length;
    deleted.insights += rows.filter(({ type }) => type === 'insight').length;
  }
  return deleted;
}

/** Deletes what matches until nothing is left that was accepted before the deletion. Returns the number of insights. */
export async function deleteUntilNone(store: VectorStore, target: Target, deletedAt: Micros): Promise<number> {
  let pass = await deleteMatching(store, target);
  let insights = pass.insights;
  while (pass.rows > 0) {
    // Only rows accepted before the request: chasing later ones might never end while matching uploads keep arriving.
    const matches = (row: RowHead) => row.acceptedAt <= deletedAt && target.matches(row);
    pass = await deleteMatching(store, { ...target, matches });
    insights += pass.insights;
  }
  return insights;
}

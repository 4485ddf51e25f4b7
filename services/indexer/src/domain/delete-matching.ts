import { checkCancelled } from './check-cancelled.js';
import type { PageOptions, RowHead, VectorStore } from './ports.js';
import { pagesOf } from './rows.js';
import { deleteWithVotes } from './votes.js';

/** Which rows of a collection a deletion is about. */
export interface Target {
  collectionId: string;
  matches(row: RowHead): boolean;
  signal: AbortSignal | undefined;
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

/** Goes through the collection once and deletes the rows that match, with the votes on their insights. */
export async function deleteMatching(store: VectorStore, target: Target): Promise<Deleted> {
  const deleted: Deleted = { rows: 0, insights: 0 };
  for await (const page of headsOf(store, target)) {
    const rows = page.filter((row) => target.matches(row));
    if (rows.length === 0) continue;
    await deleteWithVotes(store, target.collectionId, rows);
    deleted.rows += rows.length;
    deleted.insights += rows.filter(({ type }) => type === 'insight').length;
  }
  return deleted;
}

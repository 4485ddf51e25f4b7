import { deleteWithVotes } from './delete-rows.js';
import { groupBy } from './group-by.js';
import { isInsightName } from './insight-names.js';
import { covers } from './markers.js';
import type { DatedVote, DeletionMarker, Row, VectorStore } from './ports.js';
import { type InsightBody, readInsightBody } from './row-bodies.js';
import { rowIdOf } from './rows.js';
import { hasVote, tallyOf } from './tally.js';
import { voteNamesOf } from './votes.js';

const maxVotes = 4_096;

export interface Repaired {
  /** Of the names, without what was deleted. */
  rows: Row[];
  /** On these rows, by what they are about. */
  votes: ReadonlyMap<string, DatedVote[]>;
  /** Rows. */
  deleted: number;
}

/** Undoes or completes what a crash left unfinished. */
export async function repair(
  store: VectorStore,
  collectionId: string,
  names: readonly string[],
  { checkLease }: { checkLease(): void },
): Promise<Repaired> {
  const rows = await store.rowsNamed(collectionId, [...names]);
  const merged = rows.filter(isConsolidated).map((row) => ({ row, tally: tallyOf(bodyOf(row)) }));
  const there = new Set(rows.map(({ id }) => id));
  const from = Math.min(...merged.map(({ row }) => row.acceptedAt));
  const markers = merged.length > 0 ? await store.markers(collectionId, from) : [];
  const doomed = new Set<Row>();
  for (const { row, tally } of merged) {
    const isUnfinished = tally.absorbed.length > 0 && tally.absorbed.every((id) => there.has(id));
    if (isUnfinished || isCovered(markers.filter(isBefore(row)), row)) doomed.add(row);
    else for (const source of rows) if (tally.absorbed.includes(source.id)) doomed.add(source);
  }
  const left = rows.filter((row) => !doomed.has(row));
  const cast = await store.votesOn(collectionId, [...new Set(left.flatMap(voteNamesOf))], maxVotes);
  const tallies = new Map(merged.filter(({ row }) => !doomed.has(row)).map(({ row, tally }) => [row.name, tally]));
  const isTallied = ({ about, tokenDigest }: DatedVote) => {
    const tally = tallies.get(about.slice(0, about.lastIndexOf('/')));
    return tally !== undefined && hasVote(tally, tokenDigest);
  };
  const counted = cast.filter(isTallied);
  if (doomed.size + counted.length > 0) {
    checkLease();
    await deleteWithVotes(store, collectionId, withRuns(collectionId, [...doomed]), { decisions: true });
    await deleteIds(store, collectionId, counted.map(idOf));
  }
  const votes = groupBy(
    cast.filter((vote) => !isTallied(vote)),
    ({ about }) => about,
  );
  return { rows: left, votes, deleted: doomed.size + counted.length };
}

/** How much the clocks of two processes may differ. */
const clockMargin = 60 * 60 * 1_000_000;

/**
 * A merged row that was written after a deletion that covers it has come back: a crash kept it from looking. An older one
 * was imported again on purpose.
 */
function isBefore({ attempt }: Row): (marker: DeletionMarker) => boolean {
  return ({ deletedAt }) => deletedAt - clockMargin <= Number.parseInt(attempt, 10);
}

export function isCovered(markers: readonly DeletionMarker[], row: Row): boolean {
  return markers.some((marker) => covers(marker, row));
}

type Doomed = Pick<Row, 'id' | 'type' | 'jobId' | 'ordinal' | 'name'>;

/** Consolidated insights go with the copy of their run. */
export function withRuns(collectionId: string, insights: readonly Row[]): Doomed[] {
  return insights.flatMap((row): Doomed[] => {
    const { jobId, attempt } = row;
    if (!isConsolidated(row)) return [row];
    return [row, { id: rowIdOf(collectionId, jobId, attempt, 0), type: 'run', jobId, ordinal: 0, name: '' }];
  });
}

export async function deleteIds(store: VectorStore, collectionId: string, ids: string[]): Promise<void> {
  if (ids.length > 0) await store.deleteRows(collectionId, ids);
}

export function idOf({ id }: { id: string }): string {
  return id;
}

export function isConsolidated({ jobId }: Pick<Row, 'jobId'>): boolean {
  return isInsightName(jobId);
}

export function bodyOf({ body }: Row): InsightBody {
  return readInsightBody(body);
}

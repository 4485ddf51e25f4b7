import type { Micros } from '@whetstone/contracts';
import { newAttempt } from '@whetstone/identity';
import type { Clock } from '@whetstone/platform';

import { groupBy } from './group-by.js';
import { consolidatedOrdinal, isInsightName } from './insight-names.js';
import { covers } from './markers.js';
import type { DatedVote, DeletionMarker, Row, VectorStore } from './ports.js';
import { type InsightBody, type RunBody, readInsightBody, readRunBody } from './row-bodies.js';
import { fitJson, maxTextBytes, rowIdOf } from './rows.js';
import { summariseAnswers } from './summarise-answers.js';
import { hasVote, mergeTallies, tallyOf, withVotes } from './tally.js';
import { deleteWithVotes, voteNamesOf } from './votes.js';

export interface ConsolidateDeps {
  store: VectorStore;
  clock: Clock;
}

export interface ConsolidateOptions {
  /** Attempts that were made later are left alone: a job that is delivered again replaces its rows. */
  settledBefore: Micros;
  /** Throws once the lease may have expired. Called before anything is deleted. */
  checkLease(): void;
}

/** Rows. */
export interface Consolidated {
  written: number;
  deleted: number;
}

/** One name's rows and the row that is to replace them. */
interface Merge {
  name: string;
  sources: Row[];
  own: Row[];
  votes: string[];
}

const maxSources = 256;
const maxVotes = 4_096;

/**
 * Merges the insights of each name into one, which carries their tally, and drops the runs that no insight needs.
 *
 * Write, then look, as in `replace`: if a source is gone by then, a deletion or a later attempt took it, and the merged
 * row withdraws. Only then the sources are deleted. A deletion that comes later finds the merged row, which has their
 * intent and the time of the first of them. After a crash between the two, the next pass finds from `absorbed` what was
 * merged already. One process at a time does this for a collection.
 */
export async function consolidateNames(
  { store, clock }: ConsolidateDeps,
  collectionId: string,
  names: readonly string[],
  options: ConsolidateOptions,
): Promise<Consolidated> {
  const repaired = await repair(store, collectionId, names, options);
  const merges = await planMerges({ store, clock }, collectionId, repaired, options);
  if (merges.length === 0) return { written: 0, deleted: repaired.deleted };
  const own = merges.flatMap((merge) => merge.own);
  await store.upsert(collectionId, own);

  const merged = await settle(store, collectionId, merges);
  options.checkLease();
  const withdrawn = merges.filter((merge) => !merged.includes(merge)).flatMap((merge) => merge.own);
  const sources = merged.flatMap((merge) => merge.sources);
  const runs = await droppedRuns(store, collectionId, sources);
  // Nothing else may have the name any more: a deletion that met the withdrawn row has left its votes.
  await deleteWithVotes(store, collectionId, withdrawn);
  await deleteIds(store, collectionId, withRuns(collectionId, sources).map(idOf));
  // After the sources: as long as those are there, a merged row counts as unfinished and is made again.
  const votes = merged.flatMap((merge) => merge.votes);
  await deleteIds(store, collectionId, votes);
  await dropRuns({ store, clock }, collectionId, runs);
  const deleted = withdrawn.length + sources.length + votes.length + runs.length;
  return { written: own.length, deleted: repaired.deleted + deleted };
}

interface Repaired {
  /** Of the names, without what was deleted. */
  rows: Row[];
  /** On these rows, by what they are about. */
  votes: ReadonlyMap<string, DatedVote[]>;
  /** Rows. */
  deleted: number;
}

/** Undoes or completes what a crash left unfinished. */
async function repair(
  store: VectorStore,
  collectionId: string,
  names: readonly string[],
  { checkLease }: ConsolidateOptions,
): Promise<Repaired> {
  const rows = await store.rowsNamed(collectionId, [...names]);
  const merged = rows.filter(isConsolidated).map((row) => ({ row, tally: tallyOf(bodyOf(row)) }));
  const there = new Set(rows.map(({ id }) => id));
  const from = Math.min(...merged.map(({ row }) => row.acceptedAt));
  const markers = merged.length > 0 ? await store.markers(collectionId, from) : [];
  const doomed = new Set<Row>();
  for (const { row, tally } of merged) {
    const isUnfinished = tally.absorbed.length > 0 && tally.absorbed.every((id) => there.has(id));
    if (isUnfinished || isCovered(markers, row)) doomed.add(row);
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
    await deleteWithVotes(store, collectionId, withRuns(collectionId, [...doomed]));
    await deleteIds(store, collectionId, counted.map(idOf));
  }
  const votes = groupBy(
    cast.filter((vote) => !isTallied(vote)),
    ({ about }) => about,
  );
  return { rows: left, votes, deleted: doomed.size + counted.length };
}

function isCovered(markers: readonly DeletionMarker[], row: Row): boolean {
  return markers.some((marker) => covers(marker, row));
}

async function planMerges(
  { store, clock }: ConsolidateDeps,
  collectionId: string,
  { rows, votes }: Repaired,
  { settledBefore }: ConsolidateOptions,
): Promise<Merge[]> {
  const groups = [...groupBy(rows, ({ name }) => name)].flatMap(([name, all]) => {
    const settled = all.filter((row) => isConsolidated(row) || Number.parseInt(row.attempt, 10) <= settledBefore);
    const sources = settled.sort((a, b) => a.acceptedAt - b.acceptedAt).slice(0, maxSources);
    return sources.length > 1 ? [{ name, sources }] : [];
  });
  if (groups.length === 0) return [];
  const latest = new Map(groups.map(({ name, sources }) => [name, latestOf(sources)]));
  const jobs = [...new Set([...latest.values()].map(({ jobId }) => jobId))];
  const runs = groupBy(
    (await store.rowsOfJobs(collectionId, jobs)).filter(({ type }) => type === 'run'),
    ({ jobId }) => jobId,
  );
  return groups.map(({ name, sources }) => {
    const cast = [...new Set(sources.flatMap(voteNamesOf))].flatMap((about) => votes.get(about) ?? []);
    const attempt = newAttempt(
      clock,
      sources
        .map((source) => source.attempt)
        .sort()
        .at(-1),
    );
    const shown = latest.get(name) as Row;
    const run = runs.get(shown.jobId)?.find((row) => row.attempt === shown.attempt);
    const body = bodyOf(shown);
    const tally = withVotes(mergeTallies(sources.map((source) => tallyOf(bodyOf(source)))), cast);
    const merged: InsightBody = { ...body, tally: { ...tally, absorbed: sources.map(({ id }) => id) } };
    const place = (ordinal: number) => ({
      id: rowIdOf(collectionId, name, attempt, ordinal),
      jobId: name,
      attempt,
      ordinal,
    });
    const common = { acceptedAt: tally.firstSeen };
    const insight: Row = { ...shown, ...place(consolidatedOrdinal), ...common, body: fitJson(merged, maxTextBytes) };
    const own = run ? [{ ...run, ...place(0), ...common, body: withoutAnswer(run) }, insight] : [insight];
    return { name, sources, own, votes: cast.map(({ id }) => id) };
  });
}

/** The answer that a run cites is counted with its own row. */
function withoutAnswer({ body }: Row): string {
  const { cited: _, ...rest }: RunBody = readRunBody(body);
  return fitJson(rest, maxTextBytes);
}

function latestOf(sources: readonly Row[]): Row {
  const lastSeen = (row: Row) => tallyOf(bodyOf(row)).lastSeen;
  return sources.reduce((latest, next) => (lastSeen(next) > lastSeen(latest) ? next : latest));
}

/** The merges whose sources are all there still, and no other merged row; what is covered by a deletion is not among them. */
async function settle(store: VectorStore, collectionId: string, merges: readonly Merge[]): Promise<Merge[]> {
  const names = merges.map(({ name }) => name);
  const from = Math.min(...merges.flatMap(({ own }) => own.map(({ acceptedAt }) => acceptedAt)));
  const rows = groupBy(await store.rowsNamed(collectionId, names), ({ name }) => name);
  const markers = await store.markers(collectionId, from);
  return merges.filter(({ name, sources, own }) => {
    const there = new Map(rows.get(name)?.map((row) => [row.id, row]));
    const insight = own.at(-1) as Row;
    const expected = new Set([insight.id, ...sources.map(({ id }) => id)]);
    const isWhole = [...expected].every((id) => there.has(id));
    const isAlone = [...there.values()].every((row) => !isConsolidated(row) || expected.has(row.id));
    return isWhole && isAlone && !isCovered(markers, insight);
  });
}

type Doomed = Pick<Row, 'id' | 'type' | 'jobId' | 'ordinal' | 'name'>;

/** Consolidated insights go with the copy of their run. */
function withRuns(collectionId: string, insights: readonly Row[]): Doomed[] {
  return insights.flatMap((row): Doomed[] => {
    const { jobId, attempt } = row;
    if (!isConsolidated(row)) return [row];
    return [row, { id: rowIdOf(collectionId, jobId, attempt, 0), type: 'run', jobId, ordinal: 0, name: '' }];
  });
}

async function deleteIds(store: VectorStore, collectionId: string, ids: string[]): Promise<void> {
  if (ids.length > 0) await store.deleteRows(collectionId, ids);
}

function idOf({ id }: { id: string }): string {
  return id;
}

/** The runs of these insights that have no other insight. */
async function droppedRuns(store: VectorStore, collectionId: string, sources: readonly Row[]): Promise<Row[]> {
  const going = new Set(sources.map(({ id }) => id));
  const jobs = [...new Set(sources.filter((row) => !isConsolidated(row)).map(({ jobId }) => jobId))];
  const byJob = groupBy(await store.rowsOfJobs(collectionId, jobs), ({ jobId }) => jobId);
  return [...byJob.values()].flatMap((rows) =>
    rows.some(({ type, id }) => type === 'insight' && !going.has(id)) ? [] : rows.filter(({ type }) => type === 'run'),
  );
}

/** Deletes runs that no insight needs. The outcomes that they report on answers stay, as a summary. */
export async function dropRuns(
  { store, clock }: ConsolidateDeps,
  collectionId: string,
  runs: readonly Row[],
): Promise<void> {
  if (runs.length === 0) return;
  await summariseAnswers({ store, clock }, collectionId, runs);
  await deleteIds(store, collectionId, runs.map(idOf));
}

export function isConsolidated({ jobId }: Pick<Row, 'jobId'>): boolean {
  return isInsightName(jobId);
}

function bodyOf({ body }: Row): InsightBody {
  return readInsightBody(body);
}

import type { Micros } from '@whetstone/contracts';
import { newAttempt } from '@whetstone/identity';
import type { Clock } from '@whetstone/platform';
import { deleteWithVotes } from './delete-rows.js';
import { groupBy } from './group-by.js';
import { consolidatedOrdinal } from './insight-names.js';
import type { DatedVote, Row, VectorStore } from './ports.js';
import { bodyOf, deleteIds, idOf, isConsolidated, isCovered, type Repaired, repair, withRuns } from './repair.js';
import { type InsightBody, type RunBody, readRunBody } from './row-bodies.js';
import { fitInsightBody, fitJson, maxTextBytes, rowIdOf } from './rows.js';
import { summariseAnswers } from './summarise-answers.js';
import { mergeTallies, tallyOf, withVotes } from './tally.js';
import { notesOf, voteNamesOf } from './votes.js';

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
  /** Not everything fitted: call it again. */
  more?: boolean;
}

/** Insights that one is to replace, and which of them it is to look like. */
export interface Group {
  sources: Row[];
  shown: Row;
}

/** A group, the rows that are to replace it, and the votes that they contain. */
interface Merge extends Group {
  own: Row[];
  votes: string[];
}

const maxSources = 128;
/** So many votes on a single insight are worth a new row. */
const minVotes = 8;

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
  group: (rows: Row[], votes: Repaired['votes']) => Group[] = groupByName,
): Promise<Consolidated> {
  const repaired = await repair(store, collectionId, names, options);
  const isSettled = (row: Row) => isConsolidated(row) || Number.parseInt(row.attempt, 10) <= options.settledBefore;
  const groups = group(repaired.rows.filter(isSettled), repaired.votes);
  if (groups.length === 0) return { written: 0, deleted: repaired.deleted };
  const merges = await planMerges({ store, clock }, collectionId, groups, repaired.votes);
  const own = merges.flatMap((merge) => merge.own);
  await store.upsert(collectionId, own);

  const merged = await settle(store, collectionId, merges);
  options.checkLease();
  const withdrawn = merges.filter((merge) => !merged.includes(merge)).flatMap((merge) => merge.own);
  const sources = merged.flatMap((merge) => merge.sources);
  const runs = await droppedRuns(store, collectionId, sources);
  // Nothing else may have the name any more: a deletion that met the withdrawn row has left its votes and decisions.
  await deleteWithVotes(store, collectionId, withdrawn, { decisions: true });
  await deleteIds(store, collectionId, withRuns(collectionId, sources).map(idOf));
  // After the sources: as long as those are there, a merged row counts as unfinished and is made again.
  const votes = merged.flatMap((merge) => merge.votes);
  await deleteIds(store, collectionId, votes);
  await dropRuns({ store, clock }, collectionId, runs);
  const deleted = withdrawn.length + sources.length + votes.length + runs.length;
  const more = merged.some(({ sources: { length } }) => length === maxSources);
  return { written: own.length, deleted: repaired.deleted + deleted, more };
}

function groupByName(rows: Row[], votes: Repaired['votes']): Group[] {
  return [...groupBy(rows, ({ name }) => name).values()].flatMap((all) => {
    const sources = all.sort((a, b) => a.acceptedAt - b.acceptedAt).slice(0, maxSources);
    const cast = sources.flatMap(voteNamesOf).flatMap((about) => votes.get(about) ?? []);
    const isWorthIt = sources.length > 1 || cast.length >= minVotes;
    return isWorthIt ? [{ sources, shown: latestOf(sources) }] : [];
  });
}

async function planMerges(
  { store, clock }: ConsolidateDeps,
  collectionId: string,
  groups: readonly Group[],
  votes: ReadonlyMap<string, DatedVote[]>,
): Promise<Merge[]> {
  const jobs = [...new Set(groups.map(({ shown }) => shown.jobId))];
  const runs = (await store.rowsOfJobs(collectionId, jobs)).filter(({ type }) => type === 'run');
  const castOn = ({ sources }: Group) =>
    [...new Set(sources.flatMap(voteNamesOf))].flatMap((about) => votes.get(about) ?? []);
  const notes = await notesOf(store, collectionId, groups.map(castOn));
  return groups.map(({ sources, shown }) => {
    const cast = castOn({ sources, shown });
    const attempts = sources.map(({ attempt }) => attempt).sort();
    const tally = withVotes(mergeTallies(sources.map((source) => tallyOf(bodyOf(source)))), cast, notes);
    const common = { jobId: shown.name, attempt: newAttempt(clock, attempts.at(-1)), acceptedAt: tally.firstSeen };
    const id = (ordinal: number) => rowIdOf(collectionId, common.jobId, common.attempt, ordinal);
    const body: InsightBody = { ...bodyOf(shown), tally: { ...tally, absorbed: sources.map(idOf) } };
    const insight: Row = {
      ...shown,
      ...common,
      id: id(consolidatedOrdinal),
      ordinal: consolidatedOrdinal,
      body: fitInsightBody(body),
    };
    const run = runs.find(({ jobId, attempt }) => jobId === shown.jobId && attempt === shown.attempt);
    const own = run ? [{ ...run, ...common, id: id(0), ordinal: 0, body: withoutAnswer(run) }, insight] : [insight];
    return { sources, shown, own, votes: cast.map(idOf) };
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

/** The merges whose sources are all there still, without another merged row, and not covered by a deletion. */
async function settle(store: VectorStore, collectionId: string, merges: readonly Merge[]): Promise<Merge[]> {
  const names = new Set(merges.flatMap(({ sources }) => sources.map(({ name }) => name)));
  const from = Math.min(...merges.flatMap(({ own }) => own.map(({ acceptedAt }) => acceptedAt)));
  const rows = await store.rowsNamed(collectionId, [...names]);
  const markers = await store.markers(collectionId, from);
  const there = new Set(rows.map(idOf));
  return merges.filter(({ sources, shown, own }) => {
    const expected = [...sources, own.at(-1) as Row];
    const isAlone = rows.every(
      (row) => row.name !== shown.name || !isConsolidated(row) || expected.some(({ id }) => id === row.id),
    );
    return isAlone && expected.every((row) => there.has(row.id) && !isCovered(markers, row));
  });
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

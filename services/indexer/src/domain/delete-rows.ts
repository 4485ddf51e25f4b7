import { byTime, decisionOf, lessonsOf, silences } from './decisions.js';
import { groupBy } from './group-by.js';
import { erases } from './markers.js';
import type { Row, VectorStore } from './ports.js';
import { voteNamesOf } from './votes.js';

const votesPerPass = 10_000;
/** More than any insight's votes need; bounds the loop if a store fails to delete. */
const maxPasses = 100;

type Doomed = Pick<Row, 'id' | 'type' | 'jobId' | 'ordinal' | 'name'>;

interface DeleteOptions {
  /** Also the decisions about lessons that are gone with the rows. Otherwise the lessons are expected back. */
  decisions?: boolean;
  /** Also the runs whose last insight is gone with the rows. */
  runs?: boolean;
}

/**
 * Deletes rows, and then the votes on insights that are gone with them. A vote that is written later finds its insight
 * gone itself.
 */
export async function deleteWithVotes(
  store: VectorStore,
  collectionId: string,
  rows: readonly Doomed[],
  { decisions = false, runs = false }: DeleteOptions = {},
): Promise<void> {
  if (rows.length === 0) return;
  await deleteIds(store, collectionId, rows);
  const insights = rows.filter(isInsight);
  if (insights.length === 0) return;
  const left = await whatIsLeft(store, collectionId, insights, decisions);
  if (runs) await deleteIds(store, collectionId, left.runs);
  for (let pass = 0; left.gone.length > 0 && pass < maxPasses; pass++) {
    const votes = await store.votesOn(collectionId, left.gone, votesPerPass);
    if (votes.length === 0) break;
    await deleteIds(store, collectionId, votes);
  }
  await forgetDecisions(store, collectionId, left.decisions);
}

interface Left {
  /** The names, in votes, of deleted insights that no other row has: another attempt at the job, or another run. */
  gone: string[];
  /** Of the jobs that have no insight left. */
  runs: Row[];
  /** About the lessons of the deleted insights; none unless asked for. */
  decisions: Row[];
}

async function whatIsLeft(
  store: VectorStore,
  collectionId: string,
  deleted: readonly Doomed[],
  decisions: boolean,
): Promise<Left> {
  const names = [...new Set(deleted.flatMap(({ name }) => (name === '' ? [] : name)))];
  const jobs = [...new Set(deleted.map(({ jobId }) => jobId))];
  const [named, ofJobs] = await Promise.all([
    store.rowsNamed(collectionId, names),
    store.rowsOfJobs(collectionId, decisions ? [...jobs, ...lessonsOf(deleted)] : jobs),
  ]);
  const there = new Set([...named, ...ofJobs.filter(isInsight)].flatMap(voteNamesOf));
  const byJob = groupBy(
    ofJobs.filter(({ type }) => type !== 'decision'),
    ({ jobId }) => jobId,
  );
  return {
    gone: [...new Set(deleted.flatMap(voteNamesOf))].filter((about) => !there.has(about)),
    runs: [...byJob.values()].flatMap((rows) =>
      rows.some(isInsight) ? [] : rows.filter(({ type }) => type === 'run'),
    ),
    decisions: ofJobs.filter(({ type }) => type === 'decision'),
  };
}

/**
 * After insights are deleted: drops the decisions about lessons that have none left. A lesson that was muted or rejected
 * stays so, in case it is learnt again; of those decisions only the state is kept. `decisions` are the rows that there
 * are about the lessons.
 */
async function forgetDecisions(store: VectorStore, collectionId: string, decisions: readonly Row[]): Promise<void> {
  if (decisions.length === 0) return;
  const byLesson = groupBy(decisions, ({ jobId }) => jobId);
  const { lessons } = await store.lessons(collectionId, { ids: [...byLesson.keys()] });
  for (const { id } of lessons) byLesson.delete(id);
  const kept: Row[] = [];
  const doomed: string[] = [];
  for (const rows of byLesson.values()) {
    const inOrder = [...rows].sort(byTime);
    const last = inOrder.findLast((row) => decisionOf(row)?.state !== undefined);
    const decision = last && decisionOf(last);
    const stays = decision && silences(decision) ? last : undefined;
    doomed.push(...inOrder.filter((row) => row !== stays).map(({ id }) => id));
    if (stays && decision && (decision.wording || decision.note !== undefined)) {
      const { wording: _, note: __, ...bare } = decision;
      kept.push({ ...stays, body: JSON.stringify(bare) });
    }
  }
  if (kept.length > 0) {
    await store.upsert(collectionId, kept);
    const markers = await store.markers(collectionId, Math.min(...kept.map(({ acceptedAt }) => acceptedAt)));
    if (markers.some(erases)) doomed.push(...kept.map(({ id }) => id));
  }
  if (doomed.length > 0) await store.deleteRows(collectionId, doomed);
}

async function deleteIds(store: VectorStore, collectionId: string, rows: readonly { id: string }[]): Promise<void> {
  if (rows.length === 0) return;
  await store.deleteRows(
    collectionId,
    rows.map(({ id }) => id),
  );
}

function isInsight({ type }: Pick<Row, 'type'>): boolean {
  return type === 'insight';
}

import type { Micros } from '@whetstone/contracts';

import { type ConsolidateDeps, type Consolidated, type ConsolidateOptions, dropRuns } from './consolidate.js';
import { deleteWithVotes } from './delete-rows.js';
import { groupBy } from './group-by.js';
import { personRule } from './insight-names.js';
import type { Row } from './ports.js';
import { readInsightBody } from './row-bodies.js';
import { tallyOf } from './tally.js';

/** Drops the runs of jobs that have no insight, once they have settled. */
export async function forgetRuns(
  { store, clock }: ConsolidateDeps,
  collectionId: string,
  jobs: readonly string[],
  { settledBefore, checkLease }: ConsolidateOptions,
): Promise<Consolidated> {
  const byJob = groupBy(await store.rowsOfJobs(collectionId, [...jobs]), ({ jobId }) => jobId);
  const runs = [...byJob.values()].flatMap((rows) => {
    const isSettled = rows.every(({ attempt }) => Number.parseInt(attempt, 10) <= settledBefore);
    return isSettled && rows.every(({ type }) => type !== 'insight') ? rows.filter(({ type }) => type === 'run') : [];
  });
  checkLease();
  await dropRuns({ store, clock }, collectionId, runs);
  return { written: 0, deleted: runs.length };
}

/** Deletes what no run has confirmed since `agedBefore`, of these jobs and names. What people wrote stays. */
export async function forgetAged(
  { store, clock }: ConsolidateDeps,
  collectionId: string,
  jobs: readonly string[],
  { agedBefore, checkLease }: ConsolidateOptions & { agedBefore: Micros },
): Promise<Consolidated> {
  const rows = await store.rowsOfJobs(collectionId, [...jobs]);
  const isAged = ({ type, body }: Row) => {
    if (type !== 'insight') return false;
    const read = readInsightBody(body);
    return read.insight.rule !== personRule && tallyOf(read).lastSeen < agedBefore;
  };
  const aged = rows.filter(isAged);
  const left = new Set(rows.filter((row) => row.type === 'insight' && !isAged(row)).map(({ jobId }) => jobId));
  const runs = rows.filter(({ type, jobId }) => type === 'run' && !left.has(jobId));
  checkLease();
  await deleteWithVotes(store, collectionId, aged, { decisions: true });
  await dropRuns({ store, clock }, collectionId, runs);
  return { written: 0, deleted: aged.length + runs.length };
}

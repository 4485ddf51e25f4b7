import type { GetRunsRequest, GetRunsResult, StoredRun } from '@whetstone/contracts';
import { AppError, type CallContext } from '@whetstone/platform';

import { checkCancelled } from './check-cancelled.js';
import type { Row, VectorStore } from './ports.js';
import { readRunBody } from './row-bodies.js';

const mostJobs = 16;

/** What is stored of the runs of some jobs; where two attempts at a job are there for a moment, that of the later one. */
export function createGetRuns({ store }: { store: Pick<VectorStore, 'rowsOfJob'> }) {
  return async function getRuns(
    { collectionId, jobIds }: GetRunsRequest,
    { signal }: CallContext,
  ): Promise<GetRunsResult> {
    checkCancelled(signal);
    if (jobIds.length > mostJobs) throw new AppError('invalid_argument', `At most ${mostJobs} jobs at a time`);
    const rows = await Promise.all(jobIds.map((jobId) => store.rowsOfJob(collectionId, jobId)));
    return { runs: rows.flatMap(latestRun) };
  };
}

export type GetRuns = ReturnType<typeof createGetRuns>;

function latestRun(rows: readonly Row[]): StoredRun[] {
  const [latest] = rows.filter(({ type }) => type === 'run').sort((a, b) => (a.attempt > b.attempt ? -1 : 1));
  return latest ? [{ jobId: latest.jobId, run: readRunBody(latest.body).run }] : [];
}

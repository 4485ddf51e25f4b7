import type {
  CountRunsRequest,
  CountRunsResult,
  EncryptedReport,
  JobEvent,
  ListRunsRequest,
  ListRunsResult,
  Micros,
  RunCount,
} from '@whetstone/contracts';
import { AppError, type Clock, isTimeAndId, readCursor, writeCursor } from '@whetstone/platform';

import { stateOf } from './state-of.js';

/** The place of a run in the list. */
export interface RunPlace {
  acceptedAt: Micros;
  jobId: string;
}

export type RunFilters = Pick<ListRunsRequest, 'collectionId' | 'status' | 'success'>;

export interface ListedRun {
  record: JobEvent;
  report?: EncryptedReport;
}

/** The jobs of a collection, as far as this replica has read the jobs topic. Throws AppError `status_unavailable`. */
export interface RunRecords {
  readonly ready: boolean;
  /** Latest first, from after a place on. */
  list(filters: RunFilters, after: RunPlace | undefined, limit: number, now: Micros): ListedRun[];
  /** Collections without runs are omitted. */
  count(collectionIds: readonly string[]): RunCount[];
}

interface RunsDeps {
  records: RunRecords;
  clock: Clock;
}

const most = 200;

export function createListRuns({ records, clock }: RunsDeps) {
  return async function listRuns(request: ListRunsRequest): Promise<ListRunsResult> {
    checkReady(records);
    const { cursor, limit: wanted, ...filters } = request;
    const limit = Math.max(1, Math.min(wanted, most));
    const now = clock.now();
    // One more tells whether there is another page.
    const found = records.list(filters, cursor === undefined ? undefined : placeOf(cursor), limit + 1, now);
    const listed = found.slice(0, limit);
    const runs = listed.flatMap(({ record, report }) => {
      const state = stateOf(record.jobId, record, now);
      // A record may outlive what it tells.
      return state.status === 'expired' ? [] : { ...state, ...(report && { report }) };
    });
    const last = found.length > limit ? listed.at(-1)?.record : undefined;
    return last ? { runs, cursor: writeCursor([last.acceptedAt, last.jobId]) } : { runs };
  };
}

export type ListRuns = ReturnType<typeof createListRuns>;

export function createCountRuns({ records }: Pick<RunsDeps, 'records'>) {
  return async function countRuns({ collectionIds }: CountRunsRequest): Promise<CountRunsResult> {
    checkReady(records);
    if (collectionIds.length > most) throw new AppError('invalid_argument', `More than ${most} collections`);
    return { counts: records.count(collectionIds) };
  };
}

export type CountRuns = ReturnType<typeof createCountRuns>;

function checkReady({ ready }: RunRecords): void {
  if (!ready) throw new AppError('status_unavailable', 'Job records are still loading', { retryable: true });
}

function placeOf(cursor: string): RunPlace {
  const [acceptedAt, jobId] = readCursor(cursor, isTimeAndId);
  return { acceptedAt, jobId };
}

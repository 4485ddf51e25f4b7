import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JobEvent, ListRunsRequest } from '@whetstone/contracts';
import { createJobIds, createRootSecrets } from '@whetstone/identity';

import { SqliteJobTable } from './adapters/sqlite-job-table.js';
import { createCountRuns, createListRuns } from './domain/list-runs.js';

const day = 24 * 60 * 60 * 1_000_000;
const collectionId = 'c0123456789abcdef_shop';
const other = 'c0123456789abcdef_other';

describe('runs', () => {
  let folder: string;
  let table: SqliteJobTable;
  let now: number;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'whetstone-runs-'));
    table = new SqliteJobTable(join(folder, 'status.db'), 3);
    now = day;
  });
  afterEach(() => {
    table.close();
    rmSync(folder, { recursive: true });
  });

  function open(ready = true) {
    const records = {
      ready,
      list: (...query: Parameters<SqliteJobTable['list']>) => table.list(...query),
      count: (ids: readonly string[]) => table.count(ids),
    };
    const deps = { records, clock: { now: () => now } };
    return { listRuns: createListRuns(deps), countRuns: createCountRuns(deps) };
  }

  async function list(request: Partial<ListRunsRequest> = {}) {
    return open().listRuns({ collectionId, limit: 50, ...request });
  }

  const idsOf = async (request?: Partial<ListRunsRequest>) => (await list(request)).runs.map(({ jobId }) => jobId);

  it('are listed by collection, the latest first, in pages that miss and repeat none', async () => {
    table.apply([ended('b', 20), ended('a', 20), ended('c', 30), ended('x', 25, { collectionId: other })], [1]);
    table.apply([begun('d', 10)], [2]);

    expect(await idsOf()).toEqual(['c', 'b', 'a', 'd']);
    const pages = [];
    for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
      const page = await list({ limit: 1, ...(cursor === undefined ? {} : { cursor }) });
      pages.push(page.runs.map(({ jobId }) => jobId));
      cursor = page.cursor;
    }
    expect(pages).toEqual([['c'], ['b'], ['a'], ['d']]);
  });

  it('are filtered by status and by success', async () => {
    table.apply(
      [
        ended('a', 1, { success: true }),
        ended('b', 2, { success: false }),
        ended('c', 3),
        begun('d', 4),
        failed('e', 5, { success: true }),
      ],
      [1],
    );

    expect(await idsOf({ status: 'completed' })).toEqual(['c', 'b', 'a']);
    expect(await idsOf({ status: 'failed' })).toEqual(['e']);
    expect(await idsOf({ status: 'processing' })).toEqual(['d']);
    expect(await idsOf({ success: true })).toEqual(['e', 'a']);
    expect(await idsOf({ success: false })).toEqual(['b']);
    expect(await idsOf({ success: true, status: 'failed' })).toEqual(['e']);
  });

  it('have the report of the record that counts', async () => {
    table.apply([failed('a', 1, { report: reportOf('failed') }), ended('a', 1, { report: reportOf('ended') })], [1]);
    table.apply([failed('b', 2, { report: reportOf('failed') }), ended('b', 2)], [2]);

    expect((await list()).runs.map(({ jobId, report }) => [jobId, report?.data])).toEqual([
      ['b', undefined],
      ['a', 'ended'],
    ]);
    expect([table.report('a')?.data, table.report('b')]).toEqual(['ended', undefined]);
    expect(table.get('a')).not.toHaveProperty('report');
  });

  it('of an earlier version, whose collection nobody knows, are not listed; one that ends with this version is', async () => {
    table.apply([without(begun('a', 1)), without(begun('b', 2))], [1]);
    expect(await idsOf()).toEqual([]);

    table.apply([ended('a', 1), without(ended('b', 2))], [2]);
    expect(await idsOf()).toEqual(['a']);
    expect((await open().countRuns({ collectionIds: [collectionId] })).counts[0]?.runs).toBe(1);
  });

  it('are counted by collection, until they expire', async () => {
    const counted = async () => (await open().countRuns({ collectionIds: [collectionId, other, 'c3'] })).counts;
    table.apply([begun('a', 10), ended('a', 10), ended('b', 20), ended('x', 15, { collectionId: other })], [1]);
    expect(await counted()).toEqual(
      expect.arrayContaining([
        { collectionId, runs: 2, lastAcceptedAt: 20 },
        { collectionId: other, runs: 1, lastAcceptedAt: 15 },
      ]),
    );

    table.apply([ended('c', 3 * day)], [2]);
    now = 32 * day;
    expect(await idsOf()).toEqual(['c']);
    table.purge(now);
    expect(await counted()).toEqual([{ collectionId, runs: 1, lastAcceptedAt: 3 * day }]);
    table.clear();
    expect(await counted()).toEqual([]);
  });

  it('are not listed once they have expired, although their record is kept as long as their id is known', async () => {
    const jobIds = createJobIds(createRootSecrets('a root secret of sufficient length'));
    const idempotency = { key: 'again', bodyDigest: 'digest' };
    const jobId = jobIds.issue({ account: 'acme', collectionId }, day + 1, idempotency);
    table.apply([ended(jobId, day + 1), ended('b', 3 * day), ended('a', 1)], [1]);
    now = 31 * day;
    expect(await idsOf()).toEqual(['b', jobId]);

    now = 31 * day + 1;
    table.purge(now);
    expect(table.get(jobId)).toBeDefined();
    expect(await idsOf()).toEqual(['b']);
    const first = await list({ limit: 1 });
    expect(await list({ limit: 1, cursor: first.cursor ?? '' })).toEqual({ runs: [] });
  });

  it('lose their report, the oldest first, where an account has too many', async () => {
    const report = reportOf('told');
    table.apply(
      [1, 2, 3, 4, 5].map((at) => ended(`j${at}`, at, { report, collectionId: at % 2 ? collectionId : other })),
      [1],
    );
    const stranger = 'cfedcba9876543210_shop';
    table.apply([ended('s', 1, { report, collectionId: stranger })], [2]);
    while (table.purge(now));

    expect(['j1', 'j2', 'j3', 'j4', 'j5', 's'].filter((id) => table.report(id))).toEqual(['j3', 'j4', 'j5', 's']);
    expect(await idsOf()).toEqual(['j5', 'j3', 'j1']);
  });

  it('need a cursor of this list, and a view that is complete', async () => {
    for (const cursor of ['x', 'W10', Buffer.from('["a","b"]').toString('base64url')]) {
      await expect(list({ cursor })).rejects.toMatchObject({ code: 'invalid_argument' });
    }
    await expect(open(false).listRuns({ collectionId, limit: 1 })).rejects.toMatchObject({
      code: 'status_unavailable',
      retryable: true,
    });
  });
});

type More = Partial<{
  collectionId: string;
  success: boolean;
  report: { dataKeyId: string; data: string };
}>;

function begun(jobId: string, acceptedAt: number): JobEvent {
  return { status: 'processing', jobId, acceptedAt, startedAt: acceptedAt, collectionId };
}

function ended(jobId: string, acceptedAt: number, more: More = {}): JobEvent {
  const times = { acceptedAt, startedAt: acceptedAt, completedAt: acceptedAt };
  return { status: 'completed', jobId, ...times, insightsStored: 0, outcome: 'stored', collectionId, ...more };
}

function failed(jobId: string, acceptedAt: number, more: More = {}): JobEvent {
  return { status: 'failed', jobId, acceptedAt, failedAt: acceptedAt, errorMessage: '', collectionId, ...more };
}

function without({ collectionId: _, ...event }: JobEvent): JobEvent {
  return event as JobEvent;
}

function reportOf(data: string) {
  return { dataKeyId: 'k', data };
}

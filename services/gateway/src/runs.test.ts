import { type JobState, type RunReport, topics } from '@whetstone/contracts';
import type { EventLog } from '@whetstone/event-log';
import {
  createDataKeyRing,
  createJobIds,
  createRootSecrets,
  type DataKey,
  encryptReport,
  workflowCollectionIdOf,
} from '@whetstone/identity';
import { AppError } from '@whetstone/platform';

import { call } from './test-kit/call.js';
import { gatewaysOfATest } from './test-kit/gateways-of-a-test.js';
import { type GatewayOptions, rootSecret } from './test-kit/start-gateway.js';

const start = gatewaysOfATest();
const roots = createRootSecrets(rootSecret);
const collectionId = workflowCollectionIdOf('acme', 'shop');
const acceptedAt = 1_772_734_537_903_173;
const jobId = createJobIds(roots).issue({ account: 'acme', collectionId }, acceptedAt);
const told: RunReport = {
  query: 'Refund the purple umbrella',
  agentType: 'shop',
  trail: [
    { action: 'refund(17)', outcome: 'error' },
    { action: 'refund(18)', outcome: 'ok' },
  ],
  lessons: [
    { id: 'q7Vx2LmZ0aTfK9_c', title: 'What worked' },
    { id: 'z0aTfK9_cq7Vx2Lm', title: 'What was deleted' },
  ],
};
const stored: JobState = {
  jobId,
  status: 'completed',
  acceptedAt,
  startedAt: acceptedAt + 1,
  learntAt: acceptedAt + 2,
  completedAt: acceptedAt + 3,
  insightsStored: 1,
  outcome: 'stored',
  collectionId,
  success: true,
};

/** A gateway with a run in a collection that has a data key. */
async function setUp(run: JobState = stored, more: GatewayOptions = {}, report: RunReport | null = told) {
  let dataKey: DataKey | undefined;
  const known = () => ({ ...run, ...(dataKey && report && { report: encryptReport(report, jobId, dataKey) }) });
  const running = await start({
    listRuns: async () => ({ runs: [known()], cursor: 'more' }),
    getJob: async () => known(),
    ...more,
  });
  const ask = (method: string, to: string, body?: unknown) =>
    call(running.url, method, to, { key: running.key, ...(body === undefined ? {} : { body }) });
  await ask('POST', '/store_knowledge', { tenant_id: 'shop', query: 'x', turns: [] });
  const ring = createDataKeyRing(roots);
  for (const event of await running.dataKeyEvents()) ring.apply(event);
  dataKey = ring.active(collectionId);
  return { ...running, ask };
}

const listed = {
  job_id: jobId,
  accepted_at: '2026-03-05T18:15:37.903173',
  status: 'completed',
  query: 'Refund the purple umbrella',
  agent_type: 'shop',
  success: true,
  lessons: 1,
};
const withoutText = { ...listed, query: null, agent_type: null };

describe('GET /runs', () => {
  it('lists runs with their texts, and passes filters and cursors on', async () => {
    const asked: unknown[] = [];
    const { ask } = await setUp(stored, {
      listRuns: async (request) => {
        asked.push(request);
        return { runs: [stored] };
      },
    });

    expect(await ask('GET', '/runs?tenant_id=shop')).toMatchObject({
      status: 200,
      body: { runs: [withoutText], next_cursor: null },
    });
    await ask('GET', '/runs?tenant_id=shop&status=failed&success=false&limit=7&cursor=abc');
    expect(asked).toEqual([
      { collectionId, limit: 50 },
      { collectionId, status: 'failed', success: false, limit: 7, cursor: 'abc' },
    ]);
    expect((await (await setUp()).ask('GET', '/runs?tenant_id=shop')).body).toEqual({
      runs: [listed],
      next_cursor: 'more',
    });
  });

  it('tells no text of a run that a deletion covers, and asks for each with what it taught', async () => {
    const asked: unknown[] = [];
    const { ask } = await setUp(stored, {
      findDeletedRuns: async (request) => {
        asked.push(request);
        return { deleted: [true], lessons: [] };
      },
    });

    expect((await ask('GET', '/runs?tenant_id=shop')).body).toMatchObject({ runs: [withoutText] });
    expect(asked).toEqual([
      { collectionId, runs: [{ intent: told.query, acceptedAt, lessons: told.lessons.map(({ id }) => id) }] },
    ]);
    expect((await ask('GET', `/runs/${jobId}?tenant_id=shop`)).body).toMatchObject({
      ...withoutText,
      trail: [],
      lessons: [],
      reason: 'It was deleted later',
    });
  });

  it('tells no text once the collection is erased', async () => {
    const { ask } = await setUp();
    await ask('DELETE', '/collections?tenant_id=shop&confirm=shop');

    expect((await ask('GET', '/runs?tenant_id=shop')).body).toMatchObject({ runs: [withoutText] });
  });

  it('reads the latest destructions of keys first where there are other gateways, and tells nothing without them', async () => {
    let isAway = false;
    const log = (own: EventLog): EventLog => ({
      ...own,
      async follow(options) {
        const following = await own.follow(options);
        const away = () => Promise.reject(new AppError('log_unavailable', 'away', { retryable: false }));
        const catchUp = (key: string) =>
          isAway && options.topic === topics.collections.name ? away() : following.catchUp(key);
        return {
          caughtUp: () => following.caughtUp(),
          stop: () => following.stop(),
          ageSeconds: () => following.ageSeconds(),
          catchUp,
        };
      },
    });
    const { ask } = await setUp(stored, { log, config: { keyHandoverMs: 500 } });
    expect((await ask('GET', '/runs?tenant_id=shop')).status).toBe(200);
    isAway = true;

    expect(await ask('GET', '/runs?tenant_id=shop')).toMatchObject({ status: 500, body: { error: 'runs_failed' } });
  });

  it.each([
    ['', ['tenant_id'], 'missing'],
    ['tenant_id=shop&status=lost', ['status'], 'literal_error'],
    ['tenant_id=shop&success=maybe', ['success'], 'bool_parsing'],
    ['tenant_id=shop&limit=201', ['limit'], 'less_than_equal'],
    ['tenant_id=shop&limit=0', ['limit'], 'greater_than_equal'],
  ])('?%s is a 422', async (query, loc, type) => {
    const { ask } = await setUp();

    expect(await ask('GET', `/runs?${query}`)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['query', ...loc], type }] },
    });
  });

  it('with a cursor of another list is a 422', async () => {
    const { ask } = await setUp(stored, {
      listRuns: async () => Promise.reject(new AppError('invalid_argument', 'no cursor')),
    });

    expect(await ask('GET', '/runs?tenant_id=shop&cursor=x')).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['query', 'cursor'] }] },
    });
  });
});

describe('GET /runs/{job_id}', () => {
  it('tells what happened and what came of it, with the lessons that are left as they are now', async () => {
    const lessons = [{ id: 'q7Vx2LmZ0aTfK9_c', title: 'What worked, reworded' }];
    const { ask } = await setUp(stored, {
      findDeletedRuns: async ({ withLessons }) => ({ deleted: [false], lessons: withLessons ? [{ lessons }] : [] }),
    });

    expect((await ask('GET', `/runs/${jobId}?tenant_id=shop`)).body).toEqual({
      ...listed,
      timeline: [
        { event: 'accepted', at: '2026-03-05T18:15:37.903173' },
        { event: 'started', at: '2026-03-05T18:15:37.903174' },
        { event: 'learnt', at: '2026-03-05T18:15:37.903175' },
        { event: 'stored', at: '2026-03-05T18:15:37.903176' },
      ],
      trail: [
        { action: 'refund(17)', outcome: 'failed' },
        { action: 'refund(18)', outcome: 'ok' },
      ],
      lessons,
      reason: null,
    });
  });

  it.each<[string, JobState, string[], string | null]>([
    [
      'nothing was learnt',
      { ...stored, outcome: 'nothing_to_learn', insightsStored: 0, reason: 'nothing was done' },
      ['accepted', 'started', 'nothing_learnt'],
      'nothing was done',
    ],
    [
      'it was deleted before it was processed',
      { ...stored, outcome: 'deleted' },
      ['accepted', 'started', 'deleted'],
      'It matched a later deletion and was not kept',
    ],
    [
      'it failed',
      { jobId, status: 'failed', acceptedAt, failedAt: acceptedAt + 5, errorMessage: 'sealed', collectionId },
      ['accepted', 'failed'],
      'Processing failed; knowledge_status says what to pass on to the operators',
    ],
    ['it waits', { jobId, status: 'processing', acceptedAt }, ['accepted'], null],
  ])('says so if %s', async (_, run, events, reason) => {
    const { ask } = await setUp(run);

    const { body } = await ask('GET', `/runs/${jobId}?tenant_id=shop`);

    const { timeline } = body as { timeline: { event: string }[] };
    expect(timeline.map(({ event }) => event)).toEqual(events);
    expect(body).toMatchObject({ reason });
  });

  it('of an earlier version tells what its record has', async () => {
    const { collectionId: _, success: __, ...earlier } = stored;
    const { ask } = await setUp(earlier, {}, null);

    expect((await ask('GET', `/runs/${jobId}?tenant_id=shop`)).body).toMatchObject({
      ...withoutText,
      success: null,
      lessons: [],
    });
  });

  it('is a 404 for another collection, another account, an expired record and nonsense', async () => {
    const { ask, url, issueKey } = await setUp();
    const { key } = await issueKey('rivals');
    const expired = await setUp({ jobId, status: 'expired' });

    expect((await ask('GET', `/runs/${jobId}?tenant_id=bank`)).status).toBe(404);
    expect((await call(url, 'GET', `/runs/${jobId}?tenant_id=shop`, { key })).status).toBe(404);
    expect((await expired.ask('GET', `/runs/${jobId}?tenant_id=shop`)).status).toBe(404);
    expect((await ask('GET', '/runs/nonsense?tenant_id=shop')).status).toBe(404);
    expect((await ask('GET', '/runs/%ff?tenant_id=shop')).status).toBe(422);
  });
});

describe('GET /collections', () => {
  const names = (body: unknown) =>
    (body as { collections: { tenant_id: string | null; default: boolean }[] }).collections.map(
      ({ tenant_id, default: isDefault }) => (isDefault ? 'the default' : tenant_id),
    );

  it('lists what was written to, the oldest first, and never keeps a key as a name', async () => {
    const { ask, key, printed, dataKeyEvents } = await setUp();
    await ask('POST', '/store_knowledge', { tenant_id: key, query: 'x', turns: [] });
    await ask('PATCH', '/collections?tenant_id=bank', { review: 'required' });
    await ask('GET', '/lessons?tenant_id=asked');

    const { body } = await ask('GET', '/collections');

    expect(names(body)).toEqual(['shop', 'the default', 'bank']);
    expect(JSON.stringify(body)).not.toContain(key);
    const events = await dataKeyEvents();
    expect(events.filter((event) => 'sealedName' in event)).toHaveLength(2);
    expect(JSON.stringify(events) + printed()).not.toContain('"bank"');
  });

  it('tells counts and settings', async () => {
    const { ask } = await setUp(stored, {
      countRuns: async () => ({ counts: [{ collectionId, runs: 7, lastAcceptedAt: acceptedAt }] }),
      lessons: {
        describeCollections: async () => ({
          collections: [{ collectionId, insights: 3, settings: { review: 'required', retentionDays: 9 } }],
        }),
      },
    });

    expect((await ask('GET', '/collections')).body).toEqual({
      collections: [
        {
          tenant_id: 'shop',
          default: false,
          insights: 3,
          runs: 7,
          last_upload_at: '2026-03-05T18:15:37.903173',
          review: 'required',
          holdout_share: null,
          retention_days: 9,
        },
      ],
      next_cursor: null,
    });
  });

  it('pages through all of them, each once, and knows only its own cursors', async () => {
    const { ask } = await setUp();
    for (const tenant_id of ['a', 'b', 'c'])
      await ask('POST', '/store_knowledge', { tenant_id, query: 'x', turns: [] });

    const seen = [];
    for (let cursor = ''; ; ) {
      const { body } = await ask('GET', `/collections?limit=2&cursor=${cursor}`);
      seen.push(...names(body));
      cursor = (body as { next_cursor: string }).next_cursor;
      if (cursor === null) break;
    }

    expect(seen).toEqual(['shop', 'a', 'b', 'c']);
    expect((await ask('GET', '/collections?cursor=nonsense')).status).toBe(422);
  });

  it('does not list one that was erased, nor those of another account', async () => {
    const { ask, url, issueKey } = await setUp();
    const { key } = await issueKey('rivals');
    expect(names((await call(url, 'GET', '/collections', { key })).body)).toEqual([]);

    await ask('DELETE', '/collections?tenant_id=shop&confirm=shop');
    expect(names((await ask('GET', '/collections')).body)).toEqual([]);
  });
});

import { gzipSync } from 'node:zlib';
import type { AuditEntry, ListAuditRequest } from '@whetstone/contracts';
import { AppError } from '@whetstone/platform';
import { call } from './test-kit/call.js';
import { gatewaysOfATest } from './test-kit/gateways-of-a-test.js';
import type { GatewayOptions } from './test-kit/start-gateway.js';
import { details, keyIdIn, lesson, startWithLesson } from './test-kit/start-with-lesson.js';

const start = gatewaysOfATest();

async function setUp({ lessons, ...options }: GatewayOptions = {}) {
  const running = await startWithLesson(start, lessons, options);
  const { key: adminKey } = await running.issueKey('acme', { scopes: ['admin'] });
  const askAsAdmin = (method: string, path: string, body?: unknown) =>
    call(running.url, method, path, { key: adminKey, ...(body === undefined ? {} : { body }) });
  return { ...running, askAsAdmin, adminKey };
}

/** As the log has them, without what differs each time. */
async function trailOf({ auditEntries }: { auditEntries(): Promise<AuditEntry[]> }) {
  return (await auditEntries()).map(({ id: _, at: __, collection, ...entry }) => ({
    ...entry,
    ...(collection && { collection: Object.keys(collection) }),
  }));
}

const newLesson = { tenant_id: 'shop', applies_when: 'the words of the task', text: 'the words of the lesson' };
const deletion = '/delete_by_intent?tenant_id=shop&intent=the+words+of+the+intent&similarity_threshold=0.7';

describe('what people decide', () => {
  it.each([
    ['PATCH', `/lessons/${lesson.id}?tenant_id=shop`, { state: 'muted', text: 'the words' }, 'lesson.changed'],
    ['POST', '/lessons', newLesson, 'lesson.written'],
    ['DELETE', `/lessons/${lesson.id}?tenant_id=shop`, undefined, 'lesson.deleted'],
    [
      'PATCH',
      '/collections?tenant_id=shop',
      { review: 'required', holdout_share: 0.1, retention_days: 0 },
      'collection.changed',
    ],
    ['DELETE', '/collections?tenant_id=shop&confirm=shop', undefined, 'collection.erased'],
    ['POST', deletion, undefined, 'knowledge.deleted'],
  ])('%s %s is in the audit trail before and after it is done', async (method, path, body, action) => {
    const running = await setUp({ deleteByIntent: async () => ({ deletedCount: 2, matches: [] }) });

    expect((await running.ask(method, path, body)).status).toBeLessThan(300);

    const entries = await trailOf(running);
    const details = {
      'lesson.changed': { state: 'muted', reworded: ['text'] },
      'lesson.written': {},
      'lesson.deleted': { deleted_count: 2 },
      'collection.changed': { review: 'required', holdout_share: 0.1, retention_days: 0 },
      'collection.erased': { deleted_count: 0 },
      'knowledge.deleted': { similarity_threshold: 0.7, deleted_count: 2 },
    }[action];
    expect(entries).toHaveLength(2);
    expect(entries[0]).toMatchObject({ action, account: 'acme', keyId: keyIdIn(running.key) });
    expect(entries[1]).toEqual({
      action,
      account: 'acme',
      keyId: keyIdIn(running.key),
      collection: ['sealedTenantId'],
      ...(action?.startsWith('lesson') && { subject: lesson.id }),
      details,
      outcome: 'done',
    });
    expect(JSON.stringify(await running.auditEntries())).not.toMatch(/words|"shop"/);
  });

  it('leaves no entry if it is refused at once, or deletes nothing', async () => {
    const running = await setUp({ lessons: { getLesson: async () => ({ ...details, lesson: undefined as never }) } });

    await running.ask('PATCH', '/lessons/unknown?tenant_id=shop', { state: 'muted' });
    await running.ask('DELETE', '/collections?tenant_id=wst_x&confirm=wst_x');
    await running.ask('POST', `${deletion}&dry_run=true`);

    expect(await running.auditEntries()).toEqual([]);
  });

  it('says that it failed', async () => {
    const eraseCollection = () => Promise.reject(new AppError('too_many_deletions', 'Too many'));
    const running = await setUp({ eraseCollection });

    expect((await running.ask('DELETE', '/collections?tenant_id=shop&confirm=shop')).status).toBe(409);

    while ((await running.auditEntries()).length < 2);
    expect((await trailOf(running)).map(({ outcome }) => outcome)).toEqual([undefined, 'failed']);
  });

  it.each([
    ['PATCH', { state: 'muted' }, { decideLesson: async () => ({}) }],
    ['DELETE', undefined, { deleteLesson: async () => ({ deletedCount: 0 }) }],
  ])('says that %s failed if the lesson went meanwhile', async (method, body, lessons) => {
    const running = await setUp({ lessons });

    expect((await running.ask(method, `/lessons/${lesson.id}?tenant_id=shop`, body)).status).toBe(404);

    while ((await running.auditEntries()).length < 2);
    expect((await trailOf(running)).map(({ outcome }) => outcome)).toEqual([undefined, 'failed']);
  });

  it('is not done while it cannot be recorded', async () => {
    const isAudit = (topic: string) => topic === 'whetstone.audit.v1';
    const away = new AppError('log_unavailable', 'The log is away', { retryable: true });
    const { ask, called } = await setUp({
      log: (log) => ({
        ...log,
        append: (topic, event) => (isAudit(topic) ? Promise.reject(away) : log.append(topic, event)),
      }),
    });

    const { status, body, headers } = await ask('PATCH', `/lessons/${lesson.id}?tenant_id=shop`, { state: 'muted' });

    expect([status, body.error, headers.get('retry-after')]).toEqual([500, 'lessons_failed', '5']);
    expect(called.decideLesson).toEqual([]);
  });
});

describe('GET /audit', () => {
  it('tells what status has, in the words of REST, with the name of the collection', async () => {
    const asked: ListAuditRequest[] = [];
    let stored: AuditEntry[] = [];
    const running = await setUp({
      activity: {
        listAudit: async (request) => {
          asked.push(request);
          return { entries: stored.map((entry) => JSON.stringify(entry)), more: true };
        },
      },
    });
    await running.ask('POST', '/lessons', newLesson);
    await running.ask('POST', '/lessons', { ...newLesson, tenant_id: running.key });
    const [begun, , , other] = await running.auditEntries();
    const operators = { id: '00000000000000001-00000000', account: 'acme', at: 1, action: 'key.revoked' } as const;
    stored = [begun, other, { ...operators, subject: 's', details: {}, outcome: 'done' }] as AuditEntry[];

    const { status, body } = await running.askAsAdmin('GET', '/audit?limit=3&cursor=01772734537903173-0f3a91c2');

    expect(status).toBe(200);
    const written = { key_id: keyIdIn(running.key), action: 'lesson.written', details: {} };
    expect(body).toEqual({
      entries: [
        { at: expect.any(String), ...written, tenant_id: 'shop', subject: null, outcome: 'unknown' },
        { at: expect.any(String), ...written, tenant_id: null, subject: lesson.id, outcome: 'done' },
        {
          at: '1970-01-01T00:00:00.000001',
          key_id: null,
          action: 'key.revoked',
          subject: 's',
          outcome: 'done',
          details: {},
        },
      ],
      next_cursor: operators.id,
    });
    expect(asked).toEqual([{ account: 'acme', limit: 3, before: '01772734537903173-0f3a91c2' }]);
  });

  it.each(['limit=0', 'limit=201', 'limit=x', 'cursor=x', 'cursor=%ff', 'cursor=1&cursor=2'])(
    'refuses ?%s',
    async (query) => {
      const { askAsAdmin } = await setUp();

      expect((await askAsAdmin('GET', `/audit?${query}`)).status).toBe(422);
    },
  );

  it('fails with its own error while status is away', async () => {
    const listAudit = () => Promise.reject(new AppError('status_unavailable', 'away', { retryable: true }));
    const { askAsAdmin } = await setUp({ activity: { listAudit } });

    expect(await askAsAdmin('GET', '/audit')).toMatchObject({ status: 500, body: { error: 'audit_failed' } });
  });
});

describe('GET /usage', () => {
  it('is counted by key, and appended before it is read', async () => {
    const asked: unknown[] = [];
    const getUsage = async (request: unknown) => {
      asked.push(request);
      const counts = { answers: 1, emptyAnswers: 1, uploads: 2, bytes: 3, refusals: 4 };
      return { lines: [{ day: 20_000, keyId: 'k', ...counts }], truncated: false };
    };
    const running = await setUp({ activity: { getUsage } });
    const upload = JSON.stringify({ tenant_id: 'shop', query: 'q', turns: [] });
    const { url, key } = running;
    const json = { 'content-type': 'application/json' };
    await running.ask('POST', '/enhance_task', { tenant_id: 'shop', input_text: 'x' });
    await running.ask('POST', '/store_knowledge', JSON.parse(upload));
    await call(url, 'POST', '/store_knowledge', {
      key,
      headers: { ...json, 'content-encoding': 'gzip' },
      body: gzipSync(upload),
    });
    await call(url, 'POST', '/store_knowledge/batch', {
      key,
      headers: { 'content-type': 'application/x-ndjson' },
      body: `${upload}\n{}\n${upload}\n`,
    });
    await running.ask('POST', '/store_knowledge', { tenant_id: 'shop' });
    await running.ask('GET', '/keys');
    await running.ask('GET', '/nowhere');
    await running.ask('GET', '/lessons?tenant_id=shop');

    const { status, body } = await running.askAsAdmin('GET', '/usage?days=1');

    expect([status, body]).toEqual([
      200,
      {
        days: [
          {
            date: '2024-10-04',
            keys: [{ key_id: 'k', answers: 1, empty_answers: 1, uploads: 2, bytes: 3, refusals: 4 }],
          },
        ],
        truncated: false,
      },
    ]);
    const day = Math.floor(Date.now() / 86_400e3);
    expect(asked).toEqual([{ account: 'acme', fromDay: expect.any(Number) }]);
    await running.gateway.stop();
    const events = await running.usageEvents();
    expect(events.at(-1)).toEqual({
      process: expect.stringMatching(/^[\da-f]{16}$/),
      day: expect.closeTo(day, -1),
      part: 0,
      keys: [
        {
          account: 'acme',
          keyId: keyIdIn(key),
          answers: 1,
          emptyAnswers: 1,
          uploads: 4,
          bytes: 4 * upload.length + 5,
          refusals: 3,
        },
      ],
    });
  });

  it.each(['days=0', 'days=91', 'days=x', 'days=1&days=2'])('refuses ?%s', async (query) => {
    const { askAsAdmin } = await setUp();

    expect((await askAsAdmin('GET', `/usage?${query}`)).status).toBe(422);
  });
});

describe('GET /uplift', () => {
  const arm = (told: number, succeeded: number) => ({ told, succeeded });

  it('compares the two arms, with the interval of the difference', async () => {
    const getOutcomes = async () => ({ recommended: arm(100, 90), holdout: arm(50, 25) });
    const { ask } = await setUp({ lessons: { getOutcomes } });

    expect(await ask('GET', '/uplift?tenant_id=shop')).toMatchObject({
      status: 200,
      body: {
        with: { runs: 100, successes: 90, rate: 0.9 },
        without: { runs: 50, successes: 25, rate: 0.5 },
        difference: 0.4,
        interval: [expect.closeTo(0.25, 1), expect.closeTo(0.54, 1)],
      },
    });
  });

  it('says so if there is nothing to compare', async () => {
    const { ask } = await setUp();

    expect(await ask('GET', '/uplift?tenant_id=shop')).toMatchObject({
      status: 200,
      body: { with: { runs: 0, rate: null }, without: { runs: 0, rate: null }, difference: null, interval: null },
    });
    expect((await ask('GET', '/uplift')).status).toBe(422);
    expect((await ask('GET', '/uplift?tenant_id=wst_x')).status).toBe(403);
  });
});

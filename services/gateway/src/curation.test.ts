import type { LessonKeeper } from './domain/ports.js';
import { call } from './test-kit/call.js';
import { gatewaysOfATest } from './test-kit/gateways-of-a-test.js';
import { type GatewayOptions, startGateway } from './test-kit/start-gateway.js';
import { collectionId, keyIdIn, startWithLesson } from './test-kit/start-with-lesson.js';

const start = gatewaysOfATest();
const setUp = (lessons?: Partial<LessonKeeper>, more?: GatewayOptions) => startWithLesson(start, lessons, more);

describe('PATCH /collections', () => {
  it('changes the settings and tells all of them', async () => {
    const { ask, called, key } = await setUp({
      changeSettings: async () => ({ settings: { review: 'required', holdoutShare: 0.1, retentionDays: 9 } }),
    });

    const { status, body } = await ask('PATCH', '/collections?tenant_id=shop', {
      review: 'required',
      holdout_share: null,
      retention_days: 9,
    });

    expect([status, body]).toEqual([200, { review: 'required', holdout_share: 0.1, retention_days: 9 }]);
    expect(called.changeSettings).toEqual([
      {
        collectionId,
        settings: { review: 'required', retentionDays: 9 },
        keyId: keyIdIn(key),
        changedAt: expect.any(Number),
      },
    ]);
  });

  it.each([
    [{}, [], 'value_error'],
    [{ review: 'always' }, ['review'], 'literal_error'],
    [{ holdout_share: 1.1 }, ['holdout_share'], 'less_than_equal'],
    [{ holdout_share: -0.1 }, ['holdout_share'], 'greater_than_equal'],
    [{ retention_days: -1 }, ['retention_days'], 'greater_than_equal'],
    [{ retention_days: 36_501 }, ['retention_days'], 'less_than_equal'],
    [{ retention_days: 1.5 }, ['retention_days'], 'int_from_float'],
    [{ holdout_share: '0.1' }, ['holdout_share'], 'float_type'],
  ])('%j is a 422', async (body, loc, type) => {
    const { ask } = await setUp();

    expect(await ask('PATCH', '/collections?tenant_id=shop', body)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', ...loc], type }] },
    });
  });
});

describe('POST /enhance_task?explain=true', () => {
  const candidate = {
    id: 'x',
    kind: 'strategy',
    title: 't',
    task: 'List logs',
    similarity: 0.9,
    support: 2,
    told: false,
    reason: 'muted',
    because: 'It is muted.',
  } as const;
  const said = { response: 'x', confidenceScore: 0, enhancementId: 'enh_x', recommendations: [], holdout: false };
  const body = { tenant_id: 'shop', input_text: 'x' };

  it('tells the candidates, only if asked to', async () => {
    const asked: unknown[] = [];
    const { ask } = await setUp(
      {},
      {
        enhance: async (request) => {
          asked.push(request.explain);
          return { ...said, candidates: request.explain ? [candidate] : [] };
        },
      },
    );

    expect((await ask('POST', '/enhance_task?explain=true', body)).body.metadata.explanation).toEqual([candidate]);
    expect((await ask('POST', '/enhance_task?explain=false', body)).body.metadata).not.toHaveProperty('explanation');
    expect((await ask('POST', '/enhance_task', body)).body.metadata).not.toHaveProperty('explanation');
    expect(asked).toEqual([true, undefined, undefined]);
  });

  it('needs the scope curate, which is decided before the body is read', async () => {
    const { url, issueKey } = await setUp();
    const { key } = await issueKey('acme', { scopes: ['ask'] });
    const explained = await call(url, 'POST', '/enhance_task?explain=1', { key, body: '{' });

    expect(explained).toMatchObject({
      status: 403,
      body: { error: 'scope_missing', message: 'This key may ask; enhance_task?explain=true needs curate' },
    });
    expect((await call(url, 'POST', '/enhance_task?explain=0', { key, body })).status).toBe(200);
  });

  it('tells a bad flag beside the problems of the body, however large that is', async () => {
    const { ask } = await setUp();
    for (const more of [{}, { pad: 'x'.repeat(50_000) }]) {
      const { status, body: told } = await ask('POST', '/enhance_task?explain=why', { tenant_id: 'shop', ...more });

      expect([status, told.detail.map(({ loc }: { loc: string[] }) => loc[1])]).toEqual([
        422,
        ['explain', 'input_text'],
      ]);
    }
  });
});

it('keys of other accounts are refused as tenant_id everywhere', async () => {
  const running = await startGateway();
  const { key } = await running.issueKey('acme');
  const { key: foreign } = await running.issueKey('globex');
  const requests: [string, string, object?][] = [
    ['GET', `/lessons?tenant_id=${foreign}`],
    ['GET', `/lessons/x?tenant_id=${foreign}`],
    ['PATCH', `/lessons/x?tenant_id=${foreign}`, { state: 'muted' }],
    ['DELETE', `/lessons/x?tenant_id=${foreign}`],
    ['PATCH', `/collections?tenant_id=${foreign}`, { review: 'none' }],
    ['POST', '/lessons', { tenant_id: foreign, applies_when: 'x', text: 'x' }],
    ['POST', '/feedback', { tenant_id: foreign, enhancement_id: 'enh_x', success: true }],
  ];
  for (const [method, to, body] of requests) {
    const { status, body: told } = await call(running.url, method, to, { key, ...(body && { body }) });
    expect([method, to.slice(0, 12), status, told.error]).toEqual([method, to.slice(0, 12), 403, 'tenant_forbidden']);
  }
  expect(running.printed()).not.toContain(foreign);
  await running.close();
});

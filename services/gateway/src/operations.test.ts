import { createHash } from 'node:crypto';

import type { DeleteByIntentRequest, EnhanceRequest, EraseCollectionRequest, JobState } from '@whetstone/contracts';
import { AppError, type CallContext } from '@whetstone/platform';

import { call } from './test-kit/call.js';
import { type RunningGateway, startGateway } from './test-kit/start-gateway.js';

let running: RunningGateway;
let key: string;
let otherKey: string;
let strangerKey: string;
const asked: {
  enhance: EnhanceRequest[];
  deleted: DeleteByIntentRequest[];
  erased: EraseCollectionRequest[];
  calls: CallContext[];
} = {
  enhance: [],
  deleted: [],
  erased: [],
  calls: [],
};
let state: Partial<JobState> = {};

beforeAll(async () => {
  running = await startGateway({
    async enhance(request, context) {
      asked.enhance.push(request);
      asked.calls.push(context);
      return {
        response: `${request.inputText}!`,
        confidenceScore: 0.7,
        enhancementId: 'enh_1',
        recommendations: [
          { id: 'r', kind: 'pitfall', title: 't', text: 'x', similarity: 0.5, support: 2, sourceJobIds: ['job_1'] },
        ],
        holdout: request.inputText === 'held out',
      };
    },
    async deleteByIntent(request) {
      asked.deleted.push(request);
      if (request.intent === 'one too many') throw new AppError('too_many_deletions', 'Remembers 1000 deletions');
      return { deletedCount: 3, matches: [{ id: 'i', intent: 'n', similarity: 0.6 }], remainingCount: 4 };
    },
    async eraseCollection(request) {
      asked.erased.push(request);
      return { deletedCount: 7 };
    },
    async getJob({ jobId }) {
      return { jobId, status: 'processing', ...state };
    },
  });
  ({ key } = await running.issueKey('acme'));
  otherKey = (await running.issueKey('acme')).key;
  strangerKey = (await running.issueKey('globex')).key;
});

afterAll(() => running.close());

afterEach(() => {
  state = {};
});

const ask = (method: string, path: string, options: Parameters<typeof call>[3] = {}) =>
  call(running.url, method, path, { key, ...options });
const store = (body: unknown, options: Parameters<typeof call>[3] = {}) =>
  ask('POST', '/store_knowledge', { body, ...options });

describe('GET /', () => {
  it('tells status, service and version', async () => {
    expect((await ask('GET', '/')).body).toEqual({ status: 'ok', service: 'whetstone', version: '1.0.0' });
  });
});

describe('store_knowledge', () => {
  const upload = { tenant_id: 'shop', query: 'Buy milk', turns: [] };

  it('acknowledges with strings, the tenant_id as sent', async () => {
    const { status, body } = await store(upload);

    expect(status).toBe(202);
    expect(body).toEqual({
      status: 'accepted',
      message: expect.any(String),
      tenant_id: 'shop',
      job_id: expect.stringMatching(/^job_/),
    });
  });

  it('puts exactly what was sent into the log, read, in order, without its secrets and without the tenant_id', async () => {
    const text = JSON.stringify({
      tenant_id: 'tenant-of-this-test',
      query: 'Deploy with ghp_abcdefghijklmnopqrstuvwxyz0123456789',
      turns: [
        { turn: 9, inputs: 'c', decision: 'd', memory: null, result: 'password=hunter2', extra: 1 },
        { turn: 2, inputs: 'a', decision: 'b', memory: 'm' },
      ],
      success: 'YES',
      agent_type: null,
      timestamp: '2026-03-05 20:15:37.9031735+02:00',
      metadata: { api_key: 'abcdef123456', nested: [{ password: 'hunter2' }], run: 7 },
      unknown: true,
    });

    const { body } = await store(text, {
      headers: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
    });
    const found = (await running.uploads()).find(({ upload: { jobId } }) => jobId === body.job_id);

    expect(found?.upload).toEqual({
      jobId: body.job_id,
      collectionId: expect.stringMatching(/^c[a-z0-9_]+$/),
      keyId: key.split('_')[1],
      acceptedAt: expect.any(Number),
      bodyDigest: createHash('sha256').update(text).digest('hex'),
      interaction: {
        query: 'Deploy with [REDACTED:github_token]',
        turns: [
          { turn: 2, inputs: 'a', decision: 'b', memory: 'm' },
          { turn: 9, inputs: 'c', decision: 'd', result: 'password=[REDACTED:password]' },
        ],
        success: true,
        timestamp: Date.UTC(2026, 2, 5, 18, 15, 37) * 1000 + 903_173,
        metadata: { api_key: '[REDACTED:api_key]', nested: [{ password: '[REDACTED:password]' }], run: 7 },
      },
    });
    expect(found?.key.startsWith(found.upload.collectionId)).toBe(true);
    expect(JSON.stringify(found)).not.toContain('tenant-of-this-test');
    expect(await running.registry.metrics()).toContain('whetstone_redactions_total{kind="github_token"} 1');
  });

  it('takes secrets out of values that are not text, wherever they stand', async () => {
    const pem = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n'.repeat(4)}-----END PRIVATE KEY-----`;
    const secrets = { password: 'hunter2', pin: 1, nested: [{ api_key: 'abcdef"123456' }, pem], 'say "token"': 'x' };
    const turns = [
      {
        turn: 1,
        inputs: secrets,
        decision: { tool: 'login', arguments: JSON.stringify({ password: 'hunter3' }) },
        memory: ['Bearer abcdefghijklmnopqrstuvwxyz0123456789'],
        result: { ghp_abcdefghijklmnopqrstuvwxyz0123456789: true },
      },
    ];

    const { body } = await store({ ...upload, turns });
    const found = (await running.uploads()).find(({ upload: { jobId } }) => jobId === body.job_id);

    const [turn] = found?.upload.interaction.turns ?? [];
    expect(JSON.parse(turn?.inputs ?? '')).toMatchObject({
      password: '[REDACTED:password]',
      pin: 1,
      nested: [{ api_key: '[REDACTED:api_key]' }, '[REDACTED:private_key]'],
    });
    expect(JSON.stringify(turn)).not.toMatch(/hunter|MIIEv|abcdef/);
  });

  it.each(['low', 'high'] as const)('says in the log that the key has %s trust', async (trust) => {
    const trusted = await running.issueKey('acme', { trust });
    const { body } = await store(upload, { key: trusted.key });

    const found = (await running.uploads()).find(({ upload: { jobId } }) => jobId === body.job_id);
    expect(found?.upload).toMatchObject({ keyId: trusted.keyId, trust });
  });

  it('gives a retry with the same Idempotency-Key the same job, and another body another one', async () => {
    const headers = { 'idempotency-key': 'order 66' };
    const first = await store(upload, { headers });
    const again = await store(upload, { headers, key: otherKey });
    const different = await store({ ...upload, query: 'Buy bread' }, { headers });

    expect(again.body.job_id).toBe(first.body.job_id);
    expect(different.body.job_id).not.toBe(first.body.job_id);
  });

  it.each([
    ['k'.repeat(256), 'string_too_long'],
    ['tab\tinside', 'string_pattern_mismatch'],
    ['é', 'string_pattern_mismatch'],
    ['', 'string_too_short'],
  ])('refuses the Idempotency-Key %j together with what is wrong with the body', async (idempotencyKey, type) => {
    const { status, body } = await store({ ...upload, query: 7 }, { headers: { 'idempotency-key': idempotencyKey } });

    expect(status).toBe(422);
    expect(body.detail).toMatchObject([{ loc: ['body', 'Idempotency-Key'], type }, { loc: ['body', 'query'] }]);
  });

  it('takes a collection for the default one by any key of the account', async () => {
    const jobs = [];
    for (const tenantId of [key, otherKey, 'a workflow'])
      jobs.push((await store({ ...upload, tenant_id: tenantId })).body);
    const uploads = await running.uploads();
    const [own, other, workflow] = jobs.map(
      ({ job_id }) => uploads.find(({ upload: { jobId } }) => jobId === job_id)?.upload.collectionId,
    );

    expect(other).toBe(own);
    expect(workflow).not.toBe(own);
  });
});

describe('enhance_task', () => {
  it('passes the input on as it is and answers in snake case', async () => {
    const input = { tenant_id: 'shop', input_text: ' Buy\u0000 milk ', context: { page: 'cart' }, agent_type: 'web' };

    const { status, body } = await ask('POST', '/enhance_task', { body: input, headers: { 'x-request-id': 'mine' } });

    expect(status).toBe(200);
    expect(body).toEqual({
      response: ' Buy\u0000 milk !',
      metadata: {
        confidence_score: 0.7,
        agent_type: 'web',
        enhancement_id: 'enh_1',
        recommendations: [
          { id: 'r', kind: 'pitfall', title: 't', text: 'x', similarity: 0.5, support: 2, source_job_ids: ['job_1'] },
        ],
      },
    });
    expect(asked.enhance.at(-1)).toMatchObject({
      inputText: ' Buy\u0000 milk ',
      context: { page: 'cart' },
      agentType: 'web',
    });
    expect(asked.calls.at(-1)?.requestId).toBe('mine');
  });

  it('tells a caller that sent no agent_type that there was none', async () => {
    const { body } = await ask('POST', '/enhance_task', {
      body: { tenant_id: 'shop', input_text: 'x', context: null },
      key: strangerKey,
    });

    expect(body.metadata.agent_type).toBeNull();
    expect(asked.enhance.at(-1)).toEqual({ collectionId: expect.any(String), inputText: 'x', context: {} });
  });

  it('says whether several keys of the account may upload', async () => {
    const body = { tenant_id: 'shop', input_text: 'x' };

    await ask('POST', '/enhance_task', { body, key: strangerKey });
    expect(asked.enhance.at(-1)).not.toHaveProperty('severalKeys');
    await ask('POST', '/enhance_task', { body, key: otherKey });
    expect(asked.enhance.at(-1)).toMatchObject({ severalKeys: true });
  });

  it('says that an answer was held out, and nothing of it where it was not', async () => {
    const metadataOf = async (input_text: string) =>
      (await ask('POST', '/enhance_task', { body: { tenant_id: 'shop', input_text } })).body.metadata;

    expect(await metadataOf('held out')).toMatchObject({ holdout: true });
    expect(await metadataOf('told')).not.toHaveProperty('holdout');
  });
});

describe('delete_by_intent', () => {
  it('takes its parameters from the query, with the moment of arrival', async () => {
    const before = Date.now() * 1000;
    const { status, body } = await ask('POST', '/delete_by_intent?tenant_id=shop&intent=Buy+milk%21', {
      body: 'ignored',
    });

    expect(status).toBe(200);
    expect(body).toEqual({ deleted_count: 3, status: 'Successfully deleted matching documents' });
    expect(asked.deleted.at(-1)).toMatchObject({ intent: 'Buy milk!', similarityThreshold: 0.5, dryRun: false });
    expect(asked.deleted.at(-1)?.requestedAt).toBeGreaterThanOrEqual(before);
  });

  it('takes the secrets out of the intent as it does for uploads: the same words meet, and none is kept', async () => {
    await ask('POST', `/delete_by_intent?tenant_id=shop&intent=${encodeURIComponent(`Deploy with ${key}`)}`);

    expect(asked.deleted.at(-1)?.intent).toBe('Deploy with [REDACTED:whetstone_key]');
  });

  it('lists the matches of a dry run', async () => {
    const { body } = await ask(
      'POST',
      '/delete_by_intent?tenant_id=shop&intent=x&dry_run=true&similarity_threshold=0.8',
    );

    expect(body).toMatchObject({
      deleted_count: 3,
      remaining_count: 4,
      matches: [{ id: 'i', intent: 'n', similarity: 0.6 }],
    });
    expect(asked.deleted.at(-1)).toMatchObject({ similarityThreshold: 0.8, dryRun: true });
  });

  it('answers 409 and says what to do if too many deletions are remembered', async () => {
    const { status, body } = await ask('POST', '/delete_by_intent?tenant_id=shop&intent=one+too+many');

    expect(status).toBe(409);
    expect(body).toMatchObject({ error: 'too_many_deletions', message: 'Remembers 1000 deletions' });
  });
});

describe('DELETE /collections', () => {
  it('erases the collection of the caller, as of the moment of arrival', async () => {
    const before = Date.now() * 1000;
    const { body: stored } = await store({ tenant_id: 'shop', query: 'x', turns: [] });
    const { status, body } = await ask('DELETE', '/collections?tenant_id=shop&confirm=shop');
    await ask('DELETE', `/collections?tenant_id=${otherKey}&confirm=${otherKey}`);
    await ask('DELETE', `/collections?tenant_id=${key}&confirm=${key}`);
    await ask('DELETE', '/collections?tenant_id=shop&confirm=shop', { key: strangerKey });

    expect(status).toBe(200);
    expect(body).toEqual({ deleted_count: 7, status: 'Successfully erased the collection' });
    const [shop, byOtherKey, byKey, strangers] = asked.erased.map(({ collectionId }) => collectionId);
    const uploads = (await running.uploads()).map(({ upload }) => upload);
    expect(shop).toBe(uploads.find(({ jobId }) => jobId === stored.job_id)?.collectionId);
    expect(byOtherKey).toBe(byKey);
    expect(new Set([shop, byKey, strangers]).size).toBe(3);
    expect(asked.erased[0]?.requestedAt).toBeGreaterThanOrEqual(before);
  });

  it.each([
    ['tenant_id=shop', 'missing'],
    ['tenant_id=shop&confirm=', 'string_too_short'],
    ['tenant_id=shop&confirm=shops', 'value_error'],
    ['tenant_id=shop&confirm=shop&confirm=shop', 'string_type'],
    ['tenant_id=shop&confirm=%ff', 'string_unicode'],
  ])('needs a confirmation that repeats the tenant_id: %s is a 422', async (query, type) => {
    const times = asked.erased.length;
    const { status, body } = await ask('DELETE', `/collections?${query}`);

    expect(status).toBe(422);
    expect(body.detail).toMatchObject([{ loc: ['query', 'confirm'], type }]);
    expect(asked.erased).toHaveLength(times);
  });

  it('refuses the key of another account', async () => {
    const { status } = await ask('DELETE', `/collections?tenant_id=${strangerKey}&confirm=${strangerKey}`);

    expect(status).toBe(403);
  });
});

describe('knowledge_status', () => {
  const jobOf = async () => (await store({ tenant_id: 'shop', query: 'x', turns: [] })).body.job_id as string;

  it('answers processing from the moment of the acknowledgement, with Retry-After', async () => {
    const jobId = await jobOf();
    const { status, body, headers } = await ask('GET', `/knowledge_status/${jobId}`);

    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'processing',
      message: expect.any(String),
      job_id: jobId,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/),
    });
    expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  });

  it('lets any key of the account ask, and nobody else', async () => {
    const jobId = await jobOf();

    expect((await ask('GET', `/knowledge_status/${jobId}`, { key: otherKey })).status).toBe(200);
    const { status, body } = await ask('GET', `/knowledge_status/${jobId}`, { key: strangerKey });
    expect([status, body.error]).toEqual([404, 'job_not_found']);
  });

  it('answers 404 for an id that was never issued or is past retention', async () => {
    expect((await ask('GET', '/knowledge_status/job_x%20y')).status).toBe(404);
    state = { status: 'expired' };
    const { status, body } = await ask('GET', `/knowledge_status/${await jobOf()}`);
    expect([status, body.error]).toEqual([404, 'job_not_found']);
  });
});

it('a request with a wrong key is counted by its route', async () => {
  await call(running.url, 'GET', '/lessons/abc?tenant_id=x', { key: 'wst_wrong' });
  await call(running.url, 'GET', '/nowhere', { key: 'wst_wrong' });

  const counted = await running.registry.metrics();
  expect(counted).toMatch(/http_route="\/lessons\/\{id\}",http_response_status_code="401"\} 1/);
  expect(counted).toMatch(/http_route="unmatched",http_response_status_code="401"\} 1/);
});

it('no log line, metric or stored byte holds a key or a tenant_id', async () => {
  const tenantId = 'tenant-to-be-searched-for';
  await store({ tenant_id: tenantId, query: `my key is ${key}`, turns: [] });
  await ask('POST', `/delete_by_intent?tenant_id=${tenantId}&intent=x`);
  await ask('POST', `/delete_by_intent?tenant_id=${key}&intent=x`);
  await ask('GET', `/${key}`);
  await ask('GET', `/knowledge_status/${key}`);
  await ask('GET', '/', { headers: { 'x-request-id': key } });

  const everything = running.printed() + (await running.registry.metrics()) + JSON.stringify(await running.uploads());

  expect(everything).not.toContain(tenantId);
  expect(everything).not.toContain(key);
  expect(running.printed()).toContain('"route":"/delete_by_intent"');
  expect(await running.registry.metrics()).toMatch(
    /http_server_request_duration_seconds_count\{http_request_method="GET",http_route="unmatched",http_response_status_code="404"\} 1/,
  );
});

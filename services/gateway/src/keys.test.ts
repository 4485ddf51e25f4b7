import { AppError } from '@whetstone/platform';
import { call } from './test-kit/call.js';
import { gatewaysOfATest } from './test-kit/gateways-of-a-test.js';
import { type GatewayOptions, keyAnswers, type RunningGateway, startGateway } from './test-kit/start-gateway.js';

const start = gatewaysOfATest();

const startWithAdmin = async (options?: GatewayOptions) => withAdmin(await start(options));

/** For requests that change nothing. */
let shared: Awaited<ReturnType<typeof withAdmin<RunningGateway>>>;
beforeAll(async () => {
  shared = await withAdmin(await startGateway());
});
afterAll(() => shared.close());

/** A gateway with an admin of one account. */
async function withAdmin<Running extends RunningGateway>(running: Running) {
  const admin = await running.issueKey('acme', { scopes: ['admin'] });
  const ask = (method: string, path: string, body?: unknown) =>
    call(running.url, method, path, { key: admin.key, ...(body === undefined ? {} : { body }) });
  return { ...running, admin, ask };
}

describe('POST /keys', () => {
  it('issues a key of the account, which is valid at once and shown once', async () => {
    const { url, admin, ask, printed } = await startWithAdmin();

    const { status, body } = await ask('POST', '/keys', { scopes: ['record', 'ask'], trust: 'low', reason: 'crawler' });

    expect(status).toBe(201);
    expect(body).toEqual({
      key: expect.stringMatching(/^wst_/),
      key_id: body.key.split('_')[1],
      scopes: ['ask', 'record'],
      trust: 'low',
      status: 'active',
      issued_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/),
      approved_by: admin.keyId,
      reason: 'crawler',
    });
    expect((await call(url, 'GET', '/', { key: body.key })).status).toBe(200);
    expect((await call(url, 'DELETE', '/collections', { key: body.key })).status).toBe(403);
    const { body: list } = await ask('GET', '/keys');
    expect(list.keys.at(-1)).toEqual({ ...body, key: undefined });
    expect(JSON.stringify(list) + printed()).not.toContain(body.key);
  });

  it('leaves an event in the log, as revoking does, from which others learn of it', async () => {
    const appended: string[] = [];
    const { ask } = await startWithAdmin({
      log: (log) => ({
        ...log,
        append: async (topic, event) => {
          await log.append(topic, event);
          appended.push(`${topic} ${event.key}`);
        },
      }),
    });

    const { body } = await ask('POST', '/keys', { scopes: ['ask'] });
    await ask('DELETE', `/keys/${body.key_id}`);

    const audit = 'whetstone.audit.v1 acme';
    expect(appended).toEqual([
      ...[audit, `whetstone.keys.v1 ${body.key_id}:issued`, audit],
      ...[audit, `whetstone.keys.v1 ${body.key_id}:revoked`, audit],
    ]);
  });

  it('lets the key expire after days or at a moment', async () => {
    const { ask } = await startWithAdmin();
    const at = new Date(Date.now() + 3_600_000).toISOString();

    const { body: byDays } = await ask('POST', '/keys', { scopes: ['ask'], expires_in_days: 90, expires_at: null });
    const { body: byMoment } = await ask('POST', '/keys', { scopes: ['ask'], expires_at: at });
    const { body: never } = await ask('POST', '/keys', {
      scopes: ['ask'],
      expires_at: null,
      trust: null,
      reason: null,
    });

    expect(Date.parse(`${byDays.expires_at}Z`) - Date.parse(`${byDays.issued_at}Z`)).toBe(90 * 86_400_000);
    expect(Date.parse(`${byMoment.expires_at}Z`)).toBe(Date.parse(at));
    expect(never).not.toHaveProperty('expires_at');
  });

  it.each([
    [{}, ['scopes'], 'missing'],
    [{ scopes: [] }, ['scopes'], 'too_short'],
    [{ scopes: 'ask' }, ['scopes'], 'list_type'],
    [{ scopes: ['ask', 'admin'] }, ['scopes', 1], 'literal_error'],
    [{ scopes: [null] }, ['scopes', 0], 'literal_error'],
    [{ scopes: ['ask'], trust: 'full' }, ['trust'], 'literal_error'],
    [{ scopes: ['ask'], expires_in_days: 0 }, ['expires_in_days'], 'greater_than_equal'],
    [{ scopes: ['ask'], expires_in_days: 3651 }, ['expires_in_days'], 'less_than_equal'],
    [{ scopes: ['ask'], expires_in_days: 1.5 }, ['expires_in_days'], 'int_from_float'],
    [{ scopes: ['ask'], expires_at: 'soon' }, ['expires_at'], 'datetime_parsing'],
    [{ scopes: ['ask'], expires_at: '2020-01-01T00:00:00Z' }, ['expires_at'], 'value_error'],
    [{ scopes: ['ask'], expires_at: '9999-12-31T23:59:59Z' }, ['expires_at'], 'value_error'],
    [{ scopes: ['ask'], expires_at: '2999-01-01T00:00', expires_in_days: 1 }, ['expires_at'], 'value_error'],
    [{ scopes: ['ask'], reason: '' }, ['reason'], 'string_too_short'],
    [{ scopes: ['ask'], reason: ' ' }, ['reason'], 'string_too_short'],
    [{ scopes: ['ask'], reason: 'two\nlines' }, ['reason'], 'string_pattern_mismatch'],
    [{ scopes: ['ask'], reason: 'x'.repeat(201) }, ['reason'], 'string_too_long'],
  ])('%j is a 422', async (body, loc, type) => {
    expect(await shared.ask('POST', '/keys', body)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', ...loc], type }] },
    });
  });

  it('takes the longest reason, whatever it is made of', async () => {
    const { ask } = await startWithAdmin();
    // Its normal form is three times as long.
    for (const character of ['x', '🪨', '\ufb2c']) {
      expect((await ask('POST', '/keys', { scopes: ['ask'], reason: character.repeat(200) })).status).toBe(201);
    }
  });

  it('refuses a large body', async () => {
    const { ask } = await startWithAdmin();

    expect((await ask('POST', '/keys', { scopes: ['ask'], more: 'x'.repeat(17_000) })).status).toBe(413);
  });

  it('is a 500 with Retry-After if the log is unavailable, and issues nothing', async () => {
    let isDown = false;
    const { ask } = await startWithAdmin({
      log: (log) => ({
        ...log,
        append: async (...given) => {
          if (isDown) throw new AppError('log_unavailable', 'down', { retryable: true });
          return log.append(...given);
        },
      }),
    });
    const before = (await ask('GET', '/keys')).body;
    isDown = true;

    const answer = await ask('POST', '/keys', { scopes: ['ask'] });

    expect(answer).toMatchObject({ status: 500, body: { error: 'keys_failed' } });
    expect(answer.headers.get('retry-after')).toBe('5');
    expect((await ask('GET', '/keys')).body).toEqual(before);
  });
});

describe('DELETE /keys/{key_id}', () => {
  it('revokes a key at once, and again without effect', async () => {
    const { url, admin, ask } = await startWithAdmin();
    const { body: issued } = await ask('POST', '/keys', { scopes: ['ask'] });
    const { key: _, ...known } = issued;

    const { status, body } = await ask('DELETE', `/keys/${issued.key_id}?reason=it%20leaked`);

    expect(status).toBe(200);
    expect(body).toEqual({
      ...known,
      status: 'revoked',
      revoked_at: expect.any(String),
      effective_at: body.revoked_at,
      revocation_reason: 'it leaked',
      revoked_by: admin.keyId,
    });
    expect((await call(url, 'GET', '/', { key: issued.key })).status).toBe(401);
    expect((await ask('DELETE', `/keys/${issued.key_id}?reason=other`)).body).toEqual(body);
  });

  it('knows no keys of other accounts, and no others', async () => {
    const { url, ask, issueKey } = await startWithAdmin();
    const foreign = await issueKey('globex');

    for (const keyId of [foreign.keyId, foreign.key, '0'.repeat(16), '%00', '__proto__']) {
      expect(await ask('DELETE', `/keys/${keyId}`)).toMatchObject({ status: 404, body: { error: 'key_not_found' } });
    }
    expect((await call(url, 'GET', '/', { key: foreign.key })).status).toBe(200);
    expect(JSON.stringify((await ask('GET', '/keys')).body)).not.toContain(foreign.keyId);
  });

  it('does not let a key revoke itself, but another admin of its account', async () => {
    const { url, admin, ask, issueKey } = await startWithAdmin();
    const other = await issueKey('acme', { scopes: ['admin'] });

    expect(await ask('DELETE', `/keys/${admin.keyId}`)).toMatchObject({ status: 409, body: { error: 'own_key' } });
    expect((await ask('DELETE', `/keys/${other.keyId}`)).status).toBe(200);
    await keyAnswers(url, other.key, 401);
  });

  it.each([
    ['%ff', ['path', 'key_id'], 'string_unicode'],
    ['x?reason=', ['query', 'reason'], 'string_too_short'],
    ['x?reason=+', ['query', 'reason'], 'string_too_short'],
    ['x?reason=%ff', ['query', 'reason'], 'string_unicode'],
    ['x?reason=a&reason=b', ['query', 'reason'], 'string_type'],
    ['x?reason=%0a', ['query', 'reason'], 'string_too_short'],
    ['x?reason=a%00b', ['query', 'reason'], 'string_pattern_mismatch'],
    [`x?reason=${'x'.repeat(201)}`, ['query', 'reason'], 'string_too_long'],
  ])('%s is a 422', async (path, loc, type) => {
    expect(await shared.ask('DELETE', `/keys/${path}`)).toMatchObject({
      status: 422,
      body: { detail: [{ loc, type }] },
    });
  });
});

it.each([
  ['PUT', '/keys', 'GET, HEAD, POST'],
  ['GET', '/keys/x', 'DELETE'],
])('%s %s tells every method that the path has', async (method, path, allow) => {
  const { status, headers } = await shared.ask(method, path);

  expect([status, headers.get('allow')]).toEqual([405, allow]);
});

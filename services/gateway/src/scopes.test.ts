import { routes, type Scope, scopes } from '@whetstone/contracts';
import { call, callUntilRefused } from './test-kit/call.js';
import { gatewaysOfATest } from './test-kit/gateways-of-a-test.js';
import { type RunningGateway, startGateway } from './test-kit/start-gateway.js';

const start = gatewaysOfATest();

describe('scopes', () => {
  let running: RunningGateway;
  const keys = new Map<Scope, string>();

  beforeAll(async () => {
    running = await startGateway({ config: { maxBodyBytes: 2000 } });
    for (const scope of scopes) keys.set(scope, (await running.issueKey('acme', { scopes: [scope] })).key);
  });
  afterAll(() => running.close());

  const callAs = (scope: Scope, method: string, path: string, more: Parameters<typeof call>[3] = {}) =>
    call(running.url, method, path, { key: keys.get(scope) ?? '', ...more });

  const cases = Object.values(routes).flatMap(({ method, path, scopes: needed }) =>
    scopes.map((scope) => ({ method: method.toUpperCase(), path, scope, needed: needed as readonly Scope[] })),
  );

  it.each(cases)('$method $path with a key that may $scope', async ({ method, path, scope, needed }) => {
    const { status, body, headers } = await callAs(scope, method, path);

    if (needed.length === 0 || needed.includes(scope)) expect(['scope_missing', 'not_found']).not.toContain(body.error);
    else {
      const requestId = headers.get('x-request-id');
      expect(status).toBe(403);
      expect(body).toEqual({ error: 'scope_missing', message: expect.any(String), request_id: requestId });
    }
  });

  it('are checked after the path and the method, and before anything of the body', async () => {
    const body = 'x'.repeat(5000);
    const headers = { 'content-type': 'text/plain' };

    expect((await callAs('curate', 'POST', '/nowhere', { body })).status).toBe(404);
    expect((await callAs('curate', 'PUT', '/store_knowledge', { body })).status).toBe(405);
    const answer = await callAs('curate', 'POST', '/store_knowledge', { body, headers });
    expect([answer.status, answer.body.message]).toEqual([403, 'This key may curate; store_knowledge needs record']);
    expect(answer.headers.has('ratelimit')).toBe(false);
  });
});

it('a key is refused from the moment on that it expires, like a revoked one', async () => {
  const { url, issueKey } = await start();
  const { key } = await issueKey('acme', { expiresAt: (Date.now() + 1500) * 1000 });

  expect(await callUntilRefused(url, 'GET', '/', { key })).toMatchObject({
    status: 401,
    body: { error: 'invalid_api_key' },
  });
});

describe('Authorization: Bearer', () => {
  it('carries a key as x-api-key does', async () => {
    const { url, key, issueKey } = await start();
    const { key: other } = await issueKey('acme');
    const statusOf = async (headers: Record<string, string>) => (await call(url, 'GET', '/', { headers })).status;

    expect(await statusOf({ authorization: `Bearer ${key}` })).toBe(200);
    expect(await statusOf({ authorization: `bearer   ${key}` })).toBe(200);
    expect(await statusOf({ authorization: `Bearer ${key}`, 'x-api-key': key })).toBe(200);
    expect(await statusOf({ authorization: `Bearer ${key}`, 'x-api-key': other })).toBe(401);
    expect(await statusOf({ authorization: 'Bearer nonsense', 'x-api-key': key })).toBe(401);
    expect(await statusOf({ authorization: `Bearer ${key} ${key}` })).toBe(401);
    expect(await statusOf({ authorization: `Bearer${key}` })).toBe(401);
    expect(await statusOf({ authorization: `Basic ${key}` })).toBe(401);
    expect(await statusOf({ authorization: 'Basic abc', 'x-api-key': key })).toBe(200);
  });

  it('a request without a key is told how to send one', async () => {
    const { url } = await start();
    for (const headers of [{}, { authorization: 'Bearer' }, { authorization: 'Basic abc' }]) {
      const answer = await call(url, 'GET', '/', { headers });

      expect(answer).toMatchObject({ status: 401, body: { hint: expect.stringContaining('Authorization: Bearer') } });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });
});

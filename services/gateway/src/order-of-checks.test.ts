import { gzipSync } from 'node:zlib';

import { call } from './test-kit/call.js';
import { keyAnswers, type RunningGateway, startGateway } from './test-kit/start-gateway.js';

const invalidKey = { error: 'invalid_api_key', message: 'The provided API key is invalid or has been revoked' };
const validUpload = { tenant_id: 'shop', query: 'buy', turns: [] };

let running: RunningGateway;
let key: string;
let foreignKey: string;

beforeAll(async () => {
  running = await startGateway({ config: { maxBodyBytes: 2000 } });
  ({ key } = await running.issueKey('acme'));
  foreignKey = (await running.issueKey('globex')).key;
});

afterAll(() => running.close());

const ask = (method: string, path: string, options: Parameters<typeof call>[3] = {}) =>
  call(running.url, method, path, { key, ...options });

describe('401', () => {
  it.each([
    'GET /',
    'POST /enhance_task',
    'POST /store_knowledge',
    'POST /delete_by_intent',
    'DELETE /collections',
    'GET /knowledge_status/x',
    'GET /keys',
    'POST /keys',
    'DELETE /keys/x',
  ])('%s needs a key', async (operation) => {
    const [method = '', path = ''] = operation.split(' ');

    const { status, body, headers } = await call(running.url, method, path);

    expect(status).toBe(401);
    expect(headers.get('x-request-id')).toMatch(/^[\w.-]+$/);
    expect(body).toEqual({ ...invalidKey, hint: expect.any(String), request_id: headers.get('x-request-id') });
  });

  it('is one answer for malformed, unknown and revoked keys; a missing one is told to be missing', async () => {
    const revoked = await running.issueKey('acme');
    await running.revokeKey(revoked.keyId);
    await keyAnswers(running.url, revoked.key, 401);
    const unknown = `wst_${'0'.repeat(16)}_${'0'.repeat(40)}_${'0'.repeat(6)}`;

    const missing = await call(running.url, 'GET', '/', { headers: { 'x-api-key': '' } });
    expect(missing.body).toMatchObject({ ...invalidKey, hint: expect.stringMatching(/no api key was sent/i) });
    for (const bad of ['nonsense', unknown, `${key}x`, `${key}, ${key}`, revoked.key]) {
      const answer = await call(running.url, 'GET', '/', { headers: { 'x-api-key': bad } });
      const { request_id: requestId, ...body } = answer.body;
      expect([answer.status, body]).toEqual([401, invalidKey]);
      expect(requestId).toBe(answer.headers.get('x-request-id'));
    }
  });

  it('comes before everything that could be wrong with the rest of the request', async () => {
    const large = 'x'.repeat(5000);

    const answers = await Promise.all([
      call(running.url, 'GET', '/nowhere'),
      call(running.url, 'DELETE', '/store_knowledge'),
      call(running.url, 'POST', '/store_knowledge', { body: large }),
      call(running.url, 'POST', '/store_knowledge', { body: '{', headers: { 'content-type': 'text/plain' } }),
      call(running.url, 'GET', '/knowledge_status/%zz'),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
  });

  it('counts why, without saying so', async () => {
    const metrics = await running.registry.metrics();

    expect(metrics).toMatch(/whetstone_auth_failures_total\{reason="missing"\} [1-9]/);
    expect(metrics).toMatch(/whetstone_auth_failures_total\{reason="malformed"\} [1-9]/);
    expect(metrics).toMatch(/whetstone_auth_failures_total\{reason="refused"\} [1-9]/);
  });
});

describe('404 and 405', () => {
  it.each(['/nowhere', '/STORE_KNOWLEDGE', '/enhance_task/', '/knowledge_status', '/knowledge_status/', '//', '/%zz'])(
    '%s is not found',
    async (path) => {
      const { status, body, headers } = await ask('GET', path);

      expect(status).toBe(404);
      expect(body).toEqual({
        error: 'not_found',
        message: expect.any(String),
        request_id: headers.get('x-request-id'),
      });
    },
  );

  it.each([
    ['PUT', '/', 'GET, HEAD'],
    ['GET', '/store_knowledge', 'POST'],
    ['OPTIONS', '/enhance_task', 'POST'],
    ['HEAD', '/delete_by_intent', 'POST'],
    ['POST', '/collections?tenant_id=a&confirm=a', 'DELETE, PATCH, GET, HEAD'],
    ['POST', '/knowledge_status/x', 'GET, HEAD'],
    ['POST', '/openapi.json', 'GET, HEAD'],
  ])('%s %s tells what is allowed', async (method, path, allow) => {
    const { status, headers } = await ask(method, path);

    expect(status).toBe(405);
    expect(headers.get('allow')).toBe(allow);
  });

  it('come before 413 and 415', async () => {
    const body = 'x'.repeat(5000);

    expect((await ask('POST', '/nowhere', { body })).status).toBe(404);
    expect((await ask('PUT', '/store_knowledge', { body, headers: { 'content-type': 'text/plain' } })).status).toBe(
      405,
    );
  });

  it('HEAD answers as GET, without the body', async () => {
    const { status, body } = await ask('HEAD', '/');

    expect([status, body]).toEqual([200, '']);
  });
});

describe('413 and 415', () => {
  const ofSize = (bytes: number) => {
    const text = JSON.stringify(validUpload);
    return text.replace('buy', 'b'.repeat(bytes - text.length + 3));
  };

  it('the limit is the last size that is accepted', async () => {
    expect((await ask('POST', '/store_knowledge', { body: ofSize(2000) })).status).toBe(202);
    expect((await ask('POST', '/store_knowledge', { body: ofSize(2001) })).status).toBe(413);
  });

  it('counts what comes out of gzip', async () => {
    const gzip = { 'content-encoding': 'gzip' };

    expect((await ask('POST', '/store_knowledge', { body: gzipSync(ofSize(2000)), headers: gzip })).status).toBe(202);
    expect((await ask('POST', '/store_knowledge', { body: gzipSync(ofSize(2001)), headers: gzip })).status).toBe(413);
    const bomb = gzipSync(Buffer.alloc(1_500_000, ' '));
    expect((await ask('POST', '/store_knowledge', { body: bomb, headers: gzip })).status).toBe(413);
  });

  it('a body without an announced length is counted while it arrives', async () => {
    const answer = await fetch(`${running.url}/store_knowledge`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: new ReadableStream({
        start(controller) {
          for (let sent = 0; sent < 10; sent++) controller.enqueue(new TextEncoder().encode('x'.repeat(1000)));
          controller.close();
        },
      }),
      duplex: 'half',
    } as RequestInit);

    expect(answer.status).toBe(413);
  });

  it.each(['text/plain', 'application/xml', 'nonsense', 'application/json; charset=utf-16', 'application/jsonp'])(
    '%s is no JSON',
    async (type) => {
      const answer = await ask('POST', '/store_knowledge', { body: '{', headers: { 'content-type': type } });

      expect(answer.status).toBe(415);
      expect(answer.body).toMatchObject({ error: 'unsupported_media_type', request_id: expect.any(String) });
    },
  );

  it.each(['', 'application/json; charset=UTF-8', 'application/json;charset="utf-8"', 'application/vnd.api+json'])(
    'Content-Type %j is read as JSON',
    async (type) => {
      const body = new TextEncoder().encode(JSON.stringify(validUpload));

      expect((await ask('POST', '/store_knowledge', { body, headers: { 'content-type': type } })).status).toBe(202);
    },
  );

  it.each(['br', 'deflate', 'gzip, gzip', 'nonsense'])('Content-Encoding %s is refused', async (encoding) => {
    const answer = await ask('POST', '/store_knowledge', { body: '{}', headers: { 'content-encoding': encoding } });

    expect(answer.status).toBe(415);
    expect(answer.headers.get('accept-encoding')).toBe('gzip');
  });
});

describe('422 and 403', () => {
  it('broken gzip is a 422', async () => {
    const whole = gzipSync(JSON.stringify(validUpload));
    for (const body of [whole.subarray(0, -8), Buffer.from('not gzip')]) {
      const answer = await ask('POST', '/store_knowledge', { body, headers: { 'content-encoding': 'gzip' } });
      expect([answer.status, answer.body.detail[0].type]).toEqual([422, 'json_invalid']);
    }
  });

  it('text that is not valid Unicode is told together with everything else', async () => {
    const body = '{"tenant_id":"t","query":"\\ud800","turns":7}';
    const answer = await ask('POST', '/store_knowledge', { body, headers: { 'idempotency-key': '' } });

    expect(answer.status).toBe(422);
    expect(answer.body.detail).toMatchObject([
      { loc: ['body', 'Idempotency-Key'], type: 'string_too_short' },
      { loc: ['body', 'query'], type: 'string_unicode' },
      { loc: ['body', 'turns'], type: 'list_type' },
    ]);
  });

  it('422 comes before 403', async () => {
    const answer = await ask('POST', '/store_knowledge', { body: { tenant_id: foreignKey, turns: [] } });

    expect(answer.status).toBe(422);
  });

  it("another account's key as tenant_id is a 403", async () => {
    const answer = await ask('POST', '/store_knowledge', { body: { ...validUpload, tenant_id: foreignKey } });

    expect(answer.status).toBe(403);
    expect(answer.body).toEqual({
      error: 'tenant_forbidden',
      message: expect.any(String),
      request_id: answer.headers.get('x-request-id'),
    });
  });

  it('a path that cannot be decoded is a 422', async () => {
    const answer = await ask('GET', '/knowledge_status/%ff');

    expect(answer.status).toBe(422);
    expect(answer.body.detail[0].loc).toEqual(['path', 'job_id']);
  });
});

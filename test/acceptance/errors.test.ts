import { gzipSync } from 'node:zlib';

import { type Account, createAccounts, unique } from '../support/accounts.js';
import type { ErrorBody, ValidationErrorBody } from '../support/contract.js';
import { lessons, lessonUpload } from '../support/uploads.js';

const accounts = createAccounts();
const megabyte = 1024 * 1024;
let account: Account;
let foreignKey: string;

beforeAll(async () => {
  account = await accounts.open();
  foreignKey = (await accounts.open()).key;
});

const valid = { tenant_id: 'errors', query: 'x', turns: [] };

describe('404 and 405', () => {
  it.each([
    '/nowhere',
    '/enhance_task/',
    '/store_knowledge/x',
    '/knowledge_status',
    '/knowledge_status/',
    '//',
    '/ENHANCE_TASK',
  ])('an unknown path is a 404 not_found: %s', async (path) => {
    const answer = await account.client.request<ErrorBody>('GET', path);

    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({
      error: 'not_found',
      message: expect.stringMatching(/./),
      request_id: answer.headers.get('x-request-id'),
    });
  });

  it.each([
    ['POST', '/', 'GET'],
    ['GET', '/enhance_task', 'POST'],
    ['PUT', '/store_knowledge', 'POST'],
    ['DELETE', '/delete_by_intent', 'POST'],
    ['PATCH', '/knowledge_status/x', 'GET'],
    ['OPTIONS', '/store_knowledge', 'POST'],
  ])('%s %s is a 405 with Allow', async (method, path, allowed) => {
    const answer = await account.client.request<ErrorBody>(method, path);

    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toContain(allowed);
    expect(answer.body).toEqual({
      error: expect.any(String),
      message: expect.stringMatching(/./),
      request_id: answer.headers.get('x-request-id'),
    });
  });
});

describe('413 and 415', () => {
  it('a body over the limit is a 413', async () => {
    const answer = await account.client.request<ErrorBody>('POST', '/store_knowledge', {
      body: { ...valid, query: 'x'.repeat(5 * megabyte) },
    });

    expect(answer.status).toBe(413);
    expect(answer.body).toEqual({
      error: expect.any(String),
      message: expect.stringMatching(/./),
      request_id: answer.headers.get('x-request-id'),
    });
  });

  it('a gzipped body is accepted', async () => {
    const body = gzipSync(JSON.stringify(lessonUpload(unique('gzip'), lessons.sql)));

    const answer = await account.client.request('POST', '/store_knowledge', {
      body,
      headers: { 'content-encoding': 'gzip' },
    });

    expect(answer.status).toBe(202);
  });

  it('the limit counts what comes out of a gzipped body', async () => {
    const body = gzipSync(JSON.stringify({ ...valid, query: 'x'.repeat(20 * megabyte) }));
    expect(body.length).toBeLessThan(megabyte);

    const answer = await account.client.request('POST', '/store_knowledge', {
      body,
      headers: { 'content-encoding': 'gzip' },
    });

    expect(answer.status).toBe(413);
  });

  it.each([
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'nonsense',
  ])('%s is a 415', async (type) => {
    const answer = await account.client.request<ErrorBody>('POST', '/enhance_task', {
      body: JSON.stringify({ tenant_id: 'x', input_text: 'x' }),
      headers: { 'content-type': type },
    });

    expect(answer.status).toBe(415);
    expect(answer.body.request_id).toBe(answer.headers.get('x-request-id'));
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON', 'application/problem+json'])(
    '%s is read as JSON',
    async (type) => {
      const answer = await account.client.request('POST', '/enhance_task', {
        body: JSON.stringify({ tenant_id: 'x', input_text: 'x' }),
        headers: { 'content-type': type },
      });

      expect(answer.status).toBe(200);
    },
  );

  it('a missing Content-Type is read as JSON', async () => {
    // Bytes instead of a string: fetch then adds no Content-Type of its own.
    const answer = await account.client.request('POST', '/enhance_task', {
      body: new TextEncoder().encode(JSON.stringify({ tenant_id: 'x', input_text: 'x' })),
      headers: { 'content-type': '' },
    });

    expect(answer.status).toBe(200);
  });
});

describe('422', () => {
  const problemsOf = async (path: string, body: unknown) => {
    const answer = await account.client.request<ValidationErrorBody>('POST', path, { body });
    expect(answer.status).toBe(422);
    return answer.body.detail;
  };

  it('tells every problem at once', async () => {
    const body = {
      tenant_id: 7,
      turns: [{ turn: 'one', inputs: 'a' }, 'nothing', { turn: 2, inputs: null, decision: 'd', memory: 3, result: {} }],
      success: 'maybe',
    };

    const problems = await problemsOf('/store_knowledge', body);

    expect(problems.map(({ loc }) => loc.join('.')).sort()).toEqual(
      [
        'body.query',
        'body.success',
        'body.tenant_id',
        'body.turns.0.decision',
        'body.turns.0.turn',
        'body.turns.1',
        'body.turns.2.inputs',
      ].sort(),
    );
    for (const { msg, type } of problems) expect([typeof msg, typeof type]).toEqual(['string', 'string']);
  });

  it('speaks as the clients of FastAPI know it', async () => {
    const problems = await problemsOf('/store_knowledge', { tenant_id: 1, query: 'x', turns: {}, success: 'maybe' });

    expect(problems).toEqual([
      { loc: ['body', 'tenant_id'], msg: 'Input should be a valid string', type: 'string_type' },
      { loc: ['body', 'turns'], msg: 'Input should be a valid list', type: 'list_type' },
      {
        loc: ['body', 'success'],
        msg: 'Input should be a valid boolean, unable to interpret input',
        type: 'bool_parsing',
      },
    ]);
  });

  it('tells at most 100 problems', async () => {
    const problems = await problemsOf('/store_knowledge', { ...valid, turns: Array.from({ length: 500 }, () => ({})) });

    expect(problems).toHaveLength(100);
  });

  it.each(['{"tenant_id": "x", ', '{', '', 'undefined', '{"a": 1,}', "{'a': 1}", 'NaN', '[1, 2', '\u0000', '{"a" 1}'])(
    'broken JSON is type json_invalid: %j',
    async (body) => {
      const problems = await problemsOf('/store_knowledge', new TextEncoder().encode(body));

      expect(problems).toMatchObject([
        { type: expect.stringMatching(body === '' ? /^(json_invalid|missing)$/ : /^json_invalid$/) },
      ]);
      expect(problems[0]?.loc[0]).toBe('body');
    },
  );

  it.each(['null', '[]', '"text"', '7', 'true'])('a body that is no object is a 422: %s', async (body) => {
    const problems = await problemsOf('/enhance_task', body);

    expect(problems[0]?.loc[0]).toBe('body');
  });
});

describe('the order of the checks', () => {
  it('404 and 405 come before 413 and 415', async () => {
    const large = 'x'.repeat(5 * megabyte);
    const unknown = await account.client.request('POST', '/nowhere', { body: large });
    const method = await account.client.request('PUT', '/store_knowledge', {
      body: 'x',
      headers: { 'content-type': 'text/plain' },
    });

    expect([unknown.status, method.status]).toEqual([404, 405]);
  });

  it('415 comes before 422', async () => {
    const answer = await account.client.request('POST', '/store_knowledge', {
      body: '{',
      headers: { 'content-type': 'text/plain' },
    });

    expect(answer.status).toBe(415);
  });

  it('413 comes before 422', async () => {
    const answer = await account.client.request('POST', '/store_knowledge', { body: '{'.repeat(5 * megabyte) });

    expect(answer.status).toBe(413);
  });

  it('422 comes before 403', async () => {
    const answer = await account.client.request('POST', '/store_knowledge', {
      body: { tenant_id: foreignKey, turns: [] },
    });

    expect(answer.status).toBe(422);
  });
});

describe('x-request-id', () => {
  it.each(['abc', 'A.b-c_9', 'x'.repeat(128)])('is taken from the request: %s', async (id) => {
    const answer = await account.client.request('GET', '/', { headers: { 'x-request-id': id } });

    expect(answer.headers.get('x-request-id')).toBe(id);
  });

  it.each(['has space', 'x'.repeat(129), 'sémi', 'a;b', '<script>'])(
    'is made where it does not fit: %s',
    async (id) => {
      const answer = await account.client.request<ErrorBody>('GET', '/nowhere', {
        headers: { 'x-request-id': Buffer.from(id).toString('latin1') },
      });

      expect(answer.headers.get('x-request-id')).toMatch(/^[\w.-]{8,128}$/);
      expect(answer.headers.get('x-request-id')).not.toBe(id);
      expect(answer.body.request_id).toBe(answer.headers.get('x-request-id'));
    },
  );

  it('is another one for each request', async () => {
    const ids = [await account.client.request('GET', '/'), await account.client.request('GET', '/')];

    expect(ids[0]?.headers.get('x-request-id')).not.toBe(ids[1]?.headers.get('x-request-id'));
  });

  it('is on a 401 as well', async () => {
    const answer = await account.client.request('GET', '/', { headers: { 'x-api-key': 'no', 'x-request-id': 'mine' } });

    expect(answer.status).toBe(401);
    expect(answer.headers.get('x-request-id')).toBe('mine');
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, createAccounts, keyCounts, unique } from '../support/accounts.js';
import { createClient } from '../support/client.js';
import { type ErrorBody, invalidApiKey } from '../support/contract.js';
import { type DescribedOperation, describedOperations } from '../support/described-operations.js';
import { target } from '../support/target.js';

const { baseUrl } = target();
const accounts = createAccounts();
const scopes = ['ask', 'record', 'curate', 'admin'];
const keys = new Map<string, Account>();
let operations: DescribedOperation[];

beforeAll(async () => {
  operations = await describedOperations(baseUrl);
  const account = unique('account');
  for (const scope of scopes) keys.set(scope, await accounts.open(account, ` --scope ${scope}`));
  keys.set('usual', await accounts.open(account));
});

function callWith(key: string, { method, path, body }: DescribedOperation) {
  const { client } = keys.get(key) as Account;
  return client.request<ErrorBody>(method, path, body === undefined ? {} : { body });
}

describe('a key may do what its scopes allow, and nothing else', () => {
  it('every operation says which scopes it needs', () => {
    const needs = Object.fromEntries(operations.map(({ name, scopes: needed }) => [name, needed]));

    expect(needs).toMatchObject({
      'GET /': [],
      'POST /enhance_task': ['ask'],
      'POST /store_knowledge': ['record'],
      'POST /store_knowledge/batch': ['record'],
      'GET /knowledge_status/{job_id}': ['record'],
      'POST /delete_by_intent': ['curate'],
      'DELETE /collections': ['curate'],
      'PATCH /collections': ['curate'],
      'GET /collections': ['curate'],
      'GET /runs': ['curate'],
      'GET /runs/{job_id}': ['curate'],
      'GET /lessons': ['curate'],
      'POST /lessons': ['curate'],
      'GET /lessons/{id}': ['curate'],
      'PATCH /lessons/{id}': ['curate'],
      'DELETE /lessons/{id}': ['curate'],
      'POST /feedback': ['ask', 'record'],
      'GET /keys': ['admin'],
      'POST /keys': ['admin'],
      'DELETE /keys/{key_id}': ['admin'],
    });
    expect(
      Object.values(needs)
        .flat()
        .filter((scope) => !scopes.includes(scope)),
    ).toEqual([]);
  });

  it.each(scopes)('a key that may only %s', async (scope) => {
    for (const operation of operations) {
      const { status, body, headers } = await callWith(scope, operation);

      const isAllowed = operation.scopes.length === 0 || operation.scopes.includes(scope);
      if (isAllowed) {
        expect([operation.name, status]).not.toEqual([operation.name, 403]);
        expect([operation.name, status < 500, status === 401]).toEqual([operation.name, true, false]);
      } else {
        expect([operation.name, status]).toEqual([operation.name, 403]);
        expect(body).toEqual({
          error: 'scope_missing',
          message: expect.stringMatching(`^This key may ${scope}; .* needs ${operation.scopes.join(' or ')}$`),
          request_id: headers.get('x-request-id'),
        });
      }
    }
  });

  it('a key without scopes of its own may ask, record and curate', async () => {
    for (const operation of operations) {
      const { status } = await callWith('usual', operation);

      const isRefused = operation.scopes.join() === 'admin';
      expect([operation.name, status === 403]).toEqual([operation.name, isRefused]);
    }
  });

  it('several scopes are told in one sentence', async () => {
    const { client } = await accounts.open(unique('account'), ' --scope ask --scope record');

    const answer = await client.request<ErrorBody>('POST', '/delete_by_intent?tenant_id=a&intent=b');

    expect(answer.body.message).toBe('This key may ask and record; delete_by_intent needs curate');
  });

  it('comes after 404 and 405, and before the body', async () => {
    const { client } = keys.get('curate') as Account;
    const body = `"${'x'.repeat(5 * 1024 * 1024)}"`;

    expect((await client.request('POST', '/nowhere', { body })).status).toBe(404);
    expect((await client.request('PUT', '/store_knowledge', { body })).status).toBe(405);
    expect((await client.request('POST', '/store_knowledge', { body })).status).toBe(403);
    expect((await client.request('POST', '/enhance_task', { body: '{' })).status).toBe(403);
  });
});

it('an expired key is refused like a revoked one', async () => {
  const { key } = await accounts.operator.issueKey(unique('account'), ' --expires 10s');
  await keyCounts(baseUrl, key, true);
  await sleep(8000);
  await keyCounts(baseUrl, key, false);

  const answer = await createClient(baseUrl, key).request<ErrorBody>('GET', '/');

  expect(answer.status).toBe(401);
  expect(answer.body).toEqual({ ...invalidApiKey, request_id: answer.headers.get('x-request-id') });
});

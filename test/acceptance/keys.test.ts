import { type Account, createAccounts, keyCounts, unique } from '../support/accounts.js';
import { createClient } from '../support/client.js';
import { type ErrorBody, invalidApiKey, type ValidationErrorBody } from '../support/contract.js';
import { target } from '../support/target.js';
import { lessons, lessonUpload } from '../support/uploads.js';

interface ApiKey {
  key_id: string;
  scopes: string[];
  trust: string;
  status: string;
  approved_by: string;
  reason: string;
  expires_at?: string;
  revocation_reason?: string;
  revoked_by?: string;
}

const { baseUrl } = target();
const accounts = createAccounts();
let admin: Account;
let stranger: Account;

beforeAll(async () => {
  admin = await accounts.open(unique('account'), ' --scope admin');
  stranger = await accounts.open(unique('account'), ' --scope admin');
});

const list = async ({ client }: Account) => (await client.request<{ keys: ApiKey[] }>('GET', '/keys')).body.keys;

async function issue(body: object, { client }: Account = admin) {
  const answer = await client.request<ApiKey & { key: string }>('POST', '/keys', { body });
  expect(answer.status).toBe(201);
  await keyCounts(baseUrl, answer.body.key, true);
  return answer.body;
}

describe('POST /keys', () => {
  it('issues a key of the account, with what it may do, and tells it only this once', async () => {
    const issued = await issue({ scopes: ['record', 'ask'], trust: 'low', reason: 'crawler', expires_in_days: 90 });

    expect(issued).toMatchObject({
      scopes: ['ask', 'record'],
      trust: 'low',
      status: 'active',
      reason: 'crawler',
      approved_by: admin.keyId,
    });
    const { key, ...known } = issued;
    expect((await list(admin)).find(({ key_id: id }) => id === issued.key_id)).toEqual(known);
    expect(JSON.stringify(await list(admin))).not.toContain(key);
  });

  it('the key works with the knowledge of its account, and not beyond its scopes', async () => {
    const { logs } = lessons;
    const { key } = await issue({ scopes: ['ask', 'record'] });
    const client = createClient(baseUrl, key);
    await client.learn({ ...lessonUpload(key, logs) });
    const mate = await accounts.open(admin.account);

    expect((await mate.client.enhance({ tenant_id: mate.key, input_text: logs.task })).response).toContain(
      logs.command,
    );
    expect((await client.request('GET', '/keys')).status).toBe(403);
    expect((await client.request('POST', '/delete_by_intent?tenant_id=a&intent=b')).status).toBe(403);
  });

  it('operators know it too, and can revoke it', async () => {
    const { key, key_id: keyId } = await issue({ scopes: ['ask'] });

    await accounts.operator.revokeKey(keyId);
    await keyCounts(baseUrl, key, false);

    const [revoked] = (await list(admin)).filter(({ key_id: id }) => id === keyId);
    expect(revoked).toMatchObject({ status: 'revoked', revocation_reason: 'acceptance test' });
    expect(revoked).not.toHaveProperty('revoked_by');
  });

  it('a key expires when it was said to', async () => {
    const { key, key_id: keyId } = await issue({
      scopes: ['ask'],
      expires_at: new Date(Date.now() + 6000).toISOString(),
    });
    await keyCounts(baseUrl, key, false);

    const answer = await createClient(baseUrl, key).request('GET', '/');
    expect(answer.body).toMatchObject(invalidApiKey);
    expect((await list(admin)).find(({ key_id: id }) => id === keyId)?.status).toBe('expired');
  });

  it('never issues an admin key', async () => {
    const answer = await admin.client.request<ValidationErrorBody>('POST', '/keys', { body: { scopes: ['admin'] } });

    expect(answer.status).toBe(422);
    expect(answer.body.detail).toMatchObject([{ loc: ['body', 'scopes', 0], type: 'literal_error' }]);
  });

  it.each([
    [{}, 'scopes'],
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['ask'], expires_in_days: 0 }, 'expires_in_days'],
    [{ scopes: ['ask'], expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    [{ scopes: ['ask'], expires_at: '9999-12-31T00:00:00Z' }, 'expires_at'],
    [{ scopes: ['ask'], expires_in_days: 1, expires_at: '2999-01-01T00:00:00Z' }, 'expires_at'],
    [{ scopes: ['ask'], trust: 'blind' }, 'trust'],
    [{ scopes: ['ask'], reason: 'two\nlines' }, 'reason'],
  ])('%j is a 422 that says where', async (body, field) => {
    const answer = await admin.client.request<ValidationErrorBody>('POST', '/keys', { body });

    expect([answer.status, answer.body.detail[0]?.loc.slice(0, 2)]).toEqual([422, ['body', field]]);
  });
});

describe('DELETE /keys/{key_id}', () => {
  it('revokes a key within a second everywhere, and again without effect', async () => {
    const { key, key_id: keyId } = await issue({ scopes: ['ask'] });
    const revoke = (reason: string) => admin.client.request<ApiKey>('DELETE', `/keys/${keyId}?reason=${reason}`);

    const first = await revoke('leaked');
    await keyCounts(baseUrl, key, false);
    const second = await revoke('other');

    expect([first.status, second.status]).toEqual([200, 200]);
    expect(first.body).toMatchObject({ status: 'revoked', revocation_reason: 'leaked', revoked_by: admin.keyId });
    expect(second.body).toEqual(first.body);
  });

  it('a key cannot revoke itself', async () => {
    const answer = await admin.client.request<ErrorBody>('DELETE', `/keys/${admin.keyId}`);

    expect([answer.status, answer.body.error]).toEqual([409, 'own_key']);
    expect((await admin.client.request('GET', '/')).status).toBe(200);
  });
});

describe('the keys of another account', () => {
  it('are not listed, and cannot be revoked', async () => {
    const { key, key_id: keyId } = await issue({ scopes: ['ask'] });

    const answer = await stranger.client.request<ErrorBody>('DELETE', `/keys/${keyId}`);
    const unknown = await stranger.client.request<ErrorBody>('DELETE', `/keys/${'0'.repeat(16)}`);

    expect([answer.status, answer.body.error, unknown.status]).toEqual([404, 'key_not_found', 404]);
    expect(answer.body.message).toBe(unknown.body.message);
    expect((await createClient(baseUrl, key).request('GET', '/')).status).toBe(200);
    expect((await list(stranger)).map(({ key_id: id }) => id)).toEqual([stranger.keyId]);
  });

  it('a key that a stranger issues sees nothing of this account', async () => {
    const { sql } = lessons;
    const mate = await accounts.open(admin.account);
    const workflow = unique('workflow');
    await mate.client.learn(lessonUpload(workflow, sql));
    const { key } = await issue({ scopes: ['ask'] }, stranger);

    const seen = await createClient(baseUrl, key).enhance({ tenant_id: workflow, input_text: sql.task });

    expect(seen.response).toBe(sql.task);
  });
});

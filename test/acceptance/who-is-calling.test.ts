import { type Account, createAccounts, keyCounts, unique } from '../support/accounts.js';
import { createClient } from '../support/client.js';
import { type ErrorBody, invalidApiKey, type ValidationErrorBody } from '../support/contract.js';
import { inParallel } from '../support/eventually.js';
import { rawExchange } from '../support/raw-http.js';
import { target } from '../support/target.js';
import { lessons, lessonUpload } from '../support/uploads.js';

const { baseUrl } = target();
const accounts = createAccounts();
let account: Account;

beforeAll(async () => {
  account = await accounts.open();
});

const operations = [
  ['GET', '/'],
  ['POST', '/enhance_task'],
  ['POST', '/store_knowledge'],
  ['POST', '/delete_by_intent?tenant_id=a&intent=b'],
  ['DELETE', '/collections?tenant_id=a&confirm=a'],
  ['PATCH', '/collections?tenant_id=a'],
  ['GET', '/lessons?tenant_id=a'],
  ['POST', '/lessons'],
  ['GET', '/lessons/x?tenant_id=a'],
  ['PATCH', '/lessons/x?tenant_id=a'],
  ['DELETE', '/lessons/x?tenant_id=a'],
  ['POST', '/feedback'],
  ['GET', '/knowledge_status/job_x'],
  ['GET', '/keys'],
  ['POST', '/keys'],
  ['DELETE', '/keys/x'],
] as const;

describe('every operation needs a key', () => {
  it.each(operations)('%s %s without it is a 401', async (method, path) => {
    const answer = await createClient(baseUrl).request(method, path, method === 'POST' ? { body: {} } : {});

    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject(invalidApiKey);
  });

  it('a missing key is told to be missing, and a wrong one is not', async () => {
    const missing = await createClient(baseUrl).request<ErrorBody>('GET', '/');
    const wrong = await createClient(baseUrl).request<ErrorBody>('GET', '/', { headers: { 'x-api-key': 'x' } });

    expect(missing.body).toMatchObject({ ...invalidApiKey, hint: expect.stringMatching(/no api key.*x-api-key/i) });
    expect(wrong.body).not.toHaveProperty('hint');
  });

  it('missing, malformed, unknown and revoked keys are one case', async () => {
    const revoked = await accounts.open();
    await accounts.operator.revokeKey(revoked.keyId);
    await keyCounts(baseUrl, revoked.key, false);
    const mistyped = account.key.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    const keys = ['', 'x', 'wst_', `wst_${'0'.repeat(16)}_${'0'.repeat(40)}_${'0'.repeat(6)}`, mistyped, revoked.key];

    for (const key of keys) {
      const answer = await createClient(baseUrl).request('GET', '/', { headers: { 'x-api-key': key } });

      expect(answer.status).toBe(401);
      expect(answer.body).toMatchObject({ ...invalidApiKey, request_id: answer.headers.get('x-request-id') });
    }
  });

  it('a key in the wrong place is no key', async () => {
    const inQuery = await createClient(baseUrl).request('GET', `/?x-api-key=${account.key}`);
    const asPassword = await createClient(baseUrl).request('GET', '/', {
      headers: { authorization: `Basic ${account.key}` },
    });

    expect([inQuery.status, asPassword.status]).toEqual([401, 401]);
  });

  it('Authorization: Bearer carries it as well as x-api-key does, but not another one beside it', async () => {
    const other = await accounts.open(account.account);
    const call = async (headers: Record<string, string>) =>
      (await createClient(baseUrl).request('GET', '/', { headers })).status;
    const { task } = lessons.logs;
    const enhanced = await createClient(baseUrl).request('POST', '/enhance_task', {
      headers: { authorization: `Bearer ${account.key}` },
      body: { tenant_id: account.key, input_text: task },
    });

    expect(enhanced).toMatchObject({ status: 200, body: { response: task } });
    expect(await call({ authorization: `bearer ${account.key}` })).toBe(200);
    expect(await call({ authorization: `Bearer ${account.key}`, 'x-api-key': account.key })).toBe(200);
    expect(await call({ authorization: `Bearer ${account.key}`, 'x-api-key': other.key })).toBe(401);
    expect(await call({ authorization: 'Bearer x', 'x-api-key': account.key })).toBe(401);
    expect(await call({ authorization: 'Bearer x' })).toBe(401);
  });

  it('is checked before anything else is read: a request without a key never has its body parsed', async () => {
    const client = createClient(baseUrl);
    const broken = await client.request('POST', '/store_knowledge', { body: '{"tenant_id": ' });
    const tooLarge = await client.request('POST', '/store_knowledge', { body: `"${'x'.repeat(5 * 1024 * 1024)}"` });
    const notJson = await client.request('POST', '/enhance_task', {
      body: 'hi',
      headers: { 'content-type': 'text/plain' },
    });

    expect([broken.status, tooLarge.status, notJson.status]).toEqual([401, 401, 401]);
  });

  it('is answered without waiting for a body that was announced', async () => {
    const answer = await rawExchange(baseUrl, {
      send: (write) =>
        write(
          'POST /store_knowledge HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n{',
        ),
    });

    expect(answer.status).toBe(401);
    expect(JSON.parse(answer.text)).toMatchObject(invalidApiKey);
  });

  it('comes before unknown paths and wrong methods', async () => {
    const unknown = await createClient(baseUrl).request('GET', '/nowhere');
    const wrongMethod = await createClient(baseUrl).request('DELETE', '/enhance_task');

    expect([unknown.status, wrongMethod.status]).toEqual([401, 401]);
  });
});

describe('a key belongs to an account, and the account owns the data', () => {
  it('a rotated key keeps the knowledge of the account', async () => {
    const { task, command } = lessons.logs;
    const before = await accounts.open();
    await before.client.learn(lessonUpload(before.key, lessons.logs));
    const after = await accounts.open(before.account);
    await accounts.operator.revokeKey(before.keyId);
    await keyCounts(baseUrl, before.key, false);

    const answer = await after.client.enhance({ tenant_id: after.key, input_text: task });

    expect(answer.response).toContain(command);
  });

  it('a key that was issued counts within a second', async () => {
    await withinASecond(async () => {
      const { key } = await accounts.operator.issueKey(unique('account'));
      return () => keyCounts(baseUrl, key, true);
    });
  });

  it('a key that was revoked is refused within a second', async () => {
    await withinASecond(async () => {
      const { key, keyId } = await accounts.open();
      await accounts.operator.revokeKey(keyId);
      return () => keyCounts(baseUrl, key, false);
    });
  });
});

describe('tenant_id names a collection of the account of the caller', () => {
  it('the own key, any other key of the account and old ones name the default collection', async () => {
    const { archive } = lessons;
    const first = await accounts.open();
    const [second, old] = await Promise.all([accounts.open(first.account), accounts.open(first.account)]);
    await accounts.operator.revokeKey(old.keyId);
    await keyCounts(baseUrl, old.key, false);
    await first.client.learn(lessonUpload(second.key, archive));

    for (const tenantId of [first.key, second.key, old.key]) {
      const answer = await second.client.enhance({ tenant_id: tenantId, input_text: archive.task });

      expect(answer.response).toContain(archive.command);
    }
  });

  it('any other string names a workflow collection inside the account of the caller', async () => {
    const { ports } = lessons;
    const [workflow, other] = [unique('webarena'), unique('checkout-bot')];
    await account.client.learn(lessonUpload(workflow, ports));
    const ask = (tenantId: string) => account.client.enhance({ tenant_id: tenantId, input_text: ports.task });

    expect((await ask(workflow)).response).toContain(ports.command);
    expect((await ask(other)).response).toBe(ports.task);
    expect((await ask(account.key)).response).toBe(ports.task);
  });

  it('strings that only look alike, or mean something elsewhere, name collections of their own', async () => {
    const { logs } = lessons;
    const first = 'café';
    const alike = ['cafe\u0301', 'CAFÉ', 'café ', ' café', 'caf\u00e9\u200b', 'c\u0430fé', 'café\u0000', 'café%00'];
    const special = ['__proto__', 'constructor', 'toString', 'null', 'undefined', '_default', '*', "' OR 1=1"];
    const others = [...alike, ...special, account.account];
    await account.client.learn(lessonUpload(first, logs));
    const ask = (tenantId: string) => account.client.enhance({ tenant_id: tenantId, input_text: logs.task });

    const told = await inParallel(others, 4, async (tenantId) => ({ tenantId, ...(await ask(tenantId)) }));

    expect((await ask(first)).response).toContain(logs.command);
    expect(told.filter(({ response }) => response !== logs.task)).toEqual([]);
  });

  it('the same string names another collection in another account', async () => {
    const stranger = await accounts.open();
    const { sql } = lessons;
    const workflow = unique('webarena');
    await account.client.learn(lessonUpload(workflow, sql));

    const seen = await stranger.client.enhance({ tenant_id: workflow, input_text: sql.task });
    const deleted = await stranger.client.deleteByIntent({ tenant_id: workflow, intent: sql.task });

    expect(seen.response).toBe(sql.task);
    expect(deleted.deleted_count).toBe(0);
    expect((await account.client.enhance({ tenant_id: workflow, input_text: sql.task })).response).toContain(
      sql.command,
    );
  });

  it.each(['a key of another account', 'a well-formed key that nobody has', 'anything that begins with wst_'])(
    '%s is refused with 403',
    async (what) => {
      const tenantId =
        what === 'a key of another account'
          ? (await accounts.open()).key
          : what === 'anything that begins with wst_'
            ? 'wst_my_workflow'
            : `wst_${'0'.repeat(16)}_${'0'.repeat(40)}_${'0'.repeat(6)}`;
      const deletion = new URLSearchParams({ tenant_id: tenantId, intent: 'x' });
      const erasure = new URLSearchParams({ tenant_id: tenantId, confirm: tenantId });

      const answers = [
        await account.client.request<ErrorBody>('POST', '/enhance_task', {
          body: { tenant_id: tenantId, input_text: 'x' },
        }),
        await account.client.request<ErrorBody>('POST', '/store_knowledge', {
          body: { tenant_id: tenantId, query: 'x', turns: [] },
        }),
        await account.client.request<ErrorBody>('POST', `/delete_by_intent?${deletion}`),
        await account.client.request<ErrorBody>('DELETE', `/collections?${erasure}`),
      ];

      for (const { status, body, headers } of answers) {
        expect(status).toBe(403);
        expect(body).toEqual({
          error: 'tenant_forbidden',
          message: expect.any(String),
          request_id: headers.get('x-request-id'),
        });
      }
    },
  );

  it('has 1 to 512 characters', async () => {
    const ask = (tenantId: string) =>
      account.client.request<ValidationErrorBody>('POST', '/enhance_task', {
        body: { tenant_id: tenantId, input_text: 'anything' },
      });

    expect((await ask('')).body.detail[0]).toMatchObject({ loc: ['body', 'tenant_id'], type: 'string_too_short' });
    expect((await ask('x'.repeat(513))).body.detail[0]).toMatchObject({
      loc: ['body', 'tenant_id'],
      type: 'string_too_long',
    });
    expect((await ask('x'.repeat(512))).status).toBe(200);
    expect((await ask('🪨'.repeat(512))).status).toBe(200);
  });

  it('comes back in the acknowledgement as sent', async () => {
    const tenantId = unique(' Ünïcode/..%2F\u0000\n🪨 ');

    const acknowledgement = await account.client.store({ tenant_id: tenantId, query: 'x', turns: [] });

    expect(acknowledgement.tenant_id).toBe(tenantId);
  });
});

/**
 * A second, another for what is done about it, and as long again as a look takes that has nothing to wait for. One time of a few
 * is enough: where the machine is busy elsewhere some of them are long, where the product is slow all of them.
 */
async function withinASecond(prepare: () => Promise<() => Promise<void>>): Promise<void> {
  const late: number[] = [];
  while (late.length < 5) {
    const seen = await prepare();
    const tookMs = await durationOf(seen);
    const lookMs = await durationOf(() => keyCounts(baseUrl, account.key, true));
    if (tookMs < 2000 + lookMs) return;
    late.push(tookMs);
  }
  throw new Error(`Never within a second: ${late.map(Math.round).join(', ')} ms`);
}

async function durationOf(work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

import { type Account, createAccounts, unique } from '../support/accounts.js';
import type { Upload, ValidationErrorBody } from '../support/contract.js';
import { inParallel } from '../support/eventually.js';
import { lessons, lessonUpload, shellSuccess } from '../support/uploads.js';

const accounts = createAccounts();
let account: Account;

beforeAll(async () => {
  account = await accounts.open();
});

const upload = (extra: Record<string, unknown> = {}): Upload => ({
  tenant_id: 'store-knowledge',
  query: 'Open the settings page',
  turns: [],
  ...extra,
});

async function problemsOf(body: unknown) {
  const answer = await account.client.request<ValidationErrorBody>('POST', '/store_knowledge', { body });
  expect(answer.status).toBe(422);
  return answer.body.detail;
}

describe('the acknowledgement', () => {
  it('is an object of strings: status accepted, message, tenant_id as sent, job_id', async () => {
    const acknowledgement = await account.client.store(upload());

    expect(acknowledgement).toEqual({
      status: 'accepted',
      message: expect.stringMatching(/./),
      tenant_id: 'store-knowledge',
      job_id: expect.stringMatching(/^[\w-]+$/),
    });
  });

  it('names another job for each upload without Idempotency-Key, also of the same body', async () => {
    const jobs = [await account.client.store(upload()), await account.client.store(upload())];

    expect(jobs[0]?.job_id).not.toBe(jobs[1]?.job_id);
  });
});

describe('AgentKnowledgeUpload', () => {
  it('needs tenant_id, query and turns', async () => {
    expect(await problemsOf({})).toEqual([
      { loc: ['body', 'tenant_id'], msg: 'Field required', type: 'missing' },
      { loc: ['body', 'query'], msg: 'Field required', type: 'missing' },
      { loc: ['body', 'turns'], msg: 'Field required', type: 'missing' },
    ]);
  });

  it('of a turn needs turn, inputs and decision', async () => {
    const turn = { turn: 1, inputs: 'a', decision: 'b' };

    expect(await problemsOf(upload({ turns: [turn, {}] }))).toEqual([
      { loc: ['body', 'turns', 1, 'turn'], msg: 'Field required', type: 'missing' },
      { loc: ['body', 'turns', 1, 'inputs'], msg: 'Field required', type: 'missing' },
      { loc: ['body', 'turns', 1, 'decision'], msg: 'Field required', type: 'missing' },
    ]);
  });

  it.each([
    ['turns', { turns: 'none' }, 'list_type'],
    ['query', { query: 7 }, 'string_type'],
    ['metadata', { metadata: [] }, 'dict_type'],
    ['agent_type', { agent_type: {} }, 'string_type'],
  ])('with a wrong type of %s is a 422', async (field, extra, type) => {
    expect(await problemsOf(upload(extra))).toMatchObject([{ loc: ['body', field], type }]);
  });

  it.each([1.5, '1', true, null, [], {}])('with the turn number %j is a 422', async (turn) => {
    const problems = await problemsOf(upload({ turns: [{ turn, inputs: 'a', decision: 'b' }] }));

    expect(problems).toMatchObject([{ loc: ['body', 'turns', 0, 'turn'] }]);
  });

  it.each([
    true,
    false,
    null,
    'true',
    'false',
    'True',
    'FALSE',
    'tRuE',
    '1',
    '0',
    'yes',
    'no',
    'YES',
    'on',
    'off',
    'Off',
    1,
    0,
  ])('success may be %j', async (success) => {
    expect((await account.client.store(upload({ success }))).status).toBe('accepted');
  });

  it.each(['maybe', '', ' true', 'y', 2, -1, 0.5, [], {}, 'null'])('success %j is a 422', async (success) => {
    expect(await problemsOf(upload({ success }))).toMatchObject([{ loc: ['body', 'success'] }]);
  });

  it.each([
    ['Python, naive', '2026-03-05T18:15:37.903173'],
    ['Python, without a fraction', '2026-03-05T18:15:37'],
    ['Python, aware', '2026-03-05T18:15:37.903173+00:00'],
    ['Python, with an offset', '2026-03-05T20:15:37+05:30'],
    ['Python, printed', '2026-03-05 18:15:37.903173'],
    ['JavaScript', '2026-03-05T18:15:37.903Z'],
    ['Go, nanoseconds', '2026-03-05T18:15:37.903173245Z'],
    ['Go, with an offset', '2026-03-05T18:15:37.9-07:00'],
    ['nobody', null],
  ])('timestamp may look as %s prints it: %s', async (_, timestamp) => {
    expect((await account.client.store(upload({ timestamp }))).status).toBe('accepted');
  });

  it.each([
    'yesterday',
    '',
    '2026-13-05T18:15:37Z',
    '2026-02-30T00:00:00',
    '2026-03-05T25:00:00',
    '18:15:37',
    {},
    true,
  ])('timestamp %j is a 422', async (timestamp) => {
    expect(await problemsOf(upload({ timestamp }))).toMatchObject([{ loc: ['body', 'timestamp'] }]);
  });

  it('ignores unknown fields and counts null as absent', async () => {
    const job = await account.client.learn(
      upload({
        success: null,
        agent_type: null,
        timestamp: null,
        metadata: null,
        unknown: { deep: [1, 2] },
        turns: [{ turn: 1, inputs: 'a', decision: 'b', memory: null, result: null, extra: true }],
      }),
    );

    expect(job.status).toBe('completed');
  });

  const anyValues = [{}, { a: [1, { b: null }] }, [], [null, 'x'], 0, -1.5, 1e300, true, false, ''];

  it.each(anyValues)('takes %j as inputs, decision, memory and result of a turn', async (value) => {
    const turns = [{ turn: 1, inputs: value, decision: value, memory: value, result: value }];

    expect((await account.client.learn(upload({ turns }))).status).toBe('completed');
  });

  it.each(['inputs', 'decision'])('with null as %s of a turn is a 422', async (field) => {
    const problems = await problemsOf(upload({ turns: [{ turn: 1, inputs: {}, decision: [], [field]: null }] }));

    expect(problems).toEqual([
      { loc: ['body', 'turns', 0, field], msg: 'Input should be a valid string', type: 'string_type' },
    ]);
  });

  it('learns from a value that is not text what it learns from its compact JSON', async () => {
    const task = 'Cancel the open invoice of the customer and tell them';
    const parts = [
      [{ customer: 'asks' }, { name: 'find_invoice', arguments: { state: 'open' } }, { invoices: [{ id: 17 }] }],
      [['found', 1], { name: 'cancel_invoice', arguments: { invoice: 17, notify: true } }, { ok: true }],
    ];
    const turnsOf = (write: (value: unknown) => unknown) =>
      parts.map(([inputs, decision, result], index) => ({
        turn: index + 1,
        inputs: write(inputs),
        decision: write(decision),
        result: write(result),
      }));

    const answers = await inParallel([(value: unknown) => value, JSON.stringify], 2, async (write) => {
      const own = unique('values');
      await account.client.learn({ tenant_id: own, query: task, turns: turnsOf(write), success: true });
      return (await account.client.enhance({ tenant_id: own, input_text: task })).response;
    });

    expect(answers[0]).toContain('cancel_invoice');
    expect(answers[0]).toBe(answers[1]);
  });

  it.each([
    ['query', upload({ query: 'LONE' }), ['body', 'query']],
    ['tenant_id', upload({ tenant_id: 'LONE' }), ['body', 'tenant_id']],
    [
      'a result',
      upload({ turns: [{ turn: 1, inputs: 'a', decision: 'b', result: 'LONE' }] }),
      ['body', 'turns', 0, 'result'],
    ],
    [
      'a decision that is not text',
      upload({ turns: [{ turn: 1, inputs: 'a', decision: { do: ['LONE'] } }] }),
      ['body', 'turns', 0, 'decision', 'do', 0],
    ],
    ['metadata', upload({ metadata: { note: ['LONE'] } }), ['body', 'metadata', 'note', 0]],
  ])('with a lone surrogate in %s is a 422 of type string_unicode', async (_, body, loc) => {
    for (const lone of ['\\ud800', '\\udfff', 'a\\udbff\\ud800b']) {
      const problems = await problemsOf(JSON.stringify(body).replace('LONE', lone));

      expect(problems).toMatchObject([{ loc, type: 'string_unicode' }]);
    }
  });

  it('takes NUL and other control characters as text', async () => {
    const text = 'a\u0000b\u0001\u001b[31m\u007f\u0085\ufeff\uffff';

    const job = await account.client.learn(
      upload({ query: text, turns: [{ turn: 1, inputs: text, decision: text, result: text }] }),
    );

    expect(job.status).toBe('completed');
  });

  it('takes turns out of order and with gaps; order is by turn', async () => {
    const tenantId = unique('order');
    const task = 'Install the package manager pnpm globally and check its version';
    const turns = [
      { turn: 1, inputs: task, decision: 'apt install pnpm', result: 'E: Unable to locate package pnpm' },
      {
        turn: 4,
        inputs: 'E: Unable to locate package pnpm',
        decision: 'npm install --global pnpm',
        result: 'added 1 package',
      },
      { turn: 9, inputs: 'added 1 package', decision: 'pnpm --version', result: '9.1.0' },
    ];
    const orders = [turns, [...turns].reverse(), [turns[1], turns[2], turns[0]]];

    const texts = await inParallel(orders, 3, async (order) => {
      const own = unique(tenantId);
      await account.client.learn({ ...shellSuccess(own, task, ''), turns: order as typeof turns });
      const { metadata } = await account.client.enhance({ tenant_id: own, input_text: task });
      return metadata.recommendations.map(({ text }) => text);
    });

    expect(texts[0]?.join()).toContain('npm install --global pnpm');
    expect(texts[1]).toEqual(texts[0]);
    expect(texts[2]).toEqual(texts[0]);
  });

  it('never lets a secret come back: keys, tokens and passwords in URLs are redacted', async () => {
    const tenantId = unique('secrets');
    const task = 'Download the nightly report with curl from the internal server';
    const secrets = ['sk-proj-abcdefghijklmnopqrstuvwxyz123456', 'hunter2hunter2', `ghp_${'a1B2'.repeat(9)}`];
    const command = `curl -H "Authorization: Bearer ${secrets[0]}" -H "X-Token: ${secrets[2]}" https://bob:${secrets[1]}@reports.internal/nightly`;
    await account.client.learn(shellSuccess(tenantId, task, command));

    const answer = JSON.stringify(await account.client.enhance({ tenant_id: tenantId, input_text: task }));

    expect(answer).toContain('curl');
    for (const secret of secrets) expect(answer).not.toContain(secret);
  });

  it('never lets a secret come back from a value that is not text', async () => {
    const tenantId = unique('secrets');
    const task = 'Open the billing console and export the ledger';
    const secrets = ['hunter2hunter2', 'abcdef"12"3456', `ghp_${'a1B2'.repeat(9)}`];
    const call = {
      name: 'export_ledger',
      arguments: { password: secrets[0], api_key: secrets[1], [String(secrets[2])]: 1 },
    };
    const turns = [{ turn: 1, inputs: { task }, decision: call, memory: [call], result: { ok: true, call } }];
    await account.client.learn({ tenant_id: tenantId, query: task, turns, success: true });

    const answer = JSON.stringify(await account.client.enhance({ tenant_id: tenantId, input_text: task }));

    expect(answer).toContain('export_ledger');
    for (const secret of secrets) expect(answer).not.toContain(JSON.stringify(secret).slice(1, -1));
  });
});

describe('Idempotency-Key', () => {
  const retried = (body: Upload, key: string, by: Account = account) =>
    by.client.store(body, { 'idempotency-key': key });

  it('makes a retried upload the same job', async () => {
    const [body, key] = [lessonUpload(unique('once'), lessons.sql), unique('order')];
    const [first, second, third] = [await retried(body, key), await retried(body, key), await retried(body, key)];
    await account.client.jobEnded(first.job_id);
    const { metadata } = await account.client.enhance({ tenant_id: body.tenant_id, input_text: body.query });

    expect([second.job_id, third.job_id]).toEqual([first.job_id, first.job_id]);
    expect(metadata.recommendations[0]).toMatchObject({ support: 1, source_job_ids: [first.job_id] });
  });

  it('makes it the same job also when the retries are sent at once', async () => {
    const [body, key] = [lessonUpload(unique('once'), lessons.sql), unique('order')];

    const jobs = await Promise.all(Array.from({ length: 8 }, () => retried(body, key)));

    expect(new Set(jobs.map(({ job_id }) => job_id)).size).toBe(1);
  });

  it('makes it the same job for every key of the account', async () => {
    const [body, key] = [upload(), unique('order')];
    const rotated = await accounts.open(account.account);

    expect((await retried(body, key, rotated)).job_id).toBe((await retried(body, key)).job_id);
  });

  it.each([
    ['another body', { query: 'something else' }],
    ['another collection', { tenant_id: unique('elsewhere') }],
  ])('is another job for %s under the same key', async (_, difference) => {
    const key = unique('order');
    const [first, second] = [await retried(upload(), key), await retried(upload(difference), key)];

    expect(second.job_id).not.toBe(first.job_id);
  });

  it('is another job in another account', async () => {
    const key = unique('order');
    const stranger = await accounts.open();

    expect((await retried(upload(), key, stranger)).job_id).not.toBe((await retried(upload(), key)).job_id);
  });

  it('has 1 to 255 printable characters', async () => {
    const answerTo = (key: string) =>
      account.client.request('POST', '/store_knowledge', { body: upload(), headers: { 'idempotency-key': key } });

    expect((await answerTo('k'.repeat(255))).status).toBe(202);
    expect((await answerTo('~!@ #$%^&*()')).status).toBe(202);
    expect((await answerTo('k'.repeat(256))).status).toBe(422);
    expect((await answerTo('tab\tinside')).status).toBe(422);
  });
});

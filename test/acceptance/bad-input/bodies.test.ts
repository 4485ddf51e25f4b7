import { createAccounts, unique } from '../../support/accounts.js';
import type { Answer, Client } from '../../support/client.js';
import type { Acknowledgement, BatchResult, ValidationErrorBody } from '../../support/contract.js';
import { inParallel } from '../../support/eventually.js';
import { sweep, target } from '../../support/target.js';
import { brokenTexts, type Json, wrongTypes } from './mutations.js';
import { createOracle, type Oracle } from './oracle.js';
import { openKeyring, type Steadiness, watchSteadiness } from './steadiness.js';

let oracle: Oracle;
let steadiness: Steadiness;
let next: () => Client;
let lessonId: string;
let enhancementId: string;

beforeAll(async () => {
  steadiness = await watchSteadiness();
  oracle = await createOracle(target().baseUrl);
  ({ next } = await openKeyring(createAccounts(), 4, ' --scope ask --scope record --scope curate --scope admin'));
  const written = { tenant_id: 'bad-input', applies_when: 'Find the log files', text: 'They are in /srv.' };
  ({ id: lessonId } = (await next().request<{ id: string }>('POST', '/lessons', { body: written })).body);
  const asked = { tenant_id: 'bad-input', input_text: 'Find the log files' };
  ({ enhancement_id: enhancementId } = (await next().enhance(asked)).metadata);
});

afterAll(() => steadiness.check());

/** Stands for the id of an answer. */
const theAnswer = 'the answer';

const bodies: [string, Json][] = [
  [
    'POST /enhance_task',
    {
      tenant_id: 'bad-input',
      input_text: 'Find the log files',
      context: { url: 'https://example.com' },
      agent_type: 'web',
    },
  ],
  [
    'POST /store_knowledge',
    {
      tenant_id: 'bad-input',
      query: 'Find the log files',
      turns: [{ turn: 1, inputs: 'start', decision: 'ls', memory: 'none', result: 'a.log' }],
      success: true,
      agent_type: 'shell',
      timestamp: '2026-03-05T18:15:37Z',
      metadata: { run: { id: 7 }, tags: ['a'] },
    },
  ],
  [
    'POST /lessons',
    {
      tenant_id: 'bad-input',
      applies_when: 'Find the log files',
      text: 'They are in /srv.',
      title: 'Logs',
      example: 'ls /srv',
      agent_type: 'shell',
    },
  ],
  ['POST /keys', { scopes: ['ask', 'record'], expires_in_days: 90, trust: 'low', reason: 'bad input' }],
  ['POST /keys', { scopes: ['ask'], expires_at: `${new Date().getUTCFullYear() + 2}-03-05T18:15:37Z` }],
  ['POST /feedback', { tenant_id: 'bad-input', enhancement_id: theAnswer, success: true, note: 'as always' }],
  ['PATCH /lessons/{id}', { state: 'pinned', title: 'Logs', text: 'In /srv.', example: 'ls /srv', note: 'shorter' }],
  ['PATCH /lessons/{id}', { note: 'why' }],
  ['PATCH /lessons/{id}', { title: 'Logs' }],
  ['PATCH /collections', { retention_days: 30 }],
  ['PATCH /collections', { review: 'none', holdout_share: 0.5, retention_days: 30 }],
];

/** Sends all of it and returns what did not get the contract's own answer. */
async function surprises(operation: string, texts: string[]) {
  const accepted: { jobId: string; text: string }[] = [];
  const wrong: object[] = [];
  const [method = '', template = ''] = operation.split(' ');
  const path = template.replace('{id}', lessonId) + (method === 'PATCH' ? '?tenant_id=bad-input' : '');
  await inParallel(texts, 8, async (text) => {
    const expected = oracle.expectedStatus(operation, text);
    const body = new TextEncoder().encode(text.replace(theAnswer, enhancementId));
    const answer = await next().request(method, path, { body });
    const isOfAnother = operation === 'POST /feedback' && expected === 200 && answer.status === 404;
    if (answer.status !== expected && !isOfAnother)
      wrong.push({ text, expected, status: answer.status, answer: answer.text.slice(0, 300) });
    else if (answer.status === 422 && !locatesInBody(answer)) wrong.push({ text, answer: answer.text.slice(0, 300) });
    else if (answer.status === 202) accepted.push({ jobId: (answer.body as Acknowledgement).job_id, text });
  });
  return { accepted, wrong };
}

function locatesInBody({ body }: Answer): boolean {
  const { detail } = body as ValidationErrorBody;
  return detail.length > 0 && detail.every(({ loc }) => loc[0] === 'body');
}

it('covers every operation that takes JSON', () => {
  // OTLP has a schema of its own: its bodies are broken in traces.test.ts.
  const described = oracle.operations.filter((operation) => operation !== 'POST /v1/traces');

  expect(new Set(bodies.map(([operation]) => operation))).toEqual(new Set(described));
});

describe.each(bodies)('%s', (operation, body) => {
  it('answers by its schema to wrong types at every place of its body, and every job made so ends well', async () => {
    const mutations = sweep([...wrongTypes(body)]);

    const { accepted, wrong } = await surprises(
      operation,
      mutations.map(({ text }) => text),
    );

    expect(wrong).toEqual([]);
    const jobs = await inParallel(accepted, 8, async ({ jobId, text }) => ({
      text,
      job: await next().jobEnded(jobId),
    }));
    expect(jobs.filter(({ job }) => job.status !== 'completed')).toEqual([]);
  });

  it('answers by its schema to JSON broken at every point', async () => {
    const { wrong } = await surprises(operation, sweep([...brokenTexts(JSON.stringify(body))]));

    expect(wrong).toEqual([]);
  });
});

describe('/store_knowledge/batch', () => {
  const [, [, upload]] = bodies as [[string, Json], [string, Json]];

  it.each([
    ['wrong types at every place of a line', () => [...wrongTypes(upload)].map(({ text }) => text)],
    ['lines broken at every point', () => [...brokenTexts(JSON.stringify(upload))]],
  ])('answers for each line as /store_knowledge would: %s', async (_, generate) => {
    const lines = sweep(generate()).filter((text) => text.trim() !== '' && !text.includes('\n'));

    const answer = await next().request<BatchResult>('POST', '/store_knowledge/batch', { body: lines.join('\n') });

    const expected = lines.map((text) =>
      oracle.expectedStatus('POST /store_knowledge', text) === 202 ? 'accepted' : 'invalid',
    );
    const told = answer.body.results.map(({ status }) => status);
    const wrong = lines.flatMap((text, at) =>
      told[at] === expected[at] ? [] : [{ text, told: answer.body.results[at] }],
    );
    expect([answer.status, told.length, wrong]).toEqual([200, lines.length, []]);
    const accepted = answer.body.results.flatMap(({ job_id }) => (job_id === undefined ? [] : [job_id]));
    const jobs = await inParallel(accepted, 8, (jobId) => next().jobEnded(jobId));
    expect(jobs.filter(({ status }) => status !== 'completed')).toEqual([]);
  });
});

describe('text that is not Unicode', () => {
  const send = (bytes: Uint8Array) => next().request<ValidationErrorBody>('POST', '/enhance_task', { body: bytes });
  const around = (...bytes: number[]) =>
    Buffer.concat([Buffer.from('{"tenant_id":"bad-input","input_text":"a'), Buffer.from(bytes), Buffer.from('"}')]);

  it.each([
    ['a byte that never occurs', [0xff]],
    ['a lone continuation byte', [0x80]],
    ['a sequence cut short', [0xe2, 0x82]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['a surrogate in three bytes', [0xed, 0xa0, 0x80]],
    ['a code point beyond the last', [0xf5, 0x80, 0x80, 0x80]],
  ])('%s is a 422', async (_, bytes) => {
    const answer = await send(around(...bytes));

    expect(answer.status).toBe(422);
  });

  it.each([
    '"tenant_id":"\\ud800","input_text":"x"',
    '"tenant_id":"bad-input","input_text":"\\udc00\\ud800"',
    '"tenant_id":"bad-input","input_text":"x","context":{"\\ud800":"x"}',
    '"tenant_id":"bad-input","input_text":"x","agent_type":"\\udfff"',
  ])('a lone surrogate is a 422 of type string_unicode: {%s}', async (fields) => {
    const answer = await send(Buffer.from(`{${fields}}`));

    expect(answer.status).toBe(422);
    expect(answer.body.detail).toMatchObject([{ type: 'string_unicode' }]);
  });

  it('a pair is fine, escaped or not', async () => {
    expect((await send(around(0xf0, 0x9f, 0xaa, 0xa8))).status).toBe(200);
    expect((await send(Buffer.from('{"tenant_id":"bad-input","input_text":"\\ud83e\\udea8"}'))).status).toBe(200);
  });
});

it('keys that mean something to JavaScript are plain names', async () => {
  const tenantId = unique('proto');
  const text = `{"tenant_id":"${tenantId}","input_text":"x","__proto__":{"agent_type":7,"polluted":1},"context":{"__proto__":"a","constructor":"b","toString":"c"}}`;

  const answer = await next().request<{ metadata: object }>('POST', '/enhance_task', { body: text });
  const refused = await next().request<ValidationErrorBody>('POST', '/enhance_task', {
    body: '{"__proto__":{"tenant_id":"x","input_text":"x"}}',
  });
  const wrongContext = await next().request<ValidationErrorBody>('POST', '/enhance_task', {
    body: '{"tenant_id":"x","input_text":"x","context":{"__proto__":{"a":1}}}',
  });

  expect(answer.status).toBe(200);
  expect(answer.text).not.toContain('polluted');
  expect(refused.body.detail.map(({ type }) => type)).toEqual(['missing', 'missing']);
  expect(wrongContext.status).toBe(422);
});

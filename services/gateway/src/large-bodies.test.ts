import { gzipSync } from 'node:zlib';
import type { EnhanceRequest } from '@whetstone/contracts';
import { call } from './test-kit/call.js';
import { gatewaysOfATest } from './test-kit/gateways-of-a-test.js';

const start = gatewaysOfATest();

/** Nobody reads this field; it makes a body large. */
const padding = { padding: 'x'.repeat(100_000) };
const upload = {
  tenant_id: 'shop',
  query: 'Deploy with password=hunter2hunter2',
  turns: [
    { turn: 2, inputs: { api_key: 'abcdefgh12345678abcd' }, decision: 'é🪨' },
    { turn: 1, inputs: 'a', decision: 'b', result: null },
  ],
  success: 'yes',
  metadata: { run: 7, __proto__x: 1 },
};

describe('a large body', () => {
  it('becomes the same upload as a small one', async () => {
    const { url, key, uploads, registry } = await start();
    const send = (body: unknown) => call(url, 'POST', '/store_knowledge', { key, body });
    expect([await send(upload), await send({ ...upload, ...padding })]).toMatchObject([
      { status: 202 },
      { status: 202 },
    ]);

    const [small, large] = (await uploads()).map(({ upload: { interaction } }) => interaction);

    expect(large).toEqual(small);
    expect(JSON.stringify(large)).not.toContain('hunter2hunter2');
    expect(await registry.metrics()).toContain('whetstone_redactions_total{kind="password"} 2\n');
  });

  it('is one job with its Idempotency-Key, zipped or not', async () => {
    const { url, key } = await start();
    const headers = { 'idempotency-key': 'k' };
    const body = JSON.stringify({ ...upload, ...padding });
    const plain = await call(url, 'POST', '/store_knowledge', { key, headers, body });
    const zipped = await call(url, 'POST', '/store_knowledge', {
      key,
      headers: { ...headers, 'content-encoding': 'gzip' },
      body: gzipSync(body),
    });

    expect([plain.status, zipped.body.job_id]).toEqual([202, plain.body.job_id]);
  });

  it('is not answered with more than it is itself', async () => {
    const { url, key } = await start();
    const names = `{"${'k'.repeat(1000)}":`.repeat(100);
    const metadata = `${names}[${Array(100).fill('"\\ud800"').join()}]${'}'.repeat(100)}`;
    const body = `{"tenant_id":"t","query":"q","turns":[],"metadata":${metadata}}`;

    const answer = await call(url, 'POST', '/store_knowledge', { key, body });

    expect([answer.status, answer.body.detail[0].type]).toEqual([422, 'string_unicode']);
    expect(JSON.stringify(answer.body).length).toBeLessThan(body.length);
  });

  it('has every problem told, those of the headers first', async () => {
    const { url, key } = await start();
    const bad = { tenant_id: '', turns: [{ turn: 'x', inputs: '\ud800' }] };
    const send = (body: unknown) =>
      call(url, 'POST', '/store_knowledge', { key, headers: { 'idempotency-key': 'x'.repeat(256) }, body });

    const [small, large] = [await send(bad), await send({ ...bad, ...padding })];

    expect(large).toMatchObject({ status: 422, body: small.body });
    expect(large.body.detail[0].loc).toEqual(['body', 'Idempotency-Key']);
    expect((await send(`{"a":"${padding.padding}`)).body.detail).toEqual([
      expect.objectContaining({ type: 'json_invalid', loc: ['body', 5] }),
    ]);
  });

  it('of enhance_task is a question like any other', async () => {
    const { url, key } = await start();
    const body = { tenant_id: 'shop', input_text: 'é'.repeat(20_000), context: { a: 'b' }, agent_type: 'shell' };

    const { status, body: answer } = await call(url, 'POST', '/enhance_task', { key, body });

    expect([status, answer.response, answer.metadata.agent_type]).toEqual([200, body.input_text, 'shell']);
  });

  it('of a long question is read for the search, as others do not have to be', async () => {
    const asked: EnhanceRequest[] = [];
    const { url, key } = await start({
      enhance: async (request) => {
        asked.push(request);
        return { response: '', confidenceScore: 0, enhancementId: '', recommendations: [], holdout: false };
      },
    });
    const logs = '2026-01-02 10:00:00 INFO 17 rows were read\n'.repeat(2000);
    const [short, long] = ['Please sort the rows.', `${logs}\nPlease sort the rows.`];
    for (const input_text of [short, long]) {
      await call(url, 'POST', '/enhance_task', { key, body: { tenant_id: 'shop', input_text, context: { a: 'b' } } });
    }

    expect(asked.map(({ searchTexts }) => searchTexts)).toEqual([undefined, { task: short, context: 'b' }]);
  });

  it.each(['4096', '100'])('that declares another size than it has (%s) is read all the same', async (declared) => {
    const { url, key } = await start();
    const bytes = gzipSync(JSON.stringify({ ...upload, ...padding }));
    bytes.writeUInt32LE(Number(declared), bytes.length - 4);

    const { status } = await call(url, 'POST', '/store_knowledge', {
      key,
      headers: { 'content-encoding': 'gzip' },
      body: bytes,
    });

    // The size is part of gzip's own check.
    expect(status).toBe(422);
  });
});

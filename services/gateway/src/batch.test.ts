import { gzipSync } from 'node:zlib';
import type { EventLog } from '@whetstone/event-log';
import { AppError } from '@whetstone/platform';
import { call } from './test-kit/call.js';
import { gatewaysOfATest } from './test-kit/gateways-of-a-test.js';
import type { GatewayOptions } from './test-kit/start-gateway.js';

const start = gatewaysOfATest();

const upload = (query: string, more: object = {}) => ({ tenant_id: 'shop', query, turns: [], ...more });
const linesOf = (...lines: unknown[]) =>
  lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');

async function startSending(options: GatewayOptions = {}) {
  const running = await start(options);
  const send = (body: string | Uint8Array, headers: Record<string, string> = {}, signal?: AbortSignal) =>
    call(running.url, 'POST', '/store_knowledge/batch', {
      key: running.key,
      body,
      headers: { 'content-type': 'application/x-ndjson', ...headers },
      ...(signal ? { signal } : {}),
    });
  return { ...running, send };
}

/** Fails the appends of uploads for which `fails` says so. */
const failing = (fails: (count: number) => boolean) => (log: EventLog) => {
  let count = 0;
  const append: EventLog['append'] = (topic, event) =>
    topic.includes('uploads') && fails(++count)
      ? Promise.reject(new AppError('log_unavailable', 'away', { retryable: true }))
      : log.append(topic, event);
  return { ...log, append };
};

describe('a batch', () => {
  it('tells for each line, in order, what became of it, and harms no good line for a bad one', async () => {
    const { send, uploads, issueKey } = await startSending();
    const other = await issueKey('other');
    const body = linesOf(
      upload('one'),
      '',
      '{"tenant_id":',
      upload('two', { tenant_id: other.key }),
      '   \t',
      upload('three', { turns: [{ turn: 1, inputs: 'a' }] }),
      `${JSON.stringify(upload('four'))}\r`,
      '[]',
    );

    const { status, body: answer } = await send(`${body}\n`);

    expect(status).toBe(200);
    expect(answer).toEqual({
      lines: 6,
      accepted: 2,
      results: [
        { line: 1, status: 'accepted', job_id: expect.stringMatching(/^job_/) },
        { line: 3, status: 'invalid', detail: [expect.objectContaining({ type: 'json_invalid', loc: ['body', 13] })] },
        { line: 4, status: 'forbidden', error: 'tenant_forbidden', message: expect.any(String) },
        {
          line: 6,
          status: 'invalid',
          detail: [{ loc: ['body', 'turns', 0, 'decision'], msg: 'Field required', type: 'missing' }],
        },
        { line: 7, status: 'accepted', job_id: expect.stringMatching(/^job_/) },
        { line: 8, status: 'invalid', detail: [expect.objectContaining({ type: 'model_attributes_type' })] },
      ],
    });
    const queued = (await uploads()).map(({ upload: { jobId, interaction } }) => [jobId, interaction.query]);
    expect(new Map(queued as [string, string][])).toEqual(
      new Map([
        [answer.results[0].job_id, 'one'],
        [answer.results[4].job_id, 'four'],
      ]),
    );
    expect(JSON.stringify(answer)).not.toContain(other.key);
  });

  it('makes of each line what a single upload would make of it', async () => {
    const { send, url, key, uploads, registry } = await startSending();
    const body = upload('Deploy with password=hunter2hunter2', {
      turns: [{ turn: 2, inputs: { api_key: 'abcdefgh12345678abcd' }, decision: 'é🪨' }],
      success: 'yes',
    });
    await call(url, 'POST', '/store_knowledge', { key, body });
    await send(linesOf(body));

    const [one, other] = (await uploads()).map(({ upload: { jobId: _, acceptedAt: __, ...rest } }) => rest);

    expect(other).toEqual(one);
    expect(await registry.metrics()).toContain('whetstone_redactions_total{kind="password"} 2\n');
  });

  it('of 10,000 lines keeps their order, and one of 1,000 is the same zipped', async () => {
    const { send, uploads } = await startSending();
    const bodyOf = (lines: number) => linesOf(...Array.from({ length: lines }, (_, index) => upload(`task ${index}`)));

    const plain = await send(bodyOf(10_000));
    const zipped = await send(gzipSync(bodyOf(1_000)), { 'content-encoding': 'gzip' });

    const queries = new Map((await uploads()).map(({ upload: { jobId, interaction } }) => [jobId, interaction.query]));
    for (const [{ body: answer }, lines] of [[plain, 10_000] as const, [zipped, 1_000] as const]) {
      expect([answer.lines, answer.accepted]).toEqual([lines, lines]);
      const told = answer.results.map(({ line, job_id }: { line: number; job_id: string }) => [
        line,
        queries.get(job_id),
      ]);
      expect(told).toEqual(Array.from({ length: lines }, (_, index) => [index + 1, `task ${index}`]));
    }
    expect(queries.size).toBe(11_000);
  });

  it('repeated with its Idempotency-Key is the same jobs, and a line of it alone too', async () => {
    const { send, url, key } = await startSending();
    const headers = { 'idempotency-key': 'import 7' };
    const idsOf = async (...queries: string[]) =>
      (await send(linesOf(...queries.map((query) => upload(query))), headers)).body.results.map(
        ({ job_id }: { job_id: string }) => job_id,
      );
    const [one, two] = await idsOf('one', 'two');

    expect(await idsOf('two', 'three', 'one')).toEqual([two, expect.not.stringMatching(`${one}|${two}`), one]);
    const single = await call(url, 'POST', '/store_knowledge', { key, headers, body: upload('one') });
    expect(single.body.job_id).toBe(one);
    const bad = await send(linesOf(upload('one')), { 'idempotency-key': 'x'.repeat(256) });
    expect([bad.status, bad.body.detail[0].loc]).toEqual([422, ['body', 'Idempotency-Key']]);
  });

  it('may come with any of these types', async () => {
    const { send } = await startSending();
    for (const type of ['application/x-ndjson; charset=utf-8', 'application/ndjson', 'application/json', '']) {
      const { body: answer } = await send(Buffer.from(linesOf(upload('one'))), { 'content-type': type });

      expect([type, answer.accepted]).toEqual([type, 1]);
    }
  });

  it('that is no batch at all is refused as a whole', async () => {
    const { send, uploads } = await startSending({ config: { maxBatchBytes: 100_000 } });
    const good = linesOf(upload('one'));

    const refusals = [
      await send(''),
      await send(' \n\r\n\t'),
      await send(good, { 'content-type': 'text/plain' }),
      await send(good, { 'content-encoding': 'br' }),
      await send(good, { 'content-encoding': 'gzip' }),
      await send(`${good}\n${' '.repeat(100_000)}`),
      await send(gzipSync(`${good}\n${' '.repeat(1_000_000)}`), { 'content-encoding': 'gzip' }),
      await send(`${good}\n${'\n'.repeat(20_000)}`),
    ];

    expect(refusals.map(({ status, body }) => [status, body.error ?? body.detail[0].type])).toEqual([
      [422, 'missing'],
      [422, 'missing'],
      [415, 'unsupported_media_type'],
      [415, 'unsupported_encoding'],
      [422, 'json_invalid'],
      [413, 'body_too_large'],
      [413, 'body_too_large'],
      [413, 'too_many_lines'],
    ]);
    expect(await uploads()).toEqual([]);
  });

  it('with a line that is longer than an upload may be is only missing that line', async () => {
    const { send } = await startSending({ config: { maxBodyBytes: 50_000 } });
    const long = upload('long', { padding: 'x'.repeat(60_000) });

    const { body } = await send(linesOf(upload('one'), long, upload('two'), long));

    const [detail] = body.results[1].detail;
    expect(detail).toEqual({ loc: ['body'], msg: 'String should have at most 50000 bytes', type: 'string_too_long' });
    expect(body.results.map(({ status }: { status: string }) => status)).toEqual([
      'accepted',
      'invalid',
      'accepted',
      'invalid',
    ]);
  });

  it('is not answered with much more than it is itself', async () => {
    const { send } = await startSending();
    const turns = Array.from({ length: 100 }, () => 1);
    const body = linesOf(...Array.from({ length: 1000 }, () => ({ turns })));

    const { body: answer } = await send(body);

    expect(answer.accepted).toBe(0);
    expect(answer.results[0].detail.length).toBe(100);
    expect(JSON.stringify(answer).length).toBeLessThan(5 * body.length);
  });
});

describe('a batch that cannot be queued', () => {
  it('in part says which lines failed, and when to send them again', async () => {
    const { send, uploads, printed } = await startSending({ log: failing((count) => count % 3 === 0) });

    const { status, body, headers } = await send(
      linesOf(...Array.from({ length: 6 }, (_, index) => upload(`${index}`))),
    );

    expect([status, body.accepted, headers.get('retry-after')]).toEqual([200, 4, '5']);
    const failed = body.results.filter((result: { status: string }) => result.status === 'failed');
    expect(failed).toEqual([3, 6].map((line) => ({ line, status: 'failed', error: 'queueing_failed' })));
    expect((await uploads()).length).toBe(4);
    expect(printed()).toContain('Part of a batch could not be queued');
  });

  it('at all is a 500, before every line was tried', async () => {
    let tried = 0;
    const fails = (count: number) => {
      tried = count;
      return true;
    };
    const { send } = await startSending({ log: failing(fails) });

    const { status, body, headers } = await send(linesOf('{', ...Array.from({ length: 2000 }, () => upload('one'))));

    expect([status, body.error, headers.get('retry-after')]).toEqual([500, 'queueing_failed', '5']);
    expect(tried).toBeLessThan(500);
  });

  it('in time says so of the lines that are left', async () => {
    let count = 0;
    const stuck = (log: EventLog): EventLog => ({
      ...log,
      append: (topic, event) =>
        topic.includes('uploads') && ++count > 2 ? new Promise(() => {}) : log.append(topic, event),
    });
    const timeoutsMs = { store: 5000, batch: 1500, enhance: 5000, status: 5000, delete: 5000 };
    const { send } = await startSending({ log: stuck, config: { timeoutsMs } });

    const { body } = await send(linesOf(...Array.from({ length: 1000 }, (_, index) => upload(`${index}`))));

    expect([body.lines, body.accepted, body.results.length]).toEqual([1000, 2, 1000]);
    expect(body.results[999]).toEqual({ line: 1000, status: 'failed', error: 'queueing_failed' });
  });
});

describe('the cost of a batch', () => {
  it('is one request, and the work of all its lines', async () => {
    const { send } = await startSending({ config: { work: { perSecond: 1000, burst: 1_000_000 } } });

    const first = await send(linesOf(...Array.from({ length: 300 }, (_, index) => upload(`${index}`))));
    const second = await send(linesOf(upload('one')));

    expect([first.status, first.headers.get('ratelimit-remaining')]).toEqual([200, expect.stringMatching(/^99\d$/)]);
    expect([second.status, second.body.error]).toEqual([429, 'rate_limited']);
  });

  it('is held as bytes in flight until its answer, and no longer', async () => {
    const { send, registry } = await startSending({ config: { maxBytesInFlight: 400_000 } });
    const body = linesOf(upload('one', { padding: 'x'.repeat(90_000) }));

    expect((await send(body)).status).toBe(200);
    expect((await send(`${body}\n${body}`)).status).toBe(429);
    expect((await send(gzipSync(`${body}\n${body}`), { 'content-encoding': 'gzip' })).status).toBe(429);
    expect((await send(body)).status).toBe(200);
    expect(await registry.metrics()).toContain('whetstone_body_bytes_in_flight 0\n');
  });

  it('of a client that goes away is not paid to the end', async () => {
    const client = new AbortController();
    let count = 0;
    const leaving = (log: EventLog): EventLog => ({
      ...log,
      append: async (topic, event) => {
        if (topic.includes('uploads') && ++count === 200) client.abort();
        await log.append(topic, event);
      },
    });
    const { send, printed } = await startSending({ log: leaving });

    await expect(
      send(linesOf(...Array.from({ length: 10_000 }, (_, index) => upload(`${index}`))), {}, client.signal),
    ).rejects.toThrow();
    while (!printed().includes('"status":499')) await new Promise((resolve) => setTimeout(resolve, 10));
    await new Promise((resolve) => setTimeout(resolve, 300));

    expect(count).toBeLessThan(5000);
    expect(printed()).not.toContain('"level":"error"');
  });
});

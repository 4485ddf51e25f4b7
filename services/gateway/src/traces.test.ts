import { gzipSync } from 'node:zlib';
import { topics } from '@whetstone/contracts';
import type { EventLog, NewEvent } from '@whetstone/event-log';
import { AppError } from '@whetstone/platform';
import { call } from './test-kit/call.js';
import { gatewaysOfATest } from './test-kit/gateways-of-a-test.js';

const start = gatewaysOfATest();
const traceId = 'ab'.repeat(16);
const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });

interface SpanOptions {
  id?: string;
  parent?: string;
  trace?: string;
  result?: string;
  seconds?: number;
}

function toolSpan({ id = '1', parent, trace = traceId, result = 'done', seconds = 1_772_734_537 }: SpanOptions = {}) {
  return {
    traceId: trace,
    spanId: id.padStart(16, '0'),
    ...(parent !== undefined && { parentSpanId: parent.padStart(16, '0') }),
    name: 'execute_tool run',
    startTimeUnixNano: `${seconds}000000000`,
    endTimeUnixNano: `${seconds + 1}000000000`,
    attributes: [
      text('gen_ai.operation.name', 'execute_tool'),
      text('gen_ai.tool.name', 'run'),
      ...(result === '' ? [] : [text('gen_ai.tool.call.result', result)]),
    ],
  };
}

const requestOf = (spans: object[], attributes: object[] = []) => ({
  resourceSpans: [{ resource: { attributes }, scopeSpans: [{ spans }] }],
});

async function startReceiving(fails: () => boolean = () => false) {
  const appended: NewEvent[] = [];
  const log = (local: EventLog): EventLog => ({
    ...local,
    append(topic, event) {
      if (topic !== topics.spans.name) return local.append(topic, event);
      if (fails()) return Promise.reject(new AppError('log_unavailable', 'away', { retryable: true }));
      appended.push(event);
      return local.append(topic, event);
    },
  });
  const running = await start({ log });
  const send = (body: object | Uint8Array, headers: Record<string, string> = { 'x-whetstone-tenant': 'ops' }) =>
    call(running.url, 'POST', '/v1/traces', { key: running.key, body: body as object, headers });
  return { ...running, send, appended };
}

describe('traces', () => {
  it('are durable before the answer, one event for each trace, with the job that they become', async () => {
    const { send, appended } = await startReceiving();
    const other = 'cd'.repeat(16);
    const sent = await send(
      requestOf([toolSpan({ id: '2', parent: '1' }), toolSpan({ trace: other }), toolSpan({ id: '1' })]),
    );

    expect([sent.status, sent.body]).toEqual([200, {}]);
    expect(appended).toHaveLength(2);
    expect(appended.map(({ key }) => key.split(':')[1])).toEqual([traceId, other]);
    expect(appended.map(({ headers }) => headers?.['root'])).toEqual(['1', '1']);
  });

  it('have one job, whatever part of them comes when', async () => {
    const { send, appended } = await startReceiving();
    await send(requestOf([toolSpan({ id: '2', parent: '1' })]));
    await send(requestOf([toolSpan({ id: '1' })]));
    await send(requestOf([toolSpan({ id: '3', parent: '1', seconds: 1_772_734_537 + 86_400 })]));

    const [first, second, later] = appended.map(({ headers }) => headers ?? {});
    expect(first?.['job-id']).toBe(second?.['job-id']);
    expect(first).not.toHaveProperty('root');
    expect(later?.['earlier-job-id']).toBe(first?.['job-id']);
  });

  it('come as protobuf, gzipped or not, and are answered so', async () => {
    const { send, appended } = await startReceiving();
    // An execute_tool span with ids of 0x0a and 0x0b below another, without content.
    const span = `0a10${'0a'.repeat(16)}1208${'0b'.repeat(8)}2208${'0c'.repeat(8)}4a27${attribute('gen_ai.operation.name', 'execute_tool')}`;
    const body = Buffer.from(message('0a', message('12', message('12', span))), 'hex');
    const headers = { 'content-type': 'application/x-protobuf', 'x-whetstone-tenant': 'ops' };
    const plain = await send(body, headers);
    const zipped = await send(gzipSync(body), { ...headers, 'content-encoding': 'gzip' });

    for (const { status, headers: told, body: answer } of [plain, zipped]) {
      expect([status, told.get('content-type')]).toEqual([200, 'application/x-protobuf']);
      expect(answer).toMatch(/Spans of models and tools without content: 1\./);
    }
    expect(appended).toEqual([]);
    expect(await send(Buffer.alloc(0), headers)).toMatchObject({ status: 200, body: '' });
  });

  it('are told which spans were left out, and what to change', async () => {
    const { send, registry } = await startReceiving();
    const spans = [
      toolSpan(),
      toolSpan({ id: '2', parent: '1', result: '' }),
      { ...toolSpan({ id: '3', parent: '1' }), attributes: [] },
    ];
    const { body } = await send(requestOf(spans));

    expect(body).toEqual({
      partialSuccess: { rejectedSpans: 1, errorMessage: expect.stringMatching(/CAPTURE_MESSAGE_CONTENT=true/) },
    });
    const counted = await registry.metrics();
    for (const outcome of ['accepted', 'ignored', 'empty']) {
      expect(counted).toContain(`whetstone_spans_total{outcome="${outcome}"} 1\n`);
    }
  });

  it('name their collection in a header or in their resource', async () => {
    const { send, appended } = await startReceiving();
    const attributes = [text('whetstone.tenant_id', 'ops')];
    expect((await send(requestOf([toolSpan()], attributes), {})).status).toBe(200);
    expect((await send(requestOf([toolSpan()]))).status).toBe(200);
    expect(appended[0]?.key).toBe(appended[1]?.key);

    const missing = await send(requestOf([toolSpan()]), {});
    expect([missing.status, missing.body]).toMatchObject([
      422,
      { detail: [{ loc: ['header', 'x-whetstone-tenant'] }] },
    ]);
    for (const spans of [[toolSpan()], []]) {
      expect((await send(requestOf(spans), { 'x-whetstone-tenant': 'x'.repeat(513) })).status).toBe(422);
    }
  });

  it('are refused with the key of another account', async () => {
    const { send, issueKey, appended } = await startReceiving();
    const { key } = await issueKey('other');

    expect((await send(requestOf([toolSpan()]), { 'x-whetstone-tenant': key })).status).toBe(403);
    expect(appended).toEqual([]);
  });

  it('keep the place of a root without content, and what a span says of the outcome', async () => {
    const { send, appended } = await startReceiving();
    const judged = toolSpan({ id: '2', parent: '1', result: '' });
    const verdict = { key: 'whetstone.success', value: { boolValue: true } };
    const spans = [toolSpan({ result: '' }), { ...judged, attributes: [...judged.attributes, verdict] }];

    expect((await send(requestOf(spans))).body).toEqual({});
    expect(appended).toMatchObject([{ headers: { root: '1' } }]);
  });

  it('are refused if they are too many for one request', async () => {
    const { send, appended } = await startReceiving();
    const spans = Array.from({ length: 20_001 }, (_, at) => ({
      traceId: (at + 1).toString(16).padStart(32, '0'),
      spanId: '1'.repeat(16),
    }));

    expect(await send(requestOf(spans))).toMatchObject({ status: 413, body: { error: 'too_many_traces' } });
    expect(appended).toEqual([]);
  });

  it('reach no prototype, whatever their attributes are called', async () => {
    const { send } = await startReceiving();
    const hostile = ['__proto__.session', '__proto__.trust'].map((name) => text(`llm.input_messages.${name}`, 'low'));
    const span = toolSpan();
    const attributes = [text('gen_ai.operation.name', 'chat'), ...hostile];

    expect((await send(requestOf([{ ...span, attributes }]))).status).toBe(200);
    expect(({} as { trust?: string }).trust).toBeUndefined();
  });

  it('hold no secrets', async () => {
    const { send, appended, uploads } = await startReceiving();
    await send(requestOf([toolSpan({ result: 'password=hunter2hunter2' })]));

    expect(appended).toHaveLength(1);
    expect(Buffer.from(appended[0]?.value ?? []).toString('latin1')).not.toContain('hunter2');
    expect(await uploads()).toEqual([]);
  });

  it('can be sent again after a 503 if the log is away', async () => {
    let isAway = true;
    const { send } = await startReceiving(() => isAway);
    const { status, headers } = await send(requestOf([toolSpan()]));
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    isAway = false;
    expect((await send(requestOf([toolSpan()]))).status).toBe(200);
  });

  it.each([
    ['JSON of another shape', { resourceSpans: 1 }, {}, 422],
    ['no JSON', Buffer.from('{'), {}, 422],
    ['no protobuf', Buffer.from('garbage'), { 'content-type': 'application/x-protobuf' }, 422],
    ['another type', Buffer.from('x'), { 'content-type': 'text/plain' }, 415],
  ])('are refused with %s', async (_, body, headers, status) => {
    const { send, appended } = await startReceiving();
    const sent = await send(body, { 'x-whetstone-tenant': 'ops', ...headers });

    expect(sent.status).toBe(status);
    expect(appended).toEqual([]);
  });
});

function message(tag: string, hex: string): string {
  return `${tag}${(hex.length / 2).toString(16).padStart(2, '0')}${hex}`;
}

function attribute(key: string, value: string): string {
  const hexOf = (of: string) => Buffer.from(of).toString('hex');
  return message('0a', hexOf(key)) + message('12', message('0a', hexOf(value)));
}

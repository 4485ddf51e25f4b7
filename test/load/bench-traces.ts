import { decodeTraces } from '@whetstone/traces';
import protobuf from 'protobufjs';

import { agentTrace, exportOf } from '../support/otlp.js';
import { type Contender, startContender } from './contenders.js';
import { type Figure, median } from './report.js';

const traces = 1000;
const spansPerTrace = 20;
/** What the SDKs of OpenTelemetry send at a time, unless told otherwise. */
const spansPerRequest = 512;
const connections = 4;
const rounds = 5;

/** Spans accepted, durably, against decoding the same bytes and nothing else. */
export async function benchTraces(): Promise<Figure[]> {
  const server = await startContender({ WHETSTONE_ANALYSER_CONCURRENCY: '0' });
  try {
    return [
      await benchOrder('one trace after another', (trace) => trace, server),
      await benchOrder('each request with spans of 512 traces', (_, at) => at, server),
    ];
  } finally {
    await server.end();
  }
}

/** The order in which spans are sent: by the number of their trace, or by their place in it. */
type Order = (trace: number, at: number) => number;

async function benchOrder(order: string, by: Order, { url, key }: Contender): Promise<Figure> {
  const accepted: number[] = [];
  const decoded: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const bodies = requests(by);
    const decodedPerSecond = await rateOf(bodies, async (body) => decodeTraces(body).length);
    const acceptedPerSecond = await rateOf(bodies, (body) => send(url, key, body));
    // The first one warms up.
    if (round === 0) continue;
    decoded.push(decodedPerSecond);
    accepted.push(acceptedPerSecond);
  }
  return {
    name: `spans against decoding them alone, ${order}`,
    value: median(accepted),
    baseline: median(decoded),
    ratio: median(accepted.map((rate, round) => rate / (decoded[round] as number))),
    unit: 'spans/s',
  };
}

function requests(by: Order): Uint8Array[] {
  const commands = Array.from({ length: spansPerTrace - 1 }, (_, at) => `tar -xzf archive-${at}.tar.gz -C /srv/data`);
  const all = Array.from({ length: traces }, (_, at) => agentTrace({ task: `Unpack the archives of ${at}`, commands }));
  const placed = all.flatMap((trace, number) => trace.map((span, at) => ({ span, place: by(number, at) })));
  const spans = placed.sort((a, b) => a.place - b.place).map(({ span }) => span);
  return Array.from({ length: Math.ceil(spans.length / spansPerRequest) }, (_, at) => {
    const some = spans.slice(at * spansPerRequest, (at + 1) * spansPerRequest);
    return requestType.encode(requestType.fromObject(exportOf(some.map(inBytes)))).finish();
  });
}

function inBytes<Ids extends { traceId: string; spanId: string; parentSpanId?: string }>(span: Ids): Ids {
  const bytes = (id: string) => Buffer.from(id, 'hex') as unknown as string;
  const { traceId, spanId, parentSpanId = '' } = span;
  return { ...span, traceId: bytes(traceId), spanId: bytes(spanId), parentSpanId: bytes(parentSpanId) };
}

async function rateOf(bodies: Uint8Array[], handle: (body: Uint8Array) => Promise<unknown>): Promise<number> {
  const waiting = [...bodies];
  const began = performance.now();
  const worker = async () => {
    for (let body = waiting.pop(); body; body = waiting.pop()) await handle(body);
  };
  await Promise.all(Array.from({ length: connections }, worker));
  return (traces * spansPerTrace * 1000) / (performance.now() - began);
}

async function send(url: string, key: string, body: Uint8Array): Promise<void> {
  const headers = { 'x-api-key': key, 'x-whetstone-tenant': 'bench', 'content-type': 'application/x-protobuf' };
  const answer = await fetch(`${url}/v1/traces`, { method: 'POST', headers, body });
  const told = (await answer.arrayBuffer()).byteLength;
  if (answer.status !== 200 || told > 0) throw new Error(`/v1/traces answered ${answer.status} with ${told} bytes`);
}

const field = (id: number, type: string) => ({ id, type });
const list = (id: number, type: string) => ({ id, type, rule: 'repeated' as const });

const requestType = protobuf.Root.fromJSON({
  nested: {
    Request: { fields: { resourceSpans: list(1, 'ResourceSpans') } },
    ResourceSpans: { fields: { scopeSpans: list(2, 'ScopeSpans') } },
    ScopeSpans: { fields: { spans: list(2, 'Span') } },
    Span: {
      fields: {
        traceId: field(1, 'bytes'),
        spanId: field(2, 'bytes'),
        parentSpanId: field(4, 'bytes'),
        name: field(5, 'string'),
        startTimeUnixNano: field(7, 'fixed64'),
        endTimeUnixNano: field(8, 'fixed64'),
        attributes: list(9, 'KeyValue'),
      },
    },
    KeyValue: { fields: { key: field(1, 'string'), value: field(2, 'AnyValue') } },
    AnyValue: { fields: { stringValue: field(1, 'string'), boolValue: field(2, 'bool') } },
  },
}).lookupType('Request');

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Cluster, startCluster } from '@whetstone/deploy';

import { eventually } from '../../support/eventually.js';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from './otlp-receiver.js';

const services = ['gateway', 'analyser', 'indexer', 'status'] as const;

let folder: string;
let receiver: OtlpReceiver;
let cluster: Cluster;
let key: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whetstone-trace-'));
  receiver = await startOtlpReceiver();
  const settings = {
    WHETSTONE_LOG_LEVEL: 'debug',
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '200',
  };
  cluster = await startCluster({
    folder,
    replicas: { gateway: 1, analyser: 1, indexer: 1, status: 1 },
    settings: { gateway: settings, analyser: settings, indexer: settings, status: settings },
  });
  ({ key } = await cluster.operator.issueKey('traced'));
  await eventually(async () => ((await request('GET', '/')).status === 200 ? true : undefined), {
    what: 'the key is known',
  });
});

afterAll(async () => {
  await cluster?.stop();
  await receiver?.close();
  await rm(folder, { recursive: true, force: true });
});

describe('one trace id', () => {
  it('goes with an upload from the request through the log and all services to the store, and into their logs', async () => {
    const traceId = randomBytes(16).toString('hex');
    const upload = {
      tenant_id: 'shop',
      query: 'Find all log files larger than 10 MB',
      success: true,
      turns: [
        { turn: 1, inputs: 'a shell', decision: "find /var -name '*.log' -size +10M", result: '/var/log/syslog' },
      ],
    };

    const { status, body } = await request('POST', '/store_knowledge', { body: upload, traceId });
    expect(status).toBe(202);
    await eventually(
      async () =>
        (await request('GET', `/knowledge_status/${body.job_id}`)).body.status === 'completed' ? true : undefined,
      { what: 'the job has ended' },
    );

    const span = await wayTo(traceId, 'indexer', 'vector store upsert');
    expect(span).toEqual([
      ['gateway', 'server', 'POST /store_knowledge'],
      ['gateway', 'producer', 'send whetstone.uploads.v1'],
      ['analyser', 'consumer', 'process whetstone.uploads.v1'],
      ['analyser', 'internal', 'store'],
      ['analyser', 'client', 'whetstone.indexer.v1.IndexerService/Replace'],
      ['indexer', 'server', 'whetstone.indexer.v1.IndexerService/Replace'],
      ['indexer', 'internal', 'indexer.replace'],
      ['indexer', 'client', 'vector store upsert'],
    ]);
    expect((await wayTo(traceId, 'status', 'whetstone.status.v1.StatusService/GetJob')).at(2)).toEqual([
      'analyser',
      'consumer',
      'process whetstone.uploads.v1',
    ]);
    for (const service of services) await loggedBy(service, traceId);
  });

  it('goes with a question from the request to the store, with the id of the request beside it', async () => {
    const traceId = randomBytes(16).toString('hex');
    const requestId = `question-${randomBytes(4).toString('hex')}`;
    const body = { tenant_id: 'shop', input_text: 'Find all log files larger than 20 MB' };

    const { status } = await request('POST', '/enhance_task', { body, traceId, requestId });

    expect(status).toBe(200);
    expect((await wayTo(traceId, 'indexer', 'vector store search')).slice(0, 5)).toEqual([
      ['gateway', 'server', 'POST /enhance_task'],
      ['gateway', 'client', 'whetstone.analyser.v1.AnalyserService/Enhance'],
      ['analyser', 'server', 'whetstone.analyser.v1.AnalyserService/Enhance'],
      ['analyser', 'client', 'whetstone.indexer.v1.IndexerService/Search'],
      ['indexer', 'server', 'whetstone.indexer.v1.IndexerService/Search'],
    ]);
    for (const service of ['gateway', 'analyser', 'indexer'] as const) {
      expect(await loggedBy(service, traceId)).toContainEqual(expect.objectContaining({ request_id: requestId }));
    }
    expect(receiver.spans().filter((each) => each.traceId === traceId && each.failed)).toEqual([]);
  });
});

/** From the root span down to this one. */
async function wayTo(traceId: string, service: string, name: string): Promise<string[][]> {
  return eventually(
    async () => {
      const spans = receiver.spans().filter((each) => each.traceId === traceId);
      const byId = new Map(spans.map((each) => [each.spanId, each]));
      const way: ReceivedSpan[] = [];
      let span = spans.find((each) => each.service === `whetstone-${service}` && each.name.startsWith(name));
      for (; span; span = byId.get(span.parentSpanId ?? '')) way.unshift(span);
      const isWhole = way[0]?.service === 'whetstone-gateway' && way[0].kind === 'server';
      return isWhole ? way.map((each) => [each.service.replace('whetstone-', ''), each.kind, each.name]) : undefined;
    },
    { what: `the trace reaches ${name}` },
  );
}

/** The service's log lines of the trace. */
async function loggedBy(service: (typeof services)[number], traceId: string): Promise<Record<string, unknown>[]> {
  const read = () =>
    cluster.services[service].flatMap(({ logFile }) =>
      readFileSync(logFile, 'utf8')
        .split('\n')
        .filter((line) => line.includes(traceId))
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter((line) => line['trace_id'] === traceId && line['service'] === service),
    );
  return eventually(async () => (read().length > 0 ? read() : undefined), {
    what: `${service} tells the trace`,
  });
}

interface RequestOptions {
  body?: unknown;
  traceId?: string;
  requestId?: string;
}

async function request(method: string, path: string, { body, traceId, requestId }: RequestOptions = {}) {
  const answer = await fetch(`${cluster.url}${path}`, {
    method,
    headers: {
      'x-api-key': key,
      'content-type': 'application/json',
      ...(traceId ? { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` } : {}),
      ...(requestId ? { 'x-request-id': requestId } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
}

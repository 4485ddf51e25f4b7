import { createCallTokens, createRootSecrets } from '@whetstone/identity';
import { AppError, type CallContext, createLogger, Registry } from '@whetstone/platform';
import { eventually } from '@whetstone/platform/test-kit';
import { createRpcClient, createRpcServer, type RpcHandlers, rpcService } from '@whetstone/rpc';
import { createGrpcEnhancer, createGrpcIndexer, createGrpcStatus } from './adapters/grpc-services.js';
import { call } from './test-kit/call.js';
import { gatewaysOfATest } from './test-kit/gateways-of-a-test.js';

const start = gatewaysOfATest();
const tokens = createCallTokens(createRootSecrets('r'.repeat(40)));
const ends: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const input = { tenant_id: 'shop', input_text: 'x' };
const never = () => new Promise<never>(() => {});

describe('a request whose client goes away', () => {
  it('cancels the call below it', async () => {
    const signals: AbortSignal[] = [];
    const { url, key } = await startOnGrpc({
      Enhance: (_request, { signal }) => {
        if (signal) signals.push(signal);
        return never();
      },
    });
    const client = new AbortController();
    const request = call(url, 'POST', '/enhance_task', { key, body: input, signal: client.signal }).catch(() => {});
    await eventually(() => signals.length === 1);

    client.abort();

    await eventually(() => signals[0]?.aborted === true);
    expect(signals[0]?.reason).toMatchObject({ code: 'cancelled' });
    await request;
  });
});

describe('an operation whose time is up', () => {
  it('answers 500 with Retry-After, and the call below it had its time and no more', async () => {
    const calls: CallContext[] = [];
    const timeoutsMs = { store: 10_000, batch: 5000, enhance: 300, status: 10_000, delete: 10_000 };
    const { url, key } = await startOnGrpc(
      {
        Enhance: (_request, given) => {
          calls.push(given);
          return never();
        },
      },
      { timeoutsMs },
    );
    const before = Date.now();

    // On a busy machine, the time may be up before the connection is open.
    while (calls.length === 0) {
      const { status, body, headers } = await call(url, 'POST', '/enhance_task', { key, body: input });

      expect([status, body.error]).toEqual([500, 'enhance_failed']);
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
    }
    await eventually(() => calls[0]?.signal?.aborted === true);
    expect(calls[0]?.deadline).toBeGreaterThanOrEqual(before);
    expect(calls[0]?.deadline).toBeLessThan(before + 30_000);
  });
});

describe('an error of the analyser', () => {
  it.each([
    ['that waiting may mend has a Retry-After', true],
    ['that it does not mend has none', false],
  ])('%s', async (_, retryable) => {
    const { url, key } = await startOnGrpc({
      Enhance: () => Promise.reject(new AppError('store_unavailable', 'Milvus at 10.0.0.7 is away', { retryable })),
    });

    const { status, body, headers } = await call(url, 'POST', '/enhance_task', { key, body: input });

    expect([status, body.error]).toEqual([500, 'enhance_failed']);
    expect(headers.has('retry-after')).toBe(retryable);
    expect(JSON.stringify(body)).not.toContain('10.0.0.7');
  });
});

describe('a service that is away', () => {
  it('fails its own operation, at once, with Retry-After', async () => {
    const registry = new Registry();
    const target = 'ipv4:127.0.0.1:1';
    const [indexer, status] = [
      createRpcClient('indexer', { target, tokens, registry }),
      createRpcClient('status', { target, tokens, registry }),
    ];
    ends.push(indexer.close, status.close);
    const { url, key } = await start({
      deleteByIntent: createGrpcIndexer(indexer).deleteByIntent,
      getJob: createGrpcStatus(status).getJob,
    });
    const upload = await call(url, 'POST', '/store_knowledge', {
      key,
      body: { tenant_id: 'a', query: 'x', turns: [] },
    });

    const [deletion, lookUp] = await Promise.all([
      call(url, 'POST', '/delete_by_intent?tenant_id=a&intent=b', { key }),
      call(url, 'GET', `/knowledge_status/${upload.body.job_id}`, { key }),
    ]);

    expect([deletion.status, deletion.body.error]).toEqual([500, 'delete_failed']);
    expect([lookUp.status, lookUp.body.error]).toEqual([500, 'status_failed']);
    for (const { headers } of [deletion, lookUp]) expect(headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await call(url, 'POST', '/enhance_task', { key, body: input })).status).toBe(200);
  });
});

/** A gateway whose analyser is behind a real connection. */
async function startOnGrpc(
  handlers: RpcHandlers<'analyser'>,
  config: NonNullable<Parameters<typeof start>[0]>['config'] = {},
) {
  const registry = new Registry();
  const server = createRpcServer({
    host: '127.0.0.1',
    port: 0,
    connectionAgeMs: 60_000,
    graceMs: 100,
    tokensRequired: true,
    tokens,
    services: [rpcService('analyser', handlers)],
    isReady: () => true,
    logger: createLogger({ service: 'analyser', level: 'silent', pretty: false }),
    registry,
  });
  const client = createRpcClient('analyser', { target: `ipv4:127.0.0.1:${await server.start()}`, tokens, registry });
  ends.push(client.close, server.stop);
  return start({ enhance: createGrpcEnhancer(client).enhance, config });
}

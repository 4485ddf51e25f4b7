import { type Client, credentials, loadPackageDefinition } from '@grpc/grpc-js';
import { eventually } from '@whetstone/platform/test-kit';
import { service as health } from 'grpc-health-check';
import { reflect } from './test-kit/reflect.js';
import { rpcSite } from './test-kit/rpc-site.js';

const { serve } = rpcSite();

describe('the standard health service', () => {
  it('needs no token: probes have none', async () => {
    const { port, registry } = await serve('indexer');

    expect(await check(port, '')).toBe('SERVING');
    expect(await registry.metrics()).not.toMatch(/whetstone_refused_calls_total\{.*\} [1-9]/);
  });

  it.each(['', 'whetstone.indexer.v1.IndexerService'])(
    'follows the readiness of the process, asked for "%s"',
    async (service) => {
      let ready = false;
      const { port } = await serve('indexer', {}, { isReady: () => ready });

      expect(await check(port, service)).toBe('NOT_SERVING');

      ready = true;
      await eventually(async () => (await check(port, service)) === 'SERVING');

      ready = false;
      await eventually(async () => (await check(port, service)) === 'NOT_SERVING');
    },
  );

  it('knows no other service', async () => {
    const { port } = await serve('indexer');

    await expect(check(port, 'whetstone.status.v1.StatusService')).rejects.toMatchObject({ code: 5 });
  });
});

describe('reflection', () => {
  it('lists the services that are served, and health, without a token', async () => {
    const { port } = await serve('indexer');

    const { listServicesResponse } = await reflect(port, { listServices: '*' });

    expect(listServicesResponse.service.map(({ name }: { name: string }) => name).sort()).toEqual([
      'grpc.health.v1.Health',
      'whetstone.indexer.v1.IndexerService',
    ]);
  });

  it.each([
    'whetstone.indexer.v1.IndexerService',
    'whetstone.indexer.v1.SearchRequest',
    'whetstone.indexer.v1.InsightKind',
    'grpc.health.v1.Health',
  ])('describes %s', async (symbol) => {
    const { port } = await serve('indexer');

    const { fileDescriptorResponse } = await reflect(port, { fileContainingSymbol: symbol });

    const [, name = ''] = /([^.]+)$/.exec(symbol) ?? [];
    expect(Buffer.concat(fileDescriptorResponse.fileDescriptorProto).toString('latin1')).toContain(name);
  });
});

async function check(port: number, service: string): Promise<string> {
  const Health = loadPackageDefinition({ Health: health } as never)['Health'] as unknown as typeof Client;
  const client = new Health(`127.0.0.1:${port}`, credentials.createInsecure()) as unknown as {
    check(request: object, done: (error: Error | null, answer?: { status: string }) => void): void;
    close(): void;
  };
  try {
    return await new Promise((resolve, reject) => {
      client.check({ service }, (error, answer) => (error ? reject(error) : resolve(answer?.status ?? '')));
    });
  } finally {
    client.close();
  }
}

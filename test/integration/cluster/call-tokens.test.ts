import { once } from 'node:events';
import { connect } from 'node:http2';

import {
  type CallTokens,
  createCallTokens,
  createRootSecrets,
  readRootSecrets,
  workflowCollectionIdOf,
} from '@whetstone/identity';
import { Registry } from '@whetstone/platform';
import { createRpcClient, type RpcClient } from '@whetstone/rpc';

import { createAccounts, unique } from '../../support/accounts.js';
import { sharedCluster } from '../../support/shared-cluster.js';
import { lessons, lessonUpload } from '../../support/uploads.js';

const cluster = sharedCluster();
const unauthenticated = '16';
const methods = {
  analyser: ['whetstone.analyser.v1.AnalyserService/Enhance'],
  indexer: ['Search', 'GetRuns', 'Replace', 'DeleteByIntent'].map(
    (name) => `whetstone.indexer.v1.IndexerService/${name}`,
  ),
  status: ['whetstone.status.v1.StatusService/GetJob'],
};
const services = Object.keys(methods) as (keyof typeof methods)[];

/** Whoever reaches the gRPC ports, and has read how ids and tokens are made. */
describe('an intruder in the network', () => {
  it.each(services.flatMap((service) => methods[service].map((method) => ({ service, method }))))(
    'calls $method of the $service in vain, and is counted',
    async ({ service, method }) => {
      const { address } = cluster().grpc[service][0]!;
      const before = await refusals(service, 'missing');

      expect(await statusOf(address, `/${method}`)).toBe(unauthenticated);

      expect(await refusals(service, 'missing')).toBe(before + 1);
    },
  );

  it('reads and deletes nothing with the collection id that it computes from the names', async () => {
    const { account, client } = await createAccounts(cluster().target).open();
    const tenantId = unique('guessed');
    await client.learn(lessonUpload(tenantId, lessons.logs));
    const collectionId = workflowCollectionIdOf(account, tenantId);
    const intent = lessons.logs.task;
    const search = { collectionId, text: intent, limit: 5 };
    const deletion = { collectionId, intent, similarityThreshold: 0, requestedAt: Date.now() * 1000, dryRun: false };

    await withIndexer(createCallTokens(createRootSecrets('x'.repeat(40))), async (intruder) => {
      await expect(intruder.call('Search', search, {})).rejects.toThrow('refuses calls from here');
      await expect(intruder.call('DeleteByIntent', deletion, {})).rejects.toThrow('refuses calls from here');
    });

    await withIndexer(await ownTokens(), async (indexer) => {
      expect((await indexer.call('Search', search, {})).hits).not.toHaveLength(0);
    });
  });

  it('has no use for the token of another method or of a clock that is ten minutes off', async () => {
    const own = await ownTokens();
    const search = { collectionId: 'c', text: 'x', limit: 1 };

    await withIndexer({ ...own, issue: () => own.issue('/whetstone.status.v1.StatusService/GetJob') }, (intruder) =>
      expect(intruder.call('Search', search, {})).rejects.toThrow('an invalid token'),
    );
    await withIndexer(await ownTokens(() => Date.now() - 600_000), (late) =>
      expect(late.call('Search', search, {})).rejects.toThrow(/check the clocks of both machines, .* 600 s behind/),
    );
  });

  it('finds health open', async () => {
    for (const service of services) {
      const { address } = cluster().grpc[service][0]!;
      expect(await statusOf(address, '/grpc.health.v1.Health/Check')).toBe('0');
    }
  });
});

async function ownTokens(nowMs?: () => number): Promise<CallTokens> {
  return createCallTokens(await readRootSecrets(cluster().rootSecretFile), nowMs);
}

async function withIndexer(
  tokens: CallTokens,
  work: (indexer: RpcClient<'indexer'>) => Promise<unknown>,
): Promise<void> {
  const target = `ipv4:${cluster().grpc.indexer[0]!.address}`;
  const indexer = createRpcClient('indexer', { target, tokens, registry: new Registry() });
  try {
    await work(indexer);
  } finally {
    indexer.close();
  }
}

/** How a call without any metadata and with an empty message ends. */
async function statusOf(address: string, path: string): Promise<unknown> {
  const session = connect(`http://${address}`);
  try {
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    stream.end(Buffer.alloc(5)).resume();
    const trailers = once(stream, 'trailers');
    // An error without a message is all headers.
    const [headers] = await once(stream, 'response');
    return headers['grpc-status'] ?? (await trailers)[0]['grpc-status'];
  } finally {
    session.destroy();
  }
}

async function refusals(service: keyof typeof methods, reason: string): Promise<number> {
  const [opsUrl] = cluster().opsUrls[service] as string[];
  const text = await (await fetch(`${opsUrl}/metrics`)).text();
  return Number(new RegExp(`^whetstone_refused_calls_total\\{reason="${reason}"\\} (\\d+)$`, 'm').exec(text)?.[1]);
}

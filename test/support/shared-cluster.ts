import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Cluster, startCluster } from '@whetstone/deploy';

import { lowLimits, patientSettings, patientStatusSettings } from './product.js';
import { collectionLimitName, publishTarget, readTarget, shortSweeps, type Target } from './target.js';

const replicasName = 'WHETSTONE_TEST_REPLICAS';

/** Fewer than by default, so that a test reaches the limit sooner; more than other tests need. */
const maxCollections = '100';

/** Direct addresses of the replicas. */
interface Replicas {
  gatewayUrls: string[];
  /** Each has a gRPC address. */
  grpc: Record<'analyser' | 'indexer' | 'status', { address: string; pid: number }[]>;
  rootSecretFile: string;
  /** By service. */
  opsUrls: Record<string, string[]>;
}

/** A cluster that test files share: tests use their own accounts and kill nothing. */
export interface SharedCluster extends Replicas {
  target: Target;
}

/** Two processes of each service, and the environment that tells jest about them. */
export async function startSharedCluster(): Promise<{ env: Record<string, string>; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'whetstone-cluster-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  let ended = '';
  const cluster = await startCluster({
    folder,
    settings: {
      gateway: patientSettings,
      status: patientStatusSettings,
      indexer: { ...lowLimits, WHETSTONE_MAX_COLLECTIONS: maxCollections },
    },
    onUnexpectedEnd: ({ name, exit, lastLines }) => {
      ended += `${name} ended (${exit.code ?? exit.signal}) while the tests ran:\n${lastLines}\n`;
    },
  }).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  const processes = (service: keyof Replicas['grpc']) =>
    cluster.services[service].map(({ address, pid }) => ({ address, pid }));
  const replicas: Replicas = {
    gatewayUrls: cluster.gatewayUrls,
    grpc: { analyser: processes('analyser'), indexer: processes('indexer'), status: processes('status') },
    rootSecretFile: cluster.rootSecretFile,
    opsUrls: Object.fromEntries(
      Object.entries(cluster.services).map(([service, processes]) => [service, processes.map(({ opsUrl }) => opsUrl)]),
    ),
  };
  const env: Record<string, string> = {
    [replicasName]: JSON.stringify(replicas),
    [collectionLimitName]: maxCollections,
    ...shortSweeps,
  };
  publishTarget(targetOf(cluster), env);
  return {
    env,
    async stop() {
      await cluster.stop();
      await remove();
      if (ended) throw new Error(ended);
    },
  };
}

/** What the black-box suites need to know about a cluster. */
export function targetOf({ url, opsUrl, folder, operator }: Cluster): Target {
  const because = "--reason 'acceptance test' --json";
  return {
    baseUrl: url,
    opsUrl,
    issueKeyCommand: `${operator.command} keys issue --account {account} --approved-by acceptance ${because}`,
    revokeKeyCommand: `${operator.command} keys revoke --key-id {key_id} ${because}`,
    openErrorCommand: `${operator.command} errors open {sealed}`,
    output: [folder],
  };
}

/** The runner's cluster, or one for this file. Call it at the top of a test file or inside `describe`. */
export function sharedCluster(): () => SharedCluster {
  let stop: (() => Promise<void>) | undefined;
  let env: NodeJS.ProcessEnv = process.env;
  beforeAll(async () => {
    if (process.env[replicasName] === undefined) ({ env, stop } = await startSharedCluster());
  });
  afterAll(() => stop?.());
  return () => {
    const target = readTarget(env);
    const replicas = env[replicasName];
    if (!target || !replicas) throw new Error('The shared cluster is known once beforeAll has run');
    return { target, ...(JSON.parse(replicas) as Replicas) };
  };
}

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { UnexpectedEnd } from '../engines/engine.js';
import type { FetchOptions } from '../engines/fetch-once.js';
import { type Kafka, startKafka } from '../engines/start-kafka.js';
import { type Milvus, startMilvus } from '../engines/start-milvus.js';
import { operatorSettings, settingsOf } from './cluster-settings.js';
import { type ClusterOperator, createClusterOperator, makeRootSecret } from './operator.js';
import { type ByService, byService, planReplicas, type Replica, serviceNames, startReplica } from './replicas.js';
import { type Front, startFront } from './start-front.js';
import { type OpsFront, startOpsFront } from './start-ops-front.js';

export interface ClusterOptions extends FetchOptions {
  /** Holds the engines' data, the root secret and a log of every process. */
  folder: string;
  /** Processes per service; two by default. */
  replicas?: Partial<ByService<number>>;
  /** Additional settings for every process of a service. */
  settings?: Partial<ByService<Record<string, string>>>;
  /** Called when a process ends unasked. */
  onUnexpectedEnd?: ((ending: UnexpectedEnd) => void) | undefined;
}

export interface Cluster {
  /** One address in front of all gateways. */
  readonly url: string;
  /** Combined probes and metrics of all processes. */
  readonly opsUrl: string;
  /** Each gateway by itself. */
  readonly gatewayUrls: string[];
  readonly services: ByService<Replica[]>;
  readonly kafka: Kafka;
  readonly milvus: Milvus;
  readonly operator: ClusterOperator;
  readonly rootSecretFile: string;
  readonly folder: string;
  /** Stops gateways first, engines last. */
  stop(): Promise<void>;
}

/** The four services as separate processes on real Kafka and Milvus Lite. Resolves when all are ready. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  const stops = createStopList();
  try {
    return await start(options, stops);
  } catch (error) {
    await stops.stop();
    throw error;
  }
}

async function start(options: ClusterOptions, stops: StopList): Promise<Cluster> {
  const { folder, replicas = {}, settings = {}, onUnexpectedEnd, ...fetching } = options;
  const engines = [
    startKafka({ folder: join(folder, 'kafka'), onUnexpectedEnd, ...fetching }),
    startMilvus({ folder: join(folder, 'milvus'), onUnexpectedEnd, ...fetching }),
  ] as const;
  await stops.start<Kafka | Milvus>(engines);
  const [kafka, milvus] = await Promise.all(engines);
  const rootSecretFile = await makeRootSecret(folder);
  const shared = { folder, kafka, milvus, rootSecretFile };
  const operator = createClusterOperator(operatorSettings(shared));
  await operator.applyTopics();

  const plans = await planReplicas(byService((service) => replicas[service] ?? 2));
  const front = startFront(
    plans.gateway.map(({ port, opsUrl }) => ({ port: port.port, readyUrl: `${opsUrl}/readyz` })),
  );
  const opsFront = startOpsFront(serviceNames.flatMap((service) => plans[service]));
  await stops.start<Front | OpsFront>([front, opsFront]);
  // All at once, as on a cluster: nothing may depend on the order.
  const starting = byService((service) => {
    const processes = plans[service].map((plan) => {
      const own = { ...settingsOf(plan, plans, shared), ...settings[service] };
      return startReplica({ plan, folder, settings: own, onUnexpectedEnd });
    });
    return stops.start(processes);
  });
  await Promise.allSettled(Object.values(starting));
  const services = byService<Replica[]>(() => []);
  for (const service of serviceNames) services[service] = await starting[service];
  return {
    url: (await front).url,
    opsUrl: (await opsFront).url,
    gatewayUrls: services.gateway.map(({ address }) => `http://${address}`),
    services,
    kafka,
    milvus,
    operator,
    rootSecretFile,
    folder,
    stop: stops.stop,
  };
}

export interface Stoppable {
  stop(): Promise<unknown>;
}

export interface StopList {
  /**
   * Starts a group whose members start at once. Groups stop in reverse order of these calls. Rejects only after all members
   * have settled, so that none is forgotten while it starts.
   */
  start<T extends Stoppable>(starting: readonly Promise<T>[]): Promise<T[]>;
  stop(): Promise<void>;
}

export function createStopList(): StopList {
  const groups: Stoppable[][] = [];
  return {
    async start<T extends Stoppable>(starting: readonly Promise<T>[]) {
      const group: Stoppable[] = [];
      groups.push(group);
      const results = await Promise.allSettled(starting);
      const started = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      group.push(...started);
      const failed = results.find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
      return started;
    },
    async stop() {
      for (let group = groups.pop(); group; group = groups.pop()) {
        await Promise.all(group.map((member) => member.stop()));
      }
    },
  };
}

import { join } from 'node:path';

import { type ByService, grpcTarget, type ReplicaPlan } from './replicas.js';

export type Settings = Record<string, string>;

/** What all processes of a cluster share. */
export interface SharedParts {
  folder: string;
  kafka: { brokers: string[] };
  milvus: { address: string };
  rootSecretFile: string;
}

/** Each gateway counts on its own, so the default rate is divided among them. */
const defaultRate = { perSecond: 200, burst: 1000 };

const forKafka = ({ kafka }: SharedParts): Settings => ({ WHETSTONE_KAFKA_BROKERS: kafka.brokers.join(',') });
const forMilvus = ({ milvus }: SharedParts): Settings => ({ WHETSTONE_MILVUS_ADDRESS: milvus.address });
const forSecrets = ({ rootSecretFile }: SharedParts): Settings => ({ WHETSTONE_ROOT_SECRET_FILE: rootSecretFile });

/** For operator commands. */
export function operatorSettings(parts: SharedParts): Settings {
  return { ...forKafka(parts), ...forMilvus(parts), ...forSecrets(parts) };
}

/** Connects one process to the engines and the other services. */
export function settingsOf(plan: ReplicaPlan, plans: ByService<ReplicaPlan[]>, parts: SharedParts): Settings {
  const listening: Settings = {
    WHETSTONE_OPS_HOST: '127.0.0.1',
    WHETSTONE_OPS_PORT: String(plan.opsPort.port),
  };
  const grpc: Settings = {
    ...listening,
    WHETSTONE_GRPC_HOST: '127.0.0.1',
    WHETSTONE_GRPC_PORT: String(plan.port.port),
  };
  const analyser = { WHETSTONE_ANALYSER_ADDRESS: grpcTarget(plans.analyser) };
  const indexer = { WHETSTONE_INDEXER_ADDRESS: grpcTarget(plans.indexer) };
  const status = { WHETSTONE_STATUS_ADDRESS: grpcTarget(plans.status) };
  switch (plan.service) {
    case 'gateway':
      return {
        ...listening,
        WHETSTONE_HTTP_HOST: '127.0.0.1',
        WHETSTONE_HTTP_PORT: String(plan.port.port),
        WHETSTONE_RATE_LIMIT_PER_SECOND: String(Math.ceil(defaultRate.perSecond / plans.gateway.length)),
        WHETSTONE_RATE_LIMIT_BURST: String(Math.ceil(defaultRate.burst / plans.gateway.length)),
        ...forKafka(parts),
        ...forSecrets(parts),
        ...analyser,
        ...indexer,
        ...status,
      };
    case 'analyser':
      return { ...grpc, ...forKafka(parts), ...forSecrets(parts), ...indexer, ...status };
    case 'indexer':
      return { ...grpc, ...forMilvus(parts), ...forSecrets(parts) };
    case 'status':
      return { ...grpc, ...forKafka(parts), ...forSecrets(parts), WHETSTONE_DATA: join(parts.folder, plan.name) };
  }
}

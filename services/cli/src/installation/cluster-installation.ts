import type { kafkaConfigSchema } from '@whetstone/event-log/kafka';
import type { rootSecretConfigSchema } from '@whetstone/identity';
import type { milvusConfigSchema } from '@whetstone/indexer/milvus';
import {
  AppError,
  type ConfigOf,
  type ConfigSchema,
  createLogger,
  type Environment,
  loadMergedConfig,
} from '@whetstone/platform';
import { type ClusterPart, clusterVariables } from './cluster-variables.js';
import { type Installation, type PartName, type PartOpeners, useParts } from './installation.js';
import { loadPart } from './load-part.js';

const needs: Readonly<Record<PartName, ClusterPart>> = {
  roots: 'roots',
  log: 'kafka',
  topics: 'kafka',
  knowledge: 'milvus',
  reindexing: 'milvus',
};

/** The installation that the services of a cluster share. */
export function createClusterInstallation(env: Environment): Installation {
  return {
    async use(names, work) {
      const config = await loadClusterConfig(env, [...new Set(names.map((name) => needs[name]))]);
      return useParts(openersOf(config, env), names, work);
    },
  };
}

/** Each loads its client on demand, because loading takes longer than most commands. */
function openersOf(config: ClusterConfig, env: Environment): PartOpeners {
  const logger = createLogger({ service: 'cli', level: 'silent', pretty: false });
  return {
    async roots() {
      const { rootSecretsOf } = await import('@whetstone/identity');
      return { part: rootSecretsOf(config), close: async () => {} };
    },
    async log() {
      const { openKafkaLog } = await import('./open-kafka.js');
      return openKafkaLog(config, logger);
    },
    async topics() {
      const { openKafkaTopics } = await import('./open-kafka.js');
      return openKafkaTopics(config, logger);
    },
    async knowledge() {
      const { milvusConfigOf, openMilvusVectorStore } = await import('@whetstone/indexer/milvus');
      const { openKnowledge } = await import('./open-knowledge.js');
      const { readEmbedding } = await import('./open-knowledge.js');
      const milvus = milvusConfigOf(config);
      return openKnowledge(logger, readEmbedding(env), (model) =>
        openMilvusVectorStore({ config: milvus, model, logger, mustServe: true }),
      );
    },
    async reindexing() {
      const { openReindexing } = await import('./open-reindexing.js');
      const { readEmbedding } = await import('./open-knowledge.js');
      return openReindexing(config, readEmbedding(env), logger);
    },
  };
}

export type ClusterConfig = ConfigOf<typeof kafkaConfigSchema> &
  ConfigOf<typeof milvusConfigSchema> &
  ConfigOf<typeof rootSecretConfigSchema>;

/** Loaded on demand, because each brings its client along. */
const schemas: Readonly<Record<ClusterPart, () => Promise<ConfigSchema>>> = {
  kafka: async () =>
    (await loadPart(() => import('@whetstone/event-log/kafka'), carriesNo('Kafka', 'gateway, analyser or status')))
      .kafkaConfigSchema,
  milvus: async () =>
    (await loadPart(() => import('@whetstone/indexer/milvus'), carriesNo('Milvus', 'indexer'))).milvusConfigSchema,
  roots: async () => (await import('@whetstone/identity')).rootSecretConfigSchema,
};

/** Reads the variables of the services. Throws AppError `invalid_argument` with all mistakes. */
async function loadClusterConfig(env: Environment, parts: readonly ClusterPart[]): Promise<ClusterConfig> {
  const wanted = await Promise.all(parts.map((part) => schemas[part]()));
  try {
    return loadMergedConfig(wanted, clusterVariables(env, parts));
  } catch (cause) {
    const set = Object.keys(clusterVariables(env)).join(', ');
    const why = `These variables select a cluster: ${set}. Unset them to use the data folder of a standalone server.`;
    throw new AppError('invalid_argument', `${(cause as Error).message}\n${why}`, { cause });
  }
}

function carriesNo(engine: string, services: string): string {
  return `This container has no ${engine} client, which the command needs: run it in a container of the ${services}`;
}

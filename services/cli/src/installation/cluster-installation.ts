import { createLogger, type Environment } from '@whetstone/platform';

import { type ClusterConfig, loadClusterConfig } from './cluster-config.js';
import type { ClusterPart } from './cluster-variables.js';
import type { Installation, PartName } from './installation.js';
import { type PartOpeners, useParts } from './use-parts.js';

/** What of a cluster each part needs. */
const needs: Readonly<Record<PartName, ClusterPart>> = {
  roots: 'roots',
  log: 'kafka',
  topics: 'kafka',
  knowledge: 'milvus',
  reindexing: 'milvus',
};

/** The installation that the services of a cluster share, reached as they reach it. */
export function createClusterInstallation(env: Environment): Installation {
  return {
    async use(names, work) {
      const config = await loadClusterConfig(env, [...new Set(names.map((name) => needs[name]))]);
      return useParts(openersOf(config, env), names, work);
    },
  };
}

/** Each loads the client of its engine, which takes longer than most commands. */
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
      const { readEmbedding } = await import('./read-embedding.js');
      const milvus = milvusConfigOf(config);
      return openKnowledge(logger, readEmbedding(env), (model) =>
        openMilvusVectorStore({ config: milvus, model, logger, mustServe: true }),
      );
    },
    async reindexing() {
      const { openReindexing } = await import('./open-reindexing.js');
      const { readEmbedding } = await import('./read-embedding.js');
      return openReindexing(config, readEmbedding(env), logger);
    },
  };
}

import { topics } from '@whetstone/contracts';
import { openLocalEventLog } from '@whetstone/event-log';
import { readOrCreateRootSecrets } from '@whetstone/identity';
import { indexerConfigOf, openEmbedder, openLocalVectorStore } from '@whetstone/indexer';
import type { Clock, DataFolder, Logger, Registry } from '@whetstone/platform';

import type { ProcessConfig } from './standalone-config.js';

interface LocalPartsOptions {
  folder: DataFolder;
  config: ProcessConfig;
  clock: Clock;
  registry: Registry;
  loggerOf(service: string): Logger;
  onStop(name: string, stop: () => Promise<void>): void;
}

/** The local log, embedder and vector store, in place of a cluster's Kafka and Milvus. */
export async function openLocalParts({ folder, config, clock, registry, loggerOf, onStop }: LocalPartsOptions) {
  const roots = await readOrCreateRootSecrets(folder.rootSecret);
  const log = await openLocalEventLog({
    path: folder.log,
    topics: Object.values(topics),
    clock,
    logger: loggerOf('event-log'),
    registry,
  });
  onStop('event log', log.close);

  const { embedding, vectorCacheBytes } = indexerConfigOf(config);
  const logger = loggerOf('indexer');
  const embedder = await openEmbedder({ config: embedding, logger, registry });
  onStop('embedder', embedder.close);
  const store = await openLocalVectorStore({
    path: folder.knowledge,
    model: embedder.model,
    cacheBytes: vectorCacheBytes,
    erases: true,
    logger,
  });
  onStop('vector store', store.close);
  return { roots, log, embedder, store };
}

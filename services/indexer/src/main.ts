import { runService } from '@whetstone/platform';
import { createRpcServer, rpcServerConfigOf } from '@whetstone/rpc';

import { openLocalEmbedder } from './adapters/local-embedder/local-embedder.js';
import { milvusConfigOf, openMilvusVectorStore } from './adapters/milvus-vector-store/index.js';
import { createIndexer } from './create-indexer.js';
import { serveIndexer } from './grpc/serve-indexer.js';
import { indexerConfigOf } from './indexer-config.js';
import { processSchemas } from './process-schemas.js';

runService({
  name: 'indexer',
  env: process.env,
  schemas: processSchemas,
  async compose({ config, clock, logger, registry, isReady, onStop }) {
    const indexing = indexerConfigOf(config);
    const { embeddingCacheBytes: cacheBytes, embeddingThreads: threads } = indexing;
    const milvus = milvusConfigOf(config);
    const embedder = await openLocalEmbedder({ cacheBytes, threads, logger });
    onStop('embedder', embedder.close);
    const store = await openMilvusVectorStore({ config: milvus, model: embedder.model, logger });
    onStop('vector store', store.close);
    const service = createIndexer({ store, embedder, clock, logger, registry }, indexing);
    const services = [serveIndexer(service.api)];
    return { service, server: createRpcServer({ ...rpcServerConfigOf(config), services, isReady, logger, registry }) };
  },
});

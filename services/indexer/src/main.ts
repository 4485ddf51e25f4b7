import { runService } from '@whetstone/platform';
import { createRpcServer, rpcServerConfigOf } from '@whetstone/rpc';

import { milvusConfigOf, openMilvusVectorStore } from './adapters/milvus-vector-store/index.js';
import { createIndexer } from './create-indexer.js';
import { serveIndexer } from './grpc/serve-indexer.js';
import { indexerConfigOf } from './indexer-config.js';
import { openEmbedder } from './open-embedder.js';
import { processSchemas } from './process-schemas.js';

runService({
  name: 'indexer',
  env: process.env,
  schemas: processSchemas,
  async compose({ config, clock, logger, registry, isReady, onStop }) {
    const indexing = indexerConfigOf(config);
    const milvus = milvusConfigOf(config);
    const embedder = await openEmbedder({ config: indexing.embedding, logger, registry });
    onStop('embedder', embedder.close);
    const store = await openMilvusVectorStore({ config: milvus, model: embedder.model, logger });
    onStop('vector store', store.close);
    const service = createIndexer({ store, embedder, clock, logger, registry }, indexing);
    const services = [serveIndexer(service.api)];
    return { service, server: createRpcServer({ ...rpcServerConfigOf(config), services, isReady, logger, registry }) };
  },
});

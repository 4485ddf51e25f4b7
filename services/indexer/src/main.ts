import { createCallTokens, rootSecretsOf } from '@whetstone/identity';
import { runService } from '@whetstone/platform';
import { createRpcServer, rpcServerConfigOf, rpcService } from '@whetstone/rpc';

import { openEmbedder } from './adapters/embedders/open-embedder.js';
import { milvusConfigOf, openMilvusVectorStore } from './adapters/milvus-vector-store/index.js';
import { createIndexer } from './create-indexer.js';
import { indexerConfigOf } from './indexer-config.js';
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
    const { api } = service;
    const methods = {
      Search: api.search,
      GetRuns: api.getRuns,
      Replace: api.replace,
      FindDeletedRuns: api.findDeletedRuns,
      DescribeCollections: api.describeCollections,
      DeleteByIntent: api.deleteByIntent,
      EraseCollection: api.eraseCollection,
      ListLessons: api.listLessons,
      GetLesson: api.getLesson,
      DecideLesson: api.decideLesson,
      DeleteLesson: api.deleteLesson,
      WriteLesson: api.writeLesson,
      GiveFeedback: api.giveFeedback,
      GetOutcomes: api.getOutcomes,
      GetSettings: api.getSettings,
      ChangeSettings: api.changeSettings,
    };
    const services = [rpcService('indexer', methods)];
    const tokens = createCallTokens(rootSecretsOf(config));
    const serving = { ...rpcServerConfigOf(config), services, tokens, isReady, logger, registry };
    return { service, server: createRpcServer(serving) };
  },
});

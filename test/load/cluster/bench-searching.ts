import { workflowCollectionIdOf } from '@whetstone/identity';
import { openLocalEmbedder } from '@whetstone/indexer';
import { milvusConfigOf, milvusConfigSchema, openMilvusVectorStore } from '@whetstone/indexer/milvus';
import { createLogger, loadMergedConfig } from '@whetstone/platform';
import { MilvusClient } from '@zilliz/milvus2-sdk-node';

import { createAsker, takeTurns } from '../load.js';
import { type Figure, median } from '../report.js';
import { sampleTasks } from '../samples.js';
import { embedCentres, seedKnowledge } from '../seed-knowledge.js';
import type { Bench } from './bench-cluster.js';

const insights = 10_000;
const questions = 150;
const limit = 32;

/** `enhance_task` against embedding the same text and searching Milvus by meaning and by words, in turns. */
export async function benchSearching({ cluster, key, account }: Bench): Promise<Figure[]> {
  const logger = createLogger({ service: 'bench', level: 'error', pretty: false });
  const embedder = await openLocalEmbedder({ logger });
  const config = milvusConfigOf(
    loadMergedConfig([milvusConfigSchema], {
      WHETSTONE_MILVUS_ADDRESS: cluster.milvus.address,
      WHETSTONE_MILVUS_TIMEOUT_MS: '60000',
    }),
  );
  const store = await openMilvusVectorStore({ config, model: embedder.model, logger });
  const milvus = new MilvusClient({ address: cluster.milvus.address, logLevel: 'error', timeout: 10_000 });
  const asker = createAsker(cluster.url, key);
  try {
    await seedKnowledge(store, { account, count: insights }, await embedCentres(embedder));
    const direct = await searchDirectly(milvus, workflowCollectionIdOf(account, 'bench'));
    const embedAndSearch = async (text: string) => direct(text, await embedder.embed(text, 'interactive'));
    await takeTurns(asker.enhance, embedAndSearch, sampleTasks(20));
    const { measuredMs, baselineMs } = await takeTurns(asker.enhance, embedAndSearch, sampleTasks(questions));
    return [
      {
        name: `enhance_task p50, ${insights.toLocaleString('en')} insights in Milvus`,
        value: median(measuredMs),
        baseline: median(baselineMs),
        unit: 'ms',
        goal: '≤ 1.5×',
      },
    ];
  } finally {
    asker.close();
    await milvus.closeConnection();
    await store.close();
    await embedder.close();
  }
}

/** The plain SDK way: one hybrid search with ranks fused by Milvus, returning the insights. */
async function searchDirectly(milvus: MilvusClient, collectionId: string) {
  const shard = await shardWith(milvus, collectionId);
  return async (text: string, vector: Float32Array) => {
    const answer = await milvus.hybridSearch({
      collection_name: shard,
      partition_names: [collectionId],
      data: [
        { anns_field: 'vector', data: Array.from(vector), metric_type: 'COSINE', limit, params: {} },
        { anns_field: 'bm25', data: text.toLowerCase(), metric_type: 'BM25', limit, params: {} },
      ],
      filter: `collection_id == "${collectionId}" and type == "insight"`,
      rerank: { strategy: 'rrf', params: { k: 60 } },
      limit,
      output_fields: ['intent', 'body'],
    });
    if (answer.results.length === 0) throw new Error('Milvus found nothing');
  };
}

async function shardWith(milvus: MilvusClient, partition: string): Promise<string> {
  const { data } = await milvus.showCollections();
  for (const { name } of data) {
    const { value } = await milvus.hasPartition({ collection_name: name, partition_name: partition });
    if (value) return name;
  }
  throw new Error(`No shard has the partition ${partition}`);
}

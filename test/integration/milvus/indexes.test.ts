import { createIndexer, type Row, type VectorStore } from '@whetstone/indexer';
import {
  aCollection,
  aDeletion,
  aRow,
  conformanceModel,
  createDirectionEmbedder,
} from '@whetstone/indexer/conformance';
import { createLogger, createSystemClock, Registry } from '@whetstone/platform';
import { MilvusClient } from '@zilliz/milvus2-sdk-node';

import { type MilvusUnderTest, startMilvusUnderTest } from './milvus-store.js';

const logger = createLogger({ service: 'test', level: 'silent', pretty: false });
const collection = aCollection('indexed');
const rows = 4_000;
const limit = 50;

/** Clustered, as intents are. */
function createVectors(): (cluster: number) => Float32Array {
  let state = 7;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647 - 0.5;
  };
  const { dimension } = conformanceModel;
  const centres = Array.from({ length: 80 }, () => Array.from({ length: dimension }, random));
  return (cluster) => {
    const values = (centres[cluster % centres.length] ?? []).map((value) => value + 0.6 * random());
    const length = Math.hypot(...values);
    return Float32Array.from(values, (value) => value / length);
  };
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}

describe.each(['FLAT', 'HNSW', 'IVF_FLAT'] as const)('a Milvus collection with the index %s', (vectorIndex) => {
  const vectorOf = createVectors();
  const vectors = Array.from({ length: rows }, (_, n) => vectorOf(n));
  let under: MilvusUnderTest;
  let store: VectorStore;

  beforeAll(async () => {
    under = await startMilvusUnderTest();
    store = await under.open({ config: { shards: 1, vectorIndex } });
    await store.createCollection(collection);
    const all = vectors.map((vector, n): Row => aRow(collection, { jobId: `job-${n}`, vector, acceptedAt: 1 }));
    for (let from = 0; from < rows; from += 1_000) await store.upsert(collection, all.slice(from, from + 1_000));
    // As Milvus does in time: what is not flushed is searched without the index.
    await withClient((client, shard) => client.flushSync({ collection_names: [shard] }));
  });
  afterAll(async () => {
    await store?.close();
    await under?.destroy();
  });

  it('finds nearly all of the nearest insights, and all of them if it is exact', async () => {
    const recalls: number[] = [];
    for (let n = 0; n < 20; n++) {
      const vector = vectorOf(n * 3);
      const nearest = vectors
        .map((other, at) => ({ jobId: `job-${at}`, similarity: cosine(vector, other) }))
        .sort((a, b) => b.similarity - a.similarity)
        .slice(0, limit);
      const { byMeaning } = await store.search(collection, { vector, text: '', limit });
      const found = new Set(byMeaning.map(({ jobId }) => jobId));
      recalls.push(nearest.filter(({ jobId }) => found.has(jobId)).length / limit);
    }
    const recall = recalls.reduce((sum, one) => sum + one, 0) / recalls.length;
    expect(recall).toBeGreaterThanOrEqual(vectorIndex === 'FLAT' ? 1 : 0.95);
  });

  it('loses by intent every match', async () => {
    const deps = {
      store,
      embedder: createDirectionEmbedder(),
      clock: createSystemClock(),
      logger,
      registry: new Registry(),
    };
    const { api } = createIndexer(deps, {
      maxCollectionsPerAccount: 200,
      maxDeletionsPerCollection: 1_000,
      agentTypeBoost: 1,
      consolidation: { intervalMs: 0, settleMs: 0, retentionDays: 0 },
    });
    const deletion = aDeletion({ collectionId: collection, requestedAt: 10, similarityThreshold: 0 });
    const north = await deps.embedder.embed(deletion.intent, 'background');
    const matching = vectors.filter((vector) => cosine(vector, north) >= 0).length;

    expect((await api.deleteByIntent(deletion, {})).deletedCount).toBe(matching);
    expect((await store.pageHeads(collection, { limit: rows })).length).toBe(rows - matching);
  });

  it('keeps its index if another is configured later', async () => {
    const other = await under.open({ config: { shards: 1, vectorIndex: vectorIndex === 'HNSW' ? 'FLAT' : 'HNSW' } });
    await other.close();
    const { index_descriptions: indexes } = await withClient((client, shard) =>
      client.describeIndex({ collection_name: shard }),
    );
    const params = indexes.find(({ field_name: field }) => field === 'vector')?.params;
    expect(params).toContainEqual({ key: 'index_type', value: vectorIndex });
  });

  async function withClient<Answer>(ask: (client: MilvusClient, shard: string) => Promise<Answer>): Promise<Answer> {
    const client = new MilvusClient({ address: under.milvus.address, logLevel: 'error', timeout: 60_000 });
    try {
      const { data } = await client.showCollections();
      return await ask(client, data.find(({ name }) => name.endsWith('__0of1'))?.name ?? '');
    } finally {
      await client.closeConnection();
    }
  }
});

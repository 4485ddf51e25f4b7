import { createIndexer, type Row, type VectorStore } from '@whetstone/indexer';
import { aCollection, aDeletion, aRow, createDirectionEmbedder } from '@whetstone/indexer/conformance';
import { createLogger, createSystemClock, Registry } from '@whetstone/platform';

import { type MilvusUnderTest, startMilvusUnderTest } from './milvus-store.js';

const logger = createLogger({ service: 'test', level: 'silent', pretty: false });
const embedder = createDirectionEmbedder();
const [small, large] = [aCollection('small'), aCollection('large')];
/** More than a Milvus search can return. */
const many = 17_000;

describe('a large collection on Milvus', () => {
  let under: MilvusUnderTest;
  let store: VectorStore;

  beforeAll(async () => {
    under = await startMilvusUnderTest();
    store = await under.open({ config: { shards: 1 } });
    const north = await embedder.embed('0.9 of north', 'background');
    const east = await embedder.embed('east', 'background');
    await store.createCollection(small);
    await store.upsert(
      small,
      Array.from({ length: 20 }, (_, n) => insight(small, n, north)),
    );
    await store.createCollection(large);
    for (let from = 0; from < many; from += 1_000) {
      const rows = Array.from({ length: 1_000 }, (_, n) =>
        insight(large, from + n, (from + n) % 100 === 0 ? east : north),
      );
      await store.upsert(large, rows);
    }
  });
  afterAll(async () => {
    await store?.close();
    await under?.destroy();
  });

  it('of near-identical insights does not keep a small one beside it from finding all of its own', async () => {
    const vector = await embedder.embed('north', 'background');
    const { byMeaning, byWords } = await store.search(small, { vector, text: 'a lesson', limit: 50 });
    expect([byMeaning.length, byWords.length]).toEqual([20, 20]);
    for (const { id } of [...byMeaning, ...byWords]) expect(id.startsWith(small)).toBe(true);
    const [best] = (await store.search(small, { vector, text: 'number7', limit: 1 })).byWords;
    expect(best?.jobId).toBe('job-7');
  });

  it('loses by intent every match, also more than any search can list, and keeps the rest', async () => {
    const deps = { store, embedder, clock: createSystemClock(), logger, registry: new Registry() };
    const { api } = createIndexer(deps, {
      maxCollectionsPerAccount: 200,
      maxDeletionsPerCollection: 1_000,
      agentTypeBoost: 1,
      consolidation: { intervalMs: 0, settleMs: 0, retentionDays: 0 },
    });
    const deletion = aDeletion({ collectionId: large, requestedAt: 10 });
    const deletedCount = many - many / 100;
    expect(await api.deleteByIntent(deletion, {})).toEqual({ deletedCount, matches: [] });
    expect(await store.pageHeads(large, { limit: 1_000 })).toHaveLength(many / 100);
    expect(await store.pageHeads(small, { limit: 1_000 })).toHaveLength(20);
  });
});

function insight(collectionId: string, n: number, vector: Float32Array): Row {
  return aRow(collectionId, {
    jobId: `job-${n}`,
    vector,
    acceptedAt: 1,
    text: `a lesson number${n % 20} about a task`,
  });
}

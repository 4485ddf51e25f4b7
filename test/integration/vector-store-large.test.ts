import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createIndexer, openLocalVectorStore, type Row, type VectorStore } from '@whetstone/indexer';
import {
  aCollection,
  aDeletion,
  aRow,
  byMeaning,
  byWords,
  conformanceModel,
  createDirectionEmbedder,
} from '@whetstone/indexer/conformance';
import { createLogger, createSystemClock, Registry } from '@whetstone/platform';

const logger = createLogger({ service: 'test', level: 'silent', pretty: false });
const minutes = 60_000;

describe('a large collection', () => {
  let folder: string;
  let store: VectorStore;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whetstone-vectors-'));
    store = await openLocalVectorStore({ path: join(folder, 'knowledge.db'), model: conformanceModel, logger });
  });
  afterAll(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  it(
    'of 100,000 near-identical insights does not keep a small one from finding all of its own',
    async () => {
      const [small, large] = [aCollection('small'), aCollection('large')];
      const own = Array.from({ length: 20 }, (_, n) => insight(small, n, 0));
      await fill(store, small, own);
      await fill(
        store,
        large,
        sequence(100_000, (n) => insight(large, n % 20, n + 1)),
      );

      for (const { vector, text, id } of own) {
        const [near] = await byMeaning(store, small, vector, 5);
        const [sharing] = await byWords(store, small, text, 5);
        expect([near?.id, sharing?.id]).toEqual([id, id]);
      }
      const everything = await byMeaning(store, small, own[0]?.vector ?? new Float32Array(), 1_000);
      expect(everything.map(({ id }) => id.startsWith(`${small}/`))).toEqual(own.map(() => true));
    },
    5 * minutes,
  );

  it(
    'loses by intent every match, also more than any search can list, and keeps the rest',
    async () => {
      const collectionId = aCollection('many');
      const embedder = createDirectionEmbedder();
      const [near, far] = [
        await embedder.embed('0.9 of north', 'background'),
        await embedder.embed('east', 'background'),
      ];
      await fill(
        store,
        collectionId,
        sequence(21_000, (n) =>
          aRow(collectionId, { jobId: `job-${n}`, vector: n % 21 === 0 ? far : near, acceptedAt: 1 }),
        ),
      );
      const deps = { store, embedder, clock: createSystemClock(), logger, registry: new Registry() };
      const { api } = createIndexer(deps, {
        maxCollectionsPerAccount: 200,
        maxDeletionsPerCollection: 1_000,
        agentTypeBoost: 1,
        consolidation: { intervalMs: 0, settleMs: 0, retentionDays: 0 },
      });

      const dry = await api.deleteByIntent(aDeletion({ collectionId, dryRun: true }), {});
      expect([dry.deletedCount, dry.matches.length]).toEqual([20_000, 20]);
      expect(await api.deleteByIntent(aDeletion({ collectionId }), {})).toEqual({ deletedCount: 20_000, matches: [] });
      expect(await byMeaning(store, collectionId, near, 100)).toHaveLength(100);
      expect((await byMeaning(store, collectionId, near, 1))[0]?.similarity).toBeCloseTo(0, 5);
      expect((await store.page(collectionId, { limit: 2_000 })).length).toBe(1_000);
    },
    5 * minutes,
  );
});

function insight(collectionId: string, kind: number, noise: number): Row {
  const vector = new Float32Array(conformanceModel.dimension);
  vector[kind] = 1;
  vector[kind + 1] = noise * 1e-9;
  return aRow(collectionId, { jobId: `job-${noise}-${kind}`, vector, text: `lesson number${kind} about a task` });
}

function* sequence(count: number, make: (n: number) => Row): Generator<Row> {
  for (let n = 0; n < count; n++) yield make(n);
}

async function fill(store: VectorStore, collectionId: string, rows: Iterable<Row>): Promise<void> {
  await store.createCollection(collectionId);
  let batch: Row[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < 2_000) continue;
    await store.upsert(collectionId, batch);
    batch = [];
  }
  await store.upsert(collectionId, batch);
}

import { AppError, type Clock, createLogger, createSystemClock, loadConfig, Registry } from '@whetstone/platform';

import { openLocalVectorStore } from './adapters/local-vector-store/local-vector-store.js';
import {
  aCollection,
  aDeletion,
  aReplacement,
  aVector,
  conformanceModel,
  createDirectionEmbedder,
} from './conformance/samples.js';
import { createIndexer } from './create-indexer.js';
import type { Embedder, VectorStore } from './domain/ports.js';
import { indexerConfigOf, indexerConfigSchema } from './indexer-config.js';
import { temporaryFolder } from './test-kit/temporary-folder.js';

const logger = createLogger({ service: 'test', level: 'silent', pretty: false });
const day = 24 * 60 * 60 * 1_000_000;

describe('the indexer', () => {
  it('stores, finds, deletes, and reports metrics', async () => {
    const { indexer, registry, close } = await setUp();
    await indexer.start();
    expect(indexer.health()).toMatchObject({ live: true, ready: true });
    const { search, replace, deleteByIntent } = indexer.api;
    const collectionId = aCollection('default');
    const found = async () => (await search({ collectionId, text: 'north', limit: 5 }, {})).hits.length;

    expect(await replace(aReplacement(), {})).toMatchObject({ outcome: 'stored', insightsStored: 2 });
    expect(await found()).toBe(2);
    const metrics = await registry.metrics();
    expect(metrics).toContain('whetstone_rows 3');
    expect(metrics).toContain('whetstone_collections 1');
    expect(metrics).toContain('whetstone_vector_operation_duration_seconds_count{operation="search"} 1');
    expect(metrics).toContain('whetstone_vector_operation_failures_total{operation="search"} 0');
    expect(metrics).toContain('whetstone_embedding_duration_seconds_count 2');
    expect(await deleteByIntent(aDeletion(), {})).toEqual({ deletedCount: 2, matches: [] });
    expect(await found()).toBe(0);
    await close();
  });

  it('expires deletion markers after forty days', async () => {
    const { indexer, store, clock, close } = await setUp();
    const marker = { collectionId: aCollection('m'), intent: 'x', vector: aVector(1), threshold: 0.5 };
    const now = clock.now();
    await store.addMarker({ ...marker, deletedAt: now - 41 * day });
    await store.addMarker({ ...marker, deletedAt: now - 39 * day });
    await indexer.start();
    const left = async () => (await store.markers(marker.collectionId, 0)).map(({ deletedAt }) => deletedAt);
    while ((await left()).length > 1) await new Promise(setImmediate);
    expect(await left()).toEqual([now - 39 * day]);
    await close();
  });

  it('keeps uploads after a deletion that was made while the clock was thirty days ahead', async () => {
    const { indexer, store, clock, close, restarted } = await setUp();
    const now = clock.now();
    const ahead = restarted({ now: () => now + 30 * day });
    await ahead.start();
    await ahead.api.deleteByIntent(aDeletion({ requestedAt: now + 30 * day }), {});
    await ahead.stop();

    await indexer.start();

    const { collectionId } = aDeletion();
    const [marker] = await store.markers(collectionId, 0);
    expect(marker?.deletedAt).toBeLessThan(clock.now());
    const upload = (jobId: string, acceptedAt: number) => indexer.api.replace(aReplacement({ jobId, acceptedAt }), {});
    expect(await upload('before', now)).toMatchObject({ outcome: 'deleted' });
    expect(await upload('after', clock.now())).toMatchObject({ outcome: 'stored' });
    await close();
  });

  it('reports an unavailable store and stays ready', async () => {
    const { indexer, registry, store, close } = await setUp();
    await indexer.start();
    await store.close();
    await expect(indexer.api.search({ collectionId: aCollection('x'), text: 'x', limit: 1 }, {})).rejects.toMatchObject(
      {
        code: 'store_unavailable',
      },
    );
    const metrics = await registry.metrics();
    expect(metrics).toContain('whetstone_rows Nan');
    expect(metrics).toContain('whetstone_vector_operation_failures_total{operation="search"} 1');
    const dependencies = [
      { name: 'vector store', ok: false },
      { name: 'embedder', ok: true },
    ];
    expect(indexer.health()).toEqual({ live: true, ready: true, dependencies });
    await close();
  });

  it('exports other metrics while the store hangs, and asks for its size once', async () => {
    let asked = 0;
    const stats = () => {
      asked++;
      return new Promise<never>(() => {});
    };
    const { registry, close } = await setUp({ stats });

    const metrics = await registry.metrics();

    expect(metrics).toContain('whetstone_rows Nan');
    expect(metrics).toContain('whetstone_embedding_duration_seconds_count 0');
    expect(asked).toBe(1);
    await close();
  });

  it('caches the store size across scrapes, and retries after a failure', async () => {
    let asked = 0;
    const stats = async () => {
      if (asked++ === 0) throw new AppError('store_unavailable', 'away', { retryable: true });
      return { rows: 7, collections: 1 };
    };
    const { registry, close } = await setUp({ stats });

    expect(await registry.metrics()).toContain('whetstone_rows Nan');
    for (let scrape = 0; scrape < 3; scrape++) expect(await registry.metrics()).toContain('whetstone_rows 7');
    expect(asked).toBe(2);
    await close();
  });

  it('counts failed embeddings', async () => {
    const { indexer, registry, close } = await setUp({}, () => Promise.reject(new AppError('internal', 'broken')));
    await indexer.start();

    await expect(indexer.api.search({ collectionId: aCollection('x'), text: 'x', limit: 1 }, {})).rejects.toThrow();

    expect(await registry.metrics()).toContain('whetstone_embedding_failures_total 1');
    await close();
  });

  it('finishes pending work before it stops', async () => {
    const { indexer, close } = await setUp();
    await indexer.start();
    let done = false;
    void indexer.api.replace(aReplacement(), {}).then(() => {
      done = true;
    });
    await indexer.stop();
    expect(done).toBe(true);
    expect(indexer.health().ready).toBe(false);
    await close();
  });
});

async function setUp(instead: Partial<VectorStore> = {}, embed?: Embedder['embed']) {
  const folder = await temporaryFolder();
  const store = await openLocalVectorStore({ path: folder.path('knowledge.db'), model: conformanceModel, logger });
  const [registry, clock] = [new Registry(), createSystemClock()];
  const config = indexerConfigOf(loadConfig(indexerConfigSchema, {}));
  const embedder = { ...createDirectionEmbedder(), ...(embed ? { embed } : {}) };
  const indexer = createIndexer({ store: { ...store, ...instead }, embedder, clock, logger, registry }, config);
  /** Another process on the same store, with its own clock. */
  const restarted = (other: Clock) =>
    createIndexer({ store, embedder, clock: other, logger, registry: new Registry() }, config);
  const close = async () => {
    await indexer.stop();
    await store.close();
    await folder.remove();
  };
  return { indexer, store, registry, clock, close, restarted };
}

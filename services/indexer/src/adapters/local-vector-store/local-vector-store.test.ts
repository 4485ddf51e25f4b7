import { DatabaseSync } from '@photostructure/sqlite';
import { createLogger } from '@whetstone/platform';
import { createRecordingLogger } from '@whetstone/platform/test-kit';

import { describeVectorStore } from '../../conformance/index.js';
import { aCollection, aName, aRow, aVector, byMeaning, byWords, conformanceModel } from '../../conformance/samples.js';
import type { FoundInsights, VectorStore } from '../../domain/ports.js';
import { type TemporaryFolder, temporaryFolder } from '../../test-kit/temporary-folder.js';
import { type LocalVectorStoreOptions, openLocalVectorStore } from './local-vector-store.js';

const logger = createLogger({ service: 'test', level: 'silent', pretty: false });

function open(folder: TemporaryFolder, given: Partial<LocalVectorStoreOptions> = {}) {
  return openLocalVectorStore({ path: folder.path('knowledge.db'), model: conformanceModel, logger, ...given });
}

describeVectorStore(
  'the local vector store',
  async () => {
    const folder = await temporaryFolder();
    return { open: () => open(folder), destroy: () => folder.remove() };
  },
  { interleavings: 20 },
);

describeVectorStore(
  'the local vector store without memory for its indexes',
  async () => {
    const folder = await temporaryFolder();
    return { open: () => open(folder, { cacheBytes: 0 }), destroy: () => folder.remove() };
  },
  { interleavings: 8 },
);

describe('two processes on one file', () => {
  let folder: TemporaryFolder;
  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterAll(() => folder.remove());

  it('see what the other wrote, replaced and deleted', async () => {
    const [server, importer] = [await open(folder), await open(folder)];
    const collection = aCollection('shared');
    const found = async () => (await byMeaning(server, collection, aVector(1), 10)).map(({ jobId }) => jobId).sort();
    await importer.createCollection(collection);
    expect(await found()).toEqual([]);
    await importer.upsert(
      collection,
      ['a', 'b'].map((jobId) => aRow(collection, { jobId })),
    );
    expect(await found()).toEqual(['a', 'b']);
    await server.upsert(collection, [aRow(collection, { jobId: 'c' })]);
    await importer.upsert(collection, [aRow(collection, { jobId: 'd', text: 'unheard of' })]);
    expect(await found()).toEqual(['a', 'b', 'c', 'd']);
    expect(await byWords(server, collection, 'unheard', 10)).toHaveLength(1);
    await importer.deleteRows(collection, [aRow(collection, { jobId: 'a' }).id]);
    await server.upsert(collection, [aRow(collection, { jobId: 'e' })]);
    expect(await found()).toEqual(['b', 'c', 'd', 'e']);
    await server.close();
    await importer.close();
  });

  it('do not mistake a collection that was removed and created again for the former one', async () => {
    const [server, other] = [await open(folder), await open(folder)];
    const collection = aCollection('reborn');
    const fill = async (jobId: string) => {
      await other.createCollection(collection);
      await other.upsert(collection, [aRow(collection, { jobId })]);
    };
    const found = async () => (await byMeaning(server, collection, aVector(1), 10)).map(({ jobId }) => jobId);
    await fill('former');
    expect(await found()).toEqual(['former']);
    await other.removeIfEmpty(collection);
    expect(await found()).toEqual(['former']);
    await other.deleteRows(collection, [aRow(collection, { jobId: 'former' }).id]);
    await other.removeIfEmpty(collection);
    expect(await other.hasCollection(collection)).toBe(false);
    await fill('new');
    expect(await found()).toEqual(['new']);
    await server.close();
    await other.close();
  });

  it('are rejected with different models and told what to do', async () => {
    const store = await open(folder);
    const other = { name: 'another-model', dimension: 32 };
    await expect(open(folder, { model: other })).rejects.toMatchObject({
      code: 'model_mismatch',
      message: expect.stringMatching(/conformance \(32 dimensions\).*another-model \(32\).*knowledge export/),
    });
    await expect(open(folder, { model: { ...conformanceModel, dimension: 16 } })).rejects.toMatchObject({
      code: 'model_mismatch',
    });
    await store.close();
  });
});

describe('the local vector store', () => {
  it('opens a file from before there were names and leases', async () => {
    const folder = await temporaryFolder();
    const [collection, name] = [aCollection('old'), aName('new')];
    const former = await open(folder);
    await former.createCollection(collection);
    await former.upsert(collection, [aRow(collection)]);
    await former.close();
    const db = new DatabaseSync(folder.path('knowledge.db'));
    db.exec('DROP TABLE names; DROP TABLE leases');
    db.close();

    const store = await open(folder);
    expect(await store.listLeases()).toEqual([]);
    await store.upsert(collection, [aRow(collection, { jobId: 'new', name })]);
    expect((await store.page(collection, { limit: 10 })).map((row) => row.name)).toEqual(['', name]);
    expect(await byMeaning(store, collection, aVector(1), 10)).toHaveLength(2);
    await store.close();
    await folder.remove();
  });

  it('rejects malformed rows without failing concurrent writes', async () => {
    const folder = await temporaryFolder();
    const store = await open(folder);
    const [collection, other] = [aCollection('one'), aCollection('two')];
    await store.createCollection(collection);
    const outcomes = await Promise.allSettled([
      store.upsert(collection, [
        aRow(collection, { jobId: 'good' }),
        aRow(collection, { vector: new Float32Array(3) }),
      ]),
      store.upsert(collection, [aRow(collection, { jobId: 'fine' })]),
      store.upsert(collection, [aRow(other)]),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected']);
    expect((await store.page(collection, { limit: 10 })).map(({ jobId }) => jobId)).toEqual(['fine']);
    expect(await byMeaning(store, collection, aVector(1), 10)).toHaveLength(1);
    await store.close();
    await expect(store.stats()).rejects.toMatchObject({ code: 'store_unavailable' });
    await folder.remove();
  });

  it.each([1 << 20, 0])(
    'omits insights deleted while the vector is pending, with %d bytes of memory',
    async (bytes) => {
      const folder = await temporaryFolder();
      const store = await open(folder, { cacheBytes: bytes });
      const collection = aCollection('going');
      const [gone, stays] = ['gone', 'stays'].map((jobId) => aRow(collection, { jobId, text: 'whales' }));
      await store.createCollection(collection);
      await store.upsert(collection, [gone!, stays!]);
      let come: (vector: Float32Array) => void = () => undefined;
      const vector = new Promise<Float32Array>((resolve) => (come = resolve));

      const searched = store.search(collection, { vector, text: 'whales', limit: 5 });
      await store.deleteRows(collection, [gone!.id]);
      come(aVector(1));

      const { byMeaning: near, byWords: sharing } = await searched;
      expect([near, sharing].map((list) => list.map(({ jobId }) => jobId))).toEqual([['stays'], ['stays']]);
      await store.close();
      await folder.remove();
    },
  );

  it('finds the same with memory for all of a collection, for its vectors as integers only, and for nothing', async () => {
    const folder = await temporaryFolder();
    const collection = aCollection('whole');
    const count = 300;
    const rows = Array.from({ length: count }, (_, n) =>
      aRow(collection, { jobId: `job-${n}`, vector: aVector(n / count), text: `whales of sea ${n % 7}` }),
    );
    const bytesOf = (perInsight: number) => count * (perInsight + 192 + 8 * 4);
    const { dimension } = conformanceModel;
    const integersOnly = bytesOf(Math.ceil(dimension / 32) * 32 + 4);
    const answers: unknown[] = [];
    for (const cacheBytes of [1 << 20, integersOnly, 0]) {
      const { logger, lines } = createRecordingLogger();
      const store = await open(folder, { cacheBytes, logger });
      await store.createCollection(collection);
      await store.upsert(collection, rows);
      const found = await Promise.all(
        [0.1, 0.4, 0.9].map((towards) =>
          store.search(collection, { vector: Promise.resolve(aVector(towards)), text: 'sea 3', limit: 20 }),
        ),
      );
      const ids = ({ byMeaning: near, byWords: sharing }: FoundInsights) =>
        [near, sharing].map((list) => list.map(({ id, similarity }) => [id, similarity.toFixed(9)]));
      answers.push(found.map(ids));
      expect(lines().filter(({ msg }) => String(msg).includes('on disk'))).toHaveLength(cacheBytes === 0 ? 1 : 0);
      await store.close();
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    await folder.remove();
  });

  describe('while a large collection is read in', () => {
    const [large, other, small] = [aCollection('large'), aCollection('other'), aCollection('small')];
    const rowsOf = (collection: string, count: number, from = 0) =>
      Array.from({ length: count }, (_, n) =>
        aRow(collection, { jobId: `job-${from + n}`, vector: aVector(((from + n) % 997) / 997), text: `whale ${n}` }),
      );
    const search = (store: VectorStore, collection: string) =>
      store.search(collection, { vector: Promise.resolve(aVector(0.3)), text: 'whale 7', limit: 50 });
    let folder: TemporaryFolder;
    beforeEach(async () => {
      folder = await temporaryFolder();
      const store = await open(folder);
      for (const [collection, count] of [
        [large, 20_000],
        [other, 20_000],
        [small, 20],
      ] as const) {
        await store.createCollection(collection);
        await store.upsert(collection, rowsOf(collection, count));
      }
      await store.close();
    });
    afterEach(() => folder.remove());

    it('searches others', async () => {
      const store = await open(folder);
      const order: string[] = [];
      const searched = [large, other, small].map((collection) =>
        search(store, collection).then(() => order.push(collection)),
      );
      await Promise.all(searched);
      expect(order).toEqual([small, large, other]);
      await store.close();
    });

    it('searches others while one that does not fit in memory is searched on disk', async () => {
      const store = await open(folder, { cacheBytes: 100_000 });
      const order: string[] = [];
      await Promise.all(
        [large, small].map((collection) => search(store, collection).then(() => order.push(collection))),
      );
      expect(order).toEqual([small, large]);
      await store.close();
    });

    it('reads in one after the other where there is room for one only', async () => {
      const store = await open(folder, { cacheBytes: 10 << 20 });
      const found = await Promise.all([large, other, large, other].map((collection) => search(store, collection)));
      for (const { byMeaning: near } of found) expect(near).toHaveLength(50);
      await store.close();
    });

    it('takes account of what is added and removed', async () => {
      const store = await open(folder);
      const first = search(store, large);
      const gone = rowsOf(large, 20_000).filter((_, n) => n % 3 === 0);
      for (let from = 0; from < gone.length; from += 500) {
        await store.deleteRows(
          large,
          gone.slice(from, from + 500).map(({ id }) => id),
        );
        await store.upsert(large, rowsOf(large, 50, 20_000 + from));
      }
      await first;
      const found = await search(store, large);
      await store.close();
      const fresh = await open(folder);
      expect(await search(fresh, large)).toEqual(found);
      await fresh.close();
    });
  });

  it('evicts unused collections and returns the same results when they are loaded again', async () => {
    const folder = await temporaryFolder();
    const rowsEach = 400;
    const store = await open(folder, { cacheBytes: 400_000 });
    const collections = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => aCollection(name));
    for (const collection of collections) {
      await store.createCollection(collection);
      const rows = Array.from({ length: rowsEach }, (_, n) =>
        aRow(collection, { jobId: `job-${n}`, vector: aVector(n / rowsEach) }),
      );
      await store.upsert(collection, rows);
    }
    for (let round = 0; round < 3; round++) {
      for (const collection of collections) {
        const [best] = await byMeaning(store, collection, aVector(1), 1);
        expect(best?.id).toBe(aRow(collection, { jobId: `job-${rowsEach - 1}` }).id);
      }
    }
    await store.close();
    await folder.remove();
  });
});

import { aCollection, aRow, aVector } from './sample-rows.js';
import { byMeaning, byWords } from './search-one-way.js';
import type { OpenStore } from './vector-store-harness.js';

export function describeCollections(opened: OpenStore): void {
  describe('collections', () => {
    it('exist once they were created, however often that is', async () => {
      const { store } = opened;
      const collection = aCollection('created');
      expect(await store.hasCollection(collection)).toBe(false);
      await Promise.all([store.createCollection(collection), store.createCollection(collection)]);
      await store.createCollection(collection);
      expect(await store.hasCollection(collection)).toBe(true);
      expect((await store.listCollections()).filter((id) => id === collection)).toEqual([collection]);
    });

    it('are counted by the account that their ids begin with', async () => {
      const { store } = opened;
      const ofAccount = [1, 2, 3].map((n) => aCollection(`counted-${n}`, 'counted'));
      for (const collection of ofAccount) await store.createCollection(collection);
      await store.createCollection(aCollection('counted', 'counter'));
      expect(await store.countCollections((ofAccount[0] as string).slice(0, 18))).toBe(3);
    });

    it('are not created by reading, searching, deleting or a deletion marker', async () => {
      const { store } = opened;
      const collection = aCollection('never');
      expect(await store.rowsOfJob(collection, 'job')).toEqual([]);
      expect(await store.page(collection, { limit: 10 })).toEqual([]);
      expect(await store.pageHeads(collection, { limit: 10 })).toEqual([]);
      expect(await byMeaning(store, collection, aVector(1), 10)).toEqual([]);
      expect(await byWords(store, collection, 'some words', 10)).toEqual([]);
      await store.deleteRows(collection, [aRow(collection).id]);
      await store.addMarker({
        collectionId: collection,
        intent: 'x',
        vector: aVector(1),
        threshold: 0.5,
        deletedAt: 1,
      });
      expect(await store.markers(collection)).toHaveLength(1);
      expect(await store.hasCollection(collection)).toBe(false);
    });

    it('are not created by writing rows either: that is refused', async () => {
      const { store } = opened;
      const collection = aCollection('unwritten');
      await expect(store.upsert(collection, [aRow(collection)])).rejects.toMatchObject({ name: 'AppError' });
      expect(await store.hasCollection(collection)).toBe(false);
    });

    it('are counted with their rows in the statistics', async () => {
      const { store } = opened;
      const collection = aCollection('statistics');
      const before = await store.stats();
      await store.createCollection(collection);
      await store.upsert(collection, [aRow(collection), aRow(collection, { ordinal: 0, type: 'run' })]);
      const { rows, collections } = await store.stats();
      expect([rows - before.rows, collections - before.collections]).toEqual([2, 1]);
    });
  });
}

import type { Lease } from '../domain/ports.js';
import { aCollection, aVector, type OpenStore } from './samples.js';

export function describeLeases(opened: OpenStore): void {
  const aLease = (collection: string, holder: string, expiresAt = 100): Lease => {
    return { collectionId: aCollection(collection, 'leases'), holder, expiresAt };
  };
  const listed = async (collection: string) => {
    const { collectionId } = aLease(collection, '');
    return (await opened.store.listLeases()).filter((lease) => lease.collectionId === collectionId);
  };

  describe('a lease', () => {
    it('has one holder, until it is released', async () => {
      const { store } = opened;
      const [mine, theirs] = [aLease('held', 'm'), aLease('held', 'a')];
      expect(await store.acquireLease(mine, 10)).toBe(true);
      for (const holder of ['a', 'z']) expect(await store.acquireLease(aLease('held', holder), 99)).toBe(false);
      expect(await store.acquireLease(aLease('held elsewhere', 'a'), 10)).toBe(true);
      await store.releaseLease(theirs);
      expect(await listed('held')).toEqual([mine]);
      await store.releaseLease(mine);
      expect(await listed('held')).toEqual([]);
      expect(await store.acquireLease(theirs, 10)).toBe(true);
      expect(await listed('held')).toEqual([theirs]);
    });

    it('is extended by its holder', async () => {
      const { store } = opened;
      await store.acquireLease(aLease('extended', 'm'), 10);
      expect(await store.acquireLease(aLease('extended', 'm', 200), 90)).toBe(true);
      expect(await store.acquireLease(aLease('extended', 'a', 300), 150)).toBe(false);
      expect(await listed('extended')).toEqual([aLease('extended', 'm', 200)]);
    });

    it('expires, is listed nevertheless, and can then be taken by anyone', async () => {
      const { store } = opened;
      const end = 1_762_345_678_901_234;
      await store.acquireLease(aLease('expired', 'm', end), 10);
      expect(await store.acquireLease(aLease('expired', 'z', end + 10), end - 1)).toBe(false);
      expect(await listed('expired')).toEqual([aLease('expired', 'm', end)]);
      expect(await store.acquireLease(aLease('expired', 'z', end + 10), end)).toBe(true);
      expect(await listed('expired')).toEqual([aLease('expired', 'z', end + 10)]);
      expect(await store.acquireLease(aLease('expired', 'm', end + 20), end + 1)).toBe(false);
    });

    it('has one holder if many ask at the same time', async () => {
      const { store } = opened;
      for (let round = 0; round < 5; round++) {
        const rivals = ['a', 'b', 'c'].map((holder) => aLease(`contended ${round}`, holder));
        const taken = await Promise.all(rivals.map((lease) => store.acquireLease(lease, 10)));
        expect(taken.filter(Boolean)).toHaveLength(1);
        expect(await listed(`contended ${round}`)).toEqual([rivals[taken.indexOf(true)]]);
      }
    });

    it('survives reopening, and is no marker', async () => {
      const before = await opened.store.listMarkers(0);
      const lease = aLease('kept', 'holder-1.a:b', 50);
      const { collectionId } = lease;
      await opened.store.acquireLease(lease, 10);
      const store = await opened.reopen();
      expect(await listed('kept')).toEqual([lease]);
      expect(await store.markers(collectionId, 0)).toEqual([]);
      expect(await store.markerHeads(collectionId)).toEqual([]);
      expect(await store.countMarkers(collectionId)).toBe(0);
      expect(await store.listMarkers(0)).toHaveLength(before.length);
      expect(await store.hasCollection(collectionId)).toBe(false);
      // Before every other marker, so that no other test loses one.
      const marker = { collectionId, intent: 'x', vector: aVector(1), threshold: 1 };
      await store.addMarker({ ...marker, deletedAt: -1_000 });
      await store.acquireLease({ ...lease, expiresAt: -1_000 }, -2_000);
      await store.expireMarkers(-500);
      expect(await store.markers(collectionId, -5_000)).toEqual([]);
      expect(await listed('kept')).toHaveLength(1);
    });
  });
}

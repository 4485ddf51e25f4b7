import { randomNumbers } from '@whetstone/platform/test-kit';

import { createDeleteByIntent } from '../domain/delete-by-intent.js';
import { createEraseCollection } from '../domain/erase-collection.js';
import { redateMarkers } from '../domain/markers.js';
import type { DeletionMarker, VectorStore } from '../domain/ports.js';
import { createReplace } from '../domain/replace.js';
import { type Actor, interleave } from './interleave.js';
import {
  aCollection,
  aDeletion,
  aReplacement,
  aVector,
  type ConformanceOptions,
  conformanceClock as clock,
  createDirectionEmbedder,
  generousLimits,
  type OpenStore,
} from './samples.js';

const embedder = createDirectionEmbedder();
const day = 24 * 60 * 60 * 1_000_000;

export function describeMarkers(opened: OpenStore): void {
  const aMarker = (collectionId: string, given: Partial<DeletionMarker> = {}): DeletionMarker => ({
    collectionId,
    intent: 'x',
    vector: aVector(1),
    threshold: 0.5,
    deletedAt: 1,
    ...given,
  });
  const times = async (collectionId: string, from = 0) =>
    (await opened.store.markers(collectionId, from)).map(({ deletedAt }) => deletedAt);

  describe('markers', () => {
    it('survive the round trip, each once, in order of time, from a time on', async () => {
      const { store } = opened;
      const collectionId = aCollection('markers');
      const markers = [
        aMarker(collectionId, { intent: 'Ünïcode\n漢字 🦜\0', threshold: 1 / 3, deletedAt: 1_762_345_678_901_234 }),
        aMarker(collectionId, { threshold: -1, intent: '', vector: aVector(0.25), deletedAt: 3 }),
        aMarker(collectionId, { threshold: 0.1 + 0.2, deletedAt: 4 }),
      ];
      for (const marker of [...markers, ...markers]) await store.addMarker(marker);
      const plain = (found: DeletionMarker[]) => found.map((marker) => ({ ...marker, vector: [...marker.vector] }));
      expect(plain(await store.markers(collectionId, 0))).toEqual(
        plain([markers[1], markers[2], markers[0]] as DeletionMarker[]),
      );
      expect(await times(collectionId, 4)).toEqual([4, 1_762_345_678_901_234]);
      expect((await store.listMarkers(1_762_345_678_901_234)).map((marker) => marker.collectionId)).toEqual([
        collectionId,
      ]);
      await store.removeMarkers(markers);
      expect(await times(collectionId)).toEqual([]);
    });

    it('are removed one by one, and counted by prefix', async () => {
      const { store } = opened;
      const [one, two] = [aCollection('removed-1', 'remover'), aCollection('removed-2', 'remover')];
      const markers = [1, 2, 3].map((deletedAt) => aMarker(one, { deletedAt }));
      for (const marker of [...markers, aMarker(two), aMarker(aCollection('x', 'removes'))])
        await store.addMarker(marker);
      expect(await store.countMarkers(one.slice(0, 18))).toBe(4);
      const unknown = aMarker(one, { threshold: 0.4 });
      const heads = (await store.markerHeads(one)).toSorted((a, b) => a.deletedAt - b.deletedAt);
      expect(heads).toEqual(markers.map(({ vector, ...head }) => head));
      await store.removeMarkers([...heads.slice(0, 2), unknown]);
      expect(await times(one)).toEqual([3]);
      expect(await times(two)).toEqual([1]);
    });
  });

  describe('a deletion', () => {
    const deleteByIntent = (given: Parameters<typeof aDeletion>[0], limit = Number.POSITIVE_INFINITY) =>
      createDeleteByIntent({ store: opened.store, embedder, clock }, { maxDeletionsPerCollection: limit })(
        aDeletion(given),
        {},
      );

    it('replaces earlier ones of the same intent unless they reach further', async () => {
      const collectionId = aCollection('merged');
      const thresholds = [0.5, 0.9, 0.5, 0.7, 0.8];
      for (const [n, similarityThreshold] of thresholds.entries()) {
        await deleteByIntent({ collectionId, similarityThreshold, requestedAt: 10 * (n + 1) });
      }
      await deleteByIntent({ collectionId, intent: 'east', requestedAt: 60 });
      await deleteByIntent({ collectionId, requestedAt: 25 });
      expect(await times(collectionId)).toEqual([25, 30, 40, 50, 60]);
    });

    it('costs an upload nothing that is accepted later: it reads only what can cover it', async () => {
      const { store } = opened;
      const collectionId = aCollection('unread');
      for (let n = 0; n < 50; n++) await store.addMarker(aMarker(collectionId, { intent: `${n}`, deletedAt: n }));
      const read: number[] = [];
      const counting: VectorStore = {
        ...store,
        async markers(id, from) {
          const found = await store.markers(id, from);
          read.push(found.length);
          return found;
        },
      };
      const replace = createReplace({ store: counting, embedder, clock }, generousLimits);
      for (const [jobId, acceptedAt] of [
        ['first', 100],
        ['later', 50],
        ['earlier', 47],
      ] as const) {
        await replace(aReplacement({ collectionId, jobId, acceptedAt }), {});
      }
      // Each looks before it writes and afterwards; the first also before it creates the collection.
      expect(read).toEqual([0, 0, 0, 0, 0, 3, 3]);
    });

    it('beyond the limit of its collection is refused and deletes nothing, but may replace one', async () => {
      const { store } = opened;
      const collectionId = aCollection('limited', 'limits');
      await createReplace({ store, embedder, clock }, generousLimits)(aReplacement({ collectionId }), {});
      for (const n of [1, 2]) await deleteByIntent({ collectionId, intent: `intent ${n}`, requestedAt: n }, 2);
      await expect(deleteByIntent({ collectionId, requestedAt: 3 }, 2)).rejects.toMatchObject({
        code: 'too_many_deletions',
        message: expect.stringContaining('remembers 2 deletions'),
      });
      expect(await deleteByIntent({ collectionId, dryRun: true }, 2)).toMatchObject({ deletedCount: 2 });
      await deleteByIntent({ collectionId, intent: 'intent 2', requestedAt: 4 }, 2);
      expect(await times(collectionId)).toEqual([1, 4]);
    });

    it('beyond the limit of its account is refused, but not one of another account', async () => {
      const limit = 1;
      for (let n = 0; n < 10; n++) await deleteByIntent({ collectionId: aCollection(`full ${n}`, 'full') }, limit);
      await expect(deleteByIntent({ collectionId: aCollection('one more', 'full') }, limit)).rejects.toMatchObject({
        code: 'too_many_deletions',
      });
      const erase = createEraseCollection(
        { store: opened.store, embedder, clock },
        { maxDeletionsPerCollection: limit },
      );
      await expect(erase({ collectionId: aCollection('none', 'full'), requestedAt: 9 }, {})).rejects.toMatchObject({
        code: 'too_many_deletions',
      });
      const existing = await opened.create('existing', 'full');
      expect(await erase({ collectionId: existing, requestedAt: 9 }, {})).toEqual({ deletedCount: 0 });
      await deleteByIntent({ collectionId: aCollection('one more', 'empty') }, limit);
    });
  });

  describe('a clock that was ahead and is set back', () => {
    const replace = (given: Parameters<typeof aReplacement>[0]) =>
      createReplace({ store: opened.store, embedder, clock }, generousLimits)(aReplacement(given), {});

    it('leaves deletions that cover what was accepted until then, and nothing later', async () => {
      const { store } = opened;
      const collectionId = aCollection('ahead');
      await store.addMarker(
        aMarker(collectionId, {
          intent: 'north',
          vector: await embedder.embed('north', 'background'),
          deletedAt: 30 * day,
        }),
      );
      await store.addMarker(aMarker(collectionId, { deletedAt: day / 2 }));
      expect(await redateMarkers(store, 500)).toBe(1);
      expect(await redateMarkers(store, 600)).toBe(0);
      expect(await times(collectionId)).toEqual([500, day / 2]);
      expect(await replace({ collectionId, jobId: 'before', acceptedAt: 499 })).toMatchObject({ outcome: 'deleted' });
      expect(await replace({ collectionId, jobId: 'after', acceptedAt: 501 })).toMatchObject({ outcome: 'stored' });
    });

    it('does not let a request from a clock that is ahead cover what comes later', async () => {
      const { store } = opened;
      const collectionId = aCollection('ahead-request');
      const deletion = aDeletion({ collectionId, requestedAt: 30 * day });
      await createDeleteByIntent({ store, embedder, clock }, generousLimits)(deletion, {});
      expect(await times(collectionId)).toEqual([clock.now()]);
    });

    it('leaves uploads that count as older than every deletion', async () => {
      const { store } = opened;
      const collectionId = aCollection('ahead-upload');
      await createDeleteByIntent({ store, embedder, clock }, generousLimits)(aDeletion({ collectionId }), {});
      expect(await replace({ collectionId, acceptedAt: 30 * day })).toMatchObject({ outcome: 'deleted' });
      expect(await replace({ collectionId, jobId: 'other', acceptedAt: 30 * day, intent: 'east' })).toMatchObject({
        outcome: 'stored',
      });
    });
  });
}

/** Two deletions of one intent, the later of which replaces the earlier, and uploads before, between and after them. */
export function describeMergingInterleavings(opened: OpenStore, { interleavings }: ConformanceOptions): void {
  let runs = 0;

  async function jobsLeft(choose: (possible: number) => number): Promise<string[]> {
    const { store } = opened;
    const collectionId = aCollection(`merging ${runs++}`, 'interleaved');
    await store.createCollection(collectionId);
    const noVotes = (on: VectorStore): VectorStore => ({ ...on, votesOn: async () => [] });
    const upload =
      (jobId: string, acceptedAt: number, intent = 'north'): Actor<unknown> =>
      (on) =>
        createReplace({ store: noVotes(on), embedder, clock }, generousLimits)(
          aReplacement({ collectionId, jobId, acceptedAt, intent }),
          {},
        );
    const deletion =
      (requestedAt: number): Actor<unknown> =>
      (on) =>
        createDeleteByIntent({ store: noVotes(on), embedder, clock }, generousLimits)(
          aDeletion({ collectionId, requestedAt }),
          {},
        );
    const actors = {
      before: upload('before', 100),
      between: upload('between', 180),
      other: upload('other', 100, 'east'),
      first: deletion(150),
      second: deletion(200),
    };
    await interleave(store, actors, { crash: undefined, choose });
    // Delivered again, long after: what was deleted stays deleted.
    await actors.before(store);
    await actors.between(store);
    await upload('after', 300)(store);
    const rows = await store.page(collectionId, { limit: 100 });
    return [...new Set(rows.map(({ jobId }) => jobId))];
  }

  describe('two deletions of one intent', () => {
    it(
      'delete what both cover and nothing else, in many orders',
      async () => {
        const random = randomNumbers(2028);
        const count = interleavings === 'all' ? 1_000 : Math.min(interleavings, 100);
        for (let n = 0; n < count; n++) {
          expect(await jobsLeft((possible) => Math.floor(random() * possible))).toEqual(['after', 'other']);
        }
      },
      10 * 60_000,
    );
  });
}

import { randomNumbers } from '@whetstone/platform/test-kit';

import { createDeleteByIntent } from '../domain/delete-by-intent.js';
import { createEraseCollection } from '../domain/erase-collection.js';
import type { VectorStore } from '../domain/ports.js';
import { createReplace } from '../domain/replace.js';
import { type Actor, allInterleavings, type Crash, type Interleaving, interleave } from './interleave.js';
import {
  aCollection,
  aDeletion,
  aReplacement,
  type ConformanceOptions,
  conformanceClock as clock,
  createDirectionEmbedder,
  generousLimits,
  type OpenStore,
} from './samples.js';

const embedder = createDirectionEmbedder();
const replaceOn = (store: VectorStore) => createReplace({ store, embedder, clock }, generousLimits);
const eraseOn = (store: VectorStore) => createEraseCollection({ store, embedder, clock }, generousLimits);
const deleteOn = (store: VectorStore) => createDeleteByIntent({ store, embedder, clock }, generousLimits);

async function rowsOf(store: VectorStore, collectionId: string): Promise<string[]> {
  return (await store.page(collectionId, { limit: 1_000 })).map(({ jobId, ordinal }) => `${jobId}/${ordinal}`);
}

export function describeErasing(opened: OpenStore): void {
  describe('erasing a collection', () => {
    const cited = (collectionId: string) => ({
      tokenDigest: 't',
      arm: 'recommended' as const,
      insightIds: [`${collectionId}/one/1/1`],
    });

    it('deletes every row and vote, whatever the intent, and counts insights', async () => {
      const { store } = opened;
      const [collectionId, other] = [aCollection('erased'), aCollection('not-erased')];
      await replaceOn(store)(aReplacement({ collectionId, jobId: 'one' }), {});
      await replaceOn(store)(aReplacement({ collectionId, jobId: 'opposite', intent: '-1 of north' }), {});
      await replaceOn(store)(
        aReplacement({ collectionId, jobId: 'voter', intent: 'east', cited: cited(collectionId) }),
        {},
      );
      await replaceOn(store)(aReplacement({ collectionId: other }), {});
      expect((await rowsOf(store, collectionId)).length).toBe(10);

      expect(await eraseOn(store)({ collectionId, requestedAt: 200 }, {})).toEqual({ deletedCount: 6 });

      expect(await rowsOf(store, collectionId)).toEqual([]);
      expect(await rowsOf(store, other)).toHaveLength(3);
      expect(await eraseOn(store)({ collectionId, requestedAt: 201 }, {})).toEqual({ deletedCount: 0 });
    });

    it('covers what was accepted before it, delivered for the first time or again, and keeps what comes later', async () => {
      const { store } = opened;
      const collectionId = aCollection('erased-before');
      const accepted = (jobId: string, acceptedAt: number, attempt = '1') =>
        replaceOn(store)(aReplacement({ collectionId, jobId, acceptedAt, attempt }), {});
      await accepted('again', 100);
      await accepted('later', 300);

      await eraseOn(store)({ collectionId, requestedAt: 200 }, {});

      expect(await accepted('pending', 200)).toEqual({ outcome: 'deleted', insightsStored: 0 });
      expect(await accepted('again', 100, '2')).toEqual({ outcome: 'deleted', insightsStored: 0 });
      expect(await accepted('new', 201)).toMatchObject({ outcome: 'stored' });
      expect([...new Set((await rowsOf(store, collectionId)).map((row) => row.split('/')[0]))]).toEqual([
        'later',
        'new',
      ]);
    });

    it('stops later attempts before they write, who remove what a crashed one has left', async () => {
      const { store } = opened;
      const collectionId = aCollection('erased-while-learning');
      await replaceOn(store)(aReplacement({ collectionId, jobId: 'later', acceptedAt: 300 }), {});
      await eraseOn(store)({ collectionId, requestedAt: 200 }, {});
      const crashing = { ...store, rowsOfJobs: () => Promise.reject(new Error('killed')) };
      const blind = { ...crashing, markers: async () => [] };
      const reading = { ...store, upsert: () => Promise.reject(new Error('written')) };
      const pending = (attempt: string) => aReplacement({ collectionId, jobId: 'pending', acceptedAt: 100, attempt });
      await expect(replaceOn(blind)(pending('1'), {})).rejects.toThrow('killed');
      expect(await rowsOf(store, collectionId)).toContain('pending/0');

      expect(await replaceOn(reading)(pending('2'), {})).toEqual({ outcome: 'deleted', insightsStored: 0 });

      expect([...new Set((await rowsOf(store, collectionId)).map((row) => row.split('/')[0]))]).toEqual(['later']);
    });

    it('leaves one marker, in place of all earlier ones', async () => {
      const { store } = opened;
      const collectionId = aCollection('erased-markers');
      for (const requestedAt of [10, 20, 300]) {
        await deleteOn(store)(aDeletion({ collectionId, intent: `intent ${requestedAt}`, requestedAt }), {});
      }
      await eraseOn(store)({ collectionId, requestedAt: 200 }, {});
      await eraseOn(store)({ collectionId, requestedAt: 210 }, {});
      expect((await store.markers(collectionId, 0)).map(({ deletedAt }) => deletedAt)).toEqual([210, 300]);
    });

    it('of a collection that does not exist covers its pending uploads, which do not create it', async () => {
      const { store } = opened;
      const collectionId = aCollection('erased-missing');
      expect(await eraseOn(store)({ collectionId, requestedAt: 200 }, {})).toEqual({ deletedCount: 0 });
      expect(await replaceOn(store)(aReplacement({ collectionId, acceptedAt: 100 }), {})).toMatchObject({
        outcome: 'deleted',
      });
      expect(await store.hasCollection(collectionId)).toBe(false);
      expect(await replaceOn(store)(aReplacement({ collectionId, acceptedAt: 300 }), {})).toMatchObject({
        outcome: 'stored',
      });
    });

    it('also deletes rows that are dated far in the future', async () => {
      const { store } = opened;
      const collectionId = aCollection('erased-future');
      const future = 40 * 24 * 60 * 60 * 1_000_000;
      await replaceOn(store)(aReplacement({ collectionId, acceptedAt: future }), {});
      expect(await eraseOn(store)({ collectionId, requestedAt: 200 }, {})).toEqual({ deletedCount: 2 });
    });
  });
}

interface Ending extends Interleaving<unknown> {
  crash: Crash | undefined;
  left: string[];
  exists: boolean;
}

const names = ['old', 'later', 'deletion', 'erasure'] as const;
type Name = (typeof names)[number];
const crashes: (Crash | undefined)[] = [
  undefined,
  ...names.flatMap((actor) => [0, 1, 2, 3].map((afterSteps) => ({ actor, afterSteps }))),
];

/** An upload before an erasure, one after it, and an earlier deletion by intent, in many orders, including crashes. */
export function describeErasureInterleavings(opened: OpenStore, { interleavings }: ConformanceOptions): void {
  let runs = 0;

  async function run(
    taking: readonly Name[],
    crash: Crash | undefined,
    choose: (possible: number, step: number) => number,
    seenByOld: (store: VectorStore) => VectorStore = (store) => store,
  ): Promise<Ending> {
    const { store } = opened;
    const collectionId = aCollection(`erasure ${runs++}`, 'interleaved');
    const noVotes = (on: VectorStore): VectorStore => ({ ...on, votesOn: async () => [] });
    const uploading =
      (jobId: string, acceptedAt: number, sees = (on: VectorStore) => on): Actor<unknown> =>
      (on) =>
        replaceOn(sees(noVotes(on)))(aReplacement({ collectionId, jobId, acceptedAt }), {});
    const actors: Record<Name, Actor<unknown>> = {
      old: uploading('old', 100, seenByOld),
      later: uploading('later', 300),
      deletion: (on) => deleteOn(noVotes(on))(aDeletion({ collectionId, requestedAt: 150 }), {}),
      erasure: (on) => eraseOn(noVotes(on))({ collectionId, requestedAt: 200 }, {}),
    };
    const chosen = Object.fromEntries(taking.map((name) => [name, actors[name]]));
    const ending = await interleave(store, chosen, { crash, choose, collectionsComeAndGo: true });
    // What did not finish is delivered or requested again.
    for (const name of taking) if (!ending.results.has(name)) await actors[name](store);
    const [left, exists] = [await rowsOf(store, collectionId), await store.hasCollection(collectionId)];
    return { ...ending, crash, left, exists };
  }

  const laterRows = ['later/0', 'later/1', 'later/2'];
  /** The deletion by intent may also take the later upload: it deletes whatever it meets. */
  const isGood = (taking: readonly Name[], { left, exists }: Ending) => {
    const wanted = taking.includes('later') ? laterRows.join() : '';
    const mayBeEmpty = taking.includes('deletion') || wanted === '';
    return (left.join() === wanted || (mayBeEmpty && left.length === 0)) && (left.length === 0 || exists);
  };

  async function judge(taking: readonly Name[], endings: AsyncIterable<Ending>): Promise<Ending[]> {
    const bad: Ending[] = [];
    for await (const ending of endings) if (!isGood(taking, ending)) bad.push(ending);
    return bad;
  }

  function everyOrder(taking: readonly Name[], seenByOld?: (store: VectorStore) => VectorStore) {
    return taking.map((_, first) => allInterleavings(first, (choose) => run(taking, undefined, choose, seenByOld)));
  }

  const random = randomNumbers(2027);
  async function* someOrders(taking: readonly Name[], count: number, among: readonly (Crash | undefined)[]) {
    for (let i = 0; i < count; i++) {
      const crash = among[Math.floor(random() * among.length)];
      yield run(taking, crash, (possible) => Math.floor(random() * possible));
    }
  }

  describe('an erasure and uploads', () => {
    const few = interleavings === 'all' ? 500 : interleavings;
    it.each([[['old', 'erasure']], [['later', 'erasure']]] as [Name[]][])(
      'leave what came later and nothing else: %j',
      async (taking) => {
        const orders = interleavings === 'all' ? everyOrder(taking) : [someOrders(taking, few / 2, [undefined])];
        const judged = await Promise.all(orders.map((endings) => judge(taking, endings)));
        expect(judged.flat().slice(0, 3)).toEqual([]);
      },
      10 * 60_000,
    );

    it(
      'leave what came later and nothing else, with an earlier deletion and crashes',
      async () => {
        const bad = await judge(names, someOrders(names, few, crashes));
        expect(bad.slice(0, 3)).toEqual([]);
      },
      10 * 60_000,
    );

    it(
      'fail this test if an upload does not look for the erasure',
      async () => {
        const careless = (store: VectorStore): VectorStore => ({ ...store, markers: async () => [] });
        const taking: Name[] = ['old', 'erasure'];
        let found = false;
        for (const endings of everyOrder(taking, careless)) {
          for await (const ending of endings) {
            found ||= !isGood(taking, ending);
            if (found) break;
          }
        }
        expect(found).toBe(true);
      },
      10 * 60_000,
    );
  });
}

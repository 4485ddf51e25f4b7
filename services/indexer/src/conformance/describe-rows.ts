import type { Row } from '../domain/ports.js';
import { aCollection, aRow, aVector, byMeaning, byWords, type OpenStore } from './samples.js';

export function describeRows(opened: OpenStore): void {
  describe('rows', () => {
    it('survive the round trip', async () => {
      const collection = await opened.create('round-trip');
      const rows = [
        aRow(collection, { ordinal: 0, type: 'run', text: '', acceptedAt: 1_762_345_678_901_234 }),
        aRow(collection, {
          ordinal: 1,
          intent: 'Ünïcode 漢字 🦜',
          text: 'a\nb\0c',
          body: JSON.stringify({ x: '\u0001"' }),
        }),
        aRow(collection, { ordinal: 2, type: 'vote', vector: aVector(-0.25), text: '', body: 'x'.repeat(65_535) }),
      ];
      await opened.store.upsert(collection, rows);
      expect((await opened.store.rowsOfJobs(collection, ['job'])).map(plain)).toEqual(rows.map(plain));
      expect((await opened.store.page(collection, { limit: 10 })).map(plain)).toEqual(rows.map(plain));
      const heads = await opened.store.pageHeads(collection, { limit: 10 });
      expect(heads.map((head) => [head.id, head.type, head.acceptedAt, head.intent, [...head.vector]])).toEqual(
        rows.map((row) => [row.id, row.type, row.acceptedAt, row.intent, [...row.vector]]),
      );
    });

    it('are replaced by id, idempotently', async () => {
      const collection = await opened.create('replaced');
      const { store } = opened;
      const row = aRow(collection, { body: '{"version":2}' });
      await store.upsert(collection, [aRow(collection, { body: '{"version":1}' })]);
      await store.upsert(collection, [row]);
      await store.upsert(collection, [row]);
      expect((await store.page(collection, { limit: 10 })).map(plain)).toEqual([plain(row)]);
      expect(await byMeaning(store, collection, row.vector, 10)).toHaveLength(1);
    });

    it('are counted if they are insights of the collection', async () => {
      const [collection, other] = [await opened.create('counted'), await opened.create('counted-too')];
      const { store } = opened;
      expect(await store.countInsights(aCollection('nowhere'))).toBe(0);
      const insights = [1, 2, 3].map((ordinal) => aRow(collection, { ordinal }));
      await store.upsert(collection, [aRow(collection, { ordinal: 0, type: 'run', text: '' }), ...insights]);
      await store.upsert(other, [aRow(other)]);
      await store.deleteRows(collection, [insights[0]?.id ?? '']);
      expect([await store.countInsights(collection), await store.countInsights(other)]).toEqual([2, 1]);
    });

    it('are paged by id, each once', async () => {
      const collection = await opened.create('paged');
      const { store } = opened;
      const rows = Array.from({ length: 57 }, (_, index) => aRow(collection, { jobId: `job-${(index * 37) % 57}` }));
      await store.upsert(collection, rows);
      for (const limit of [1, 10, 19, 57, 58]) {
        const ids: string[] = [];
        let after: string | undefined;
        do {
          const page = await store.page(collection, { limit, ...(after === undefined ? {} : { after }) });
          ids.push(...page.map(({ id }) => id));
          after = page.length < limit ? undefined : page.at(-1)?.id;
        } while (after !== undefined);
        expect(ids).toEqual(rows.map(({ id }) => id).sort());
      }
    });

    it('are separated by job, even if one job id is a prefix of another', async () => {
      const collection = await opened.create('prefixes');
      const { store } = opened;
      const jobs = ['job', 'job0', 'job-1', 'jo', 'job_1'];
      await store.upsert(
        collection,
        jobs.map((jobId) => aRow(collection, { jobId })),
      );
      for (const jobId of jobs) {
        expect((await store.rowsOfJobs(collection, [jobId])).map((row) => row.jobId)).toEqual([jobId]);
      }
    });

    it('are gone after deletion; deleting unknown ids is not an error', async () => {
      const collection = await opened.create('deleted');
      const { store } = opened;
      const row = (ordinal: number) => aRow(collection, { ordinal });
      await store.upsert(collection, [0, 1, 2].map(row));
      const doomed = [0, 2, 9].map((ordinal) => row(ordinal).id);
      await store.deleteRows(collection, doomed);
      await store.deleteRows(collection, doomed);
      expect((await store.rowsOfJobs(collection, ['job'])).map(({ ordinal }) => ordinal)).toEqual([1]);
      expect(await byMeaning(store, collection, aVector(1), 10)).toHaveLength(1);
      expect(await byWords(store, collection, 'some words', 10)).toHaveLength(1);
    });

    it('are never visible or changed from another collection', async () => {
      const [mine, theirs] = [await opened.create('isolated'), await opened.create('isolated1')];
      const { store } = opened;
      await store.upsert(mine, [aRow(mine, { body: '"mine"' })]);
      await store.upsert(theirs, [
        aRow(theirs, { body: '"theirs"' }),
        aRow(theirs, { ordinal: 2, vector: aVector(0.999999) }),
      ]);
      await store.deleteRows(mine, [aRow(theirs).id, aRow(theirs, { ordinal: 2 }).id]);
      expect((await store.page(theirs, { limit: 10 })).length).toBe(2);
      for (const rows of [
        await store.page(mine, { limit: 10 }),
        await store.rowsOfJobs(mine, ['job']),
        await byMeaning(store, mine, aVector(1), 10),
        await byWords(store, mine, 'some words', 10),
      ]) {
        expect(rows.map(({ body }) => body)).toEqual(['"mine"']);
      }
      await store.addMarker({ collectionId: mine, intent: 'x', vector: aVector(1), threshold: 0.5, deletedAt: 1 });
      expect(await store.markers(theirs, 0)).toEqual([]);
      const ofAll = (await store.listMarkers(0)).map(({ collectionId }) => collectionId);
      expect([ofAll.includes(mine), ofAll.includes(theirs)]).toEqual([true, false]);
    });

    it('of eight concurrent writers are all stored', async () => {
      const collection = await opened.create('writers');
      const { store } = opened;
      const write = async (writer: number) => {
        for (let n = 0; n < 25; n++) {
          const jobId = `job-${writer}-${n}`;
          const rows = [0, 1, 2].map((ordinal) =>
            aRow(collection, { jobId, ordinal, type: ordinal === 0 ? 'run' : 'insight' }),
          );
          await store.upsert(collection, rows);
          expect(await store.rowsOfJobs(collection, [jobId])).toHaveLength(3);
          if (n % 5 === 0) await store.deleteRows(collection, [aRow(collection, { jobId, ordinal: 2 }).id]);
        }
      };
      await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)));
      expect(await store.page(collection, { limit: 1_000 })).toHaveLength(8 * (25 * 3 - 5));
      expect(await byMeaning(store, collection, aVector(1), 1_000)).toHaveLength(8 * (25 * 2 - 5));
    });

    it('survive reopening, with markers and collections', async () => {
      const collection = await opened.create('reopened');
      const rows = [0, 1, 2].map((ordinal) => aRow(collection, { ordinal, type: ordinal === 0 ? 'run' : 'insight' }));
      await opened.store.upsert(collection, rows);
      await opened.store.deleteRows(collection, [aRow(collection, { ordinal: 2 }).id]);
      await opened.store.addMarker({
        collectionId: collection,
        intent: 'x',
        vector: aVector(0.5),
        threshold: 0.25,
        deletedAt: 7,
      });
      const store = await opened.reopen();
      expect(await store.hasCollection(collection)).toBe(true);
      expect((await store.page(collection, { limit: 10 })).map(plain)).toEqual(rows.slice(0, 2).map(plain));
      expect((await byMeaning(store, collection, aVector(1), 10)).map(({ id }) => id)).toEqual([
        aRow(collection, { ordinal: 1 }).id,
      ]);
      const markers = await store.markers(collection, 0);
      expect(markers.map((marker) => ({ ...marker, vector: [...marker.vector] }))).toEqual([
        {
          collectionId: collection,
          intent: 'x',
          vector: [...aVector(0.5)],
          threshold: 0.25,
          deletedAt: 7,
        },
      ]);
    });
  });
}

/** Typed arrays from another realm only compare equal as plain arrays. */
function plain(row: Row) {
  return { ...row, vector: [...row.vector] };
}

export function describeCollections(opened: OpenStore): void {
  describe('collections', () => {
    it('exist once created, however often', async () => {
      const { store } = opened;
      const collection = aCollection('created');
      expect(await store.hasCollection(collection)).toBe(false);
      await Promise.all([store.createCollection(collection), store.createCollection(collection)]);
      await store.createCollection(collection);
      expect(await store.hasCollection(collection)).toBe(true);
      expect((await store.listCollections()).filter((id) => id === collection)).toEqual([collection]);
    });

    it('are counted by account prefix', async () => {
      const { store } = opened;
      const ofAccount = [1, 2, 3].map((n) => aCollection(`counted-${n}`, 'counted'));
      for (const collection of ofAccount) await store.createCollection(collection);
      await store.createCollection(aCollection('counted', 'counter'));
      expect(await store.countCollections((ofAccount[0] as string).slice(0, 18))).toBe(3);
    });

    it('are not created by reading, searching, deleting or a deletion marker', async () => {
      const { store } = opened;
      const collection = aCollection('never');
      expect(await store.rowsOfJobs(collection, ['job'])).toEqual([]);
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
      expect(await store.markers(collection, 0)).toHaveLength(1);
      expect(await store.hasCollection(collection)).toBe(false);
    });

    it('are not created by writing rows, which is rejected', async () => {
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

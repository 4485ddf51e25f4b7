import type { Row } from '../domain/ports.js';
import { aCollection, aName, aRow, aVector, aVote, type OpenStore } from './samples.js';

export function describeNames(opened: OpenStore): void {
  const idsOf = (rows: Row[]) => rows.map(({ id }) => id);
  const [one, two, three] = [aName('one'), aName('two'), aName('three')];

  describe('names', () => {
    it('survive the round trip and reopening, and are empty where there is none', async () => {
      const collection = await opened.create('round-trip', 'names');
      const names = ['', one, '', two];
      const rows = names.map((name, ordinal) => aRow(collection, { ordinal, name }));
      rows.push(
        aRow(collection, { jobId: 'run', ordinal: 0, type: 'run' }),
        aVote(collection, `${one}/1`, { jobId: 'vote' }),
      );
      await opened.store.upsert(collection, rows);
      for (const open of [async () => opened.store, opened.reopen]) {
        const store = await open();
        for (const read of [
          await store.page(collection, { limit: 10 }),
          await store.pageHeads(collection, { limit: 10 }),
          await store.rowsOfJobs(collection, ['job', 'run', 'vote']),
        ]) {
          expect(read.map(({ name }) => name)).toEqual([...names, '', '']);
        }
        expect((await store.rowsNamed(collection, [two])).map(plain)).toEqual([plain(rows[3] as Row)]);
      }
    });

    it('find every insight that has one of them, once, in order', async () => {
      const collection = await opened.create('found', 'names');
      const rows = [
        aRow(collection, { jobId: 'b', attempt: '1', name: one }),
        aRow(collection, { jobId: 'b', attempt: '2', name: one }),
        aRow(collection, { jobId: 'a', ordinal: 3, name: two }),
        aRow(collection, { jobId: one, name: one }),
        aRow(collection, { jobId: 'c', name: three }),
        aRow(collection, { jobId: 'd' }),
        aVote(collection, `${one}/1`, { jobId: 'e' }),
      ];
      await opened.store.upsert(collection, rows);
      const { store } = opened;
      expect(idsOf(await store.rowsNamed(collection, [two, one, two, aName('unknown')]))).toEqual(
        idsOf(rows.slice(0, 4)).sort(),
      );
      expect(await store.rowsNamed(collection, [])).toEqual([]);
      const many = Array.from({ length: 700 }, (_, n) => aName(`many-${n}`));
      expect(idsOf(await store.rowsNamed(collection, [three, ...many, two]))).toEqual(
        [rows[2]?.id, rows[4]?.id].sort(),
      );
    });

    it('belong to one collection, and go and change with the row', async () => {
      const [mine, theirs] = [await opened.create('mine', 'names'), await opened.create('mine1', 'names')];
      const { store } = opened;
      await store.upsert(
        mine,
        ['a', 'b', 'c'].map((jobId) => aRow(mine, { jobId, name: one })),
      );
      await store.upsert(theirs, [aRow(theirs, { jobId: 'a', name: one }), aRow(theirs, { jobId: 'b', name: two })]);
      expect(await store.rowsNamed(mine, [two])).toEqual([]);
      await store.deleteRows(mine, [aRow(mine, { jobId: 'a' }).id]);
      await store.upsert(mine, [aRow(mine, { jobId: 'b', name: two }), aRow(mine, { jobId: 'c' })]);
      expect(await store.rowsNamed(mine, [one])).toEqual([]);
      expect((await store.rowsNamed(mine, [one, two])).map(({ jobId }) => jobId)).toEqual(['b']);
      expect(await store.rowsNamed(theirs, [one, two])).toHaveLength(2);
      expect(await store.rowsNamed(aCollection('missing', 'names'), [one])).toEqual([]);
    });

    it('are rejected unless they are well-formed and of an insight', async () => {
      const collection = await opened.create('refused', 'names');
      const rows = [
        aRow(collection, { name: 'a name' }),
        aRow(collection, { name: `${one}"` }),
        aRow(collection, { name: one, type: 'run' }),
        aVote(collection, `${one}/1`, { name: one }),
      ];
      for (const row of rows) {
        await expect(opened.store.upsert(collection, [row])).rejects.toMatchObject({ code: 'invalid_argument' });
      }
      expect(await opened.store.page(collection, { limit: 10 })).toEqual([]);
    });
  });

  describe('rows of several jobs', () => {
    it('are found once, in order, whatever the number of jobs', async () => {
      const collection = await opened.create('jobs', 'names');
      const { store } = opened;
      const jobs = ['job', 'job-1', 'job0', 'another', 'not-asked-for'];
      const rows = jobs.flatMap((jobId) => [
        aRow(collection, { jobId, ordinal: 0, type: 'run' }),
        aRow(collection, { jobId, ordinal: 1 }),
        aVote(collection, 'shown/1', { jobId, ordinal: 2 }),
      ]);
      await store.upsert(collection, rows);
      const wanted = idsOf(rows.slice(0, 12)).sort();
      expect(idsOf(await store.rowsOfJobs(collection, ['job0', 'job', 'unknown', 'another', 'job-1', 'job']))).toEqual(
        wanted,
      );
      const many = Array.from({ length: 700 }, (_, n) => `many-${n}`);
      expect(idsOf(await store.rowsOfJobs(collection, ['job0', 'job', ...many, 'another', 'job-1']))).toEqual(wanted);
      await store.upsert(
        collection,
        many.map((jobId) => aRow(collection, { jobId })),
      );
      expect(idsOf(await store.rowsOfJobs(collection, many.toReversed()))).toEqual(
        many.map((jobId) => aRow(collection, { jobId }).id).sort(),
      );
      expect(await store.rowsOfJobs(collection, [])).toEqual([]);
      expect(await store.rowsOfJobs(aCollection('missing', 'names'), jobs)).toEqual([]);
    });
  });

  describe('votes under both names of an insight', () => {
    it('are counted in a search, by meaning and by words', async () => {
      const collection = await opened.create('votes', 'names');
      const vote = (jobId: string, about: string, helped: boolean) =>
        aVote(collection, about, { jobId, helped, tokenDigest: `of-${jobId}` });
      await opened.store.upsert(collection, [
        aRow(collection, { jobId: 'shown', ordinal: 2, name: one, text: 'whales' }),
        aRow(collection, { jobId: 'same', name: one, vector: aVector(-1), text: 'whales' }),
        aRow(collection, { jobId: two, name: two, vector: aVector(-1), text: 'whales' }),
        vote('a', 'shown/2', true),
        vote('b', `${one}/1`, true),
        vote('c', `${one}/1`, false),
        vote('d', `${two}/1`, true),
        vote('e', `${three}/1`, true),
      ]);
      const ofOne = [
        { about: `${one}/1`, helped: 1, harmed: 1 },
        { about: 'shown/2', helped: 1, harmed: 0 },
      ];
      const ofTwo = { about: `${two}/1`, helped: 1, harmed: 0 };
      const counted = async (query: { vector?: Float32Array; text: string; limit: number }) =>
        (await opened.store.search(collection, query)).votes.toSorted((a, b) => (a.about < b.about ? -1 : 1));
      expect(await counted({ vector: aVector(1), text: '', limit: 1 })).toEqual(ofOne);
      const all = [...ofOne, ofTwo].sort((a, b) => (a.about < b.about ? -1 : 1));
      expect(await counted({ text: 'whales', limit: 5 })).toEqual(all);
      expect(await counted({ vector: aVector(1), text: 'whales', limit: 5 })).toEqual(all);
    });

    it('are found with what they say', async () => {
      const collection = await opened.create('dated', 'names');
      const said = { tokenDigest: 'of-A_b', helped: false, acceptedAt: 1_762_345_678_901_234 };
      const row = aVote(collection, `${one}/1`, said);
      await opened.store.upsert(collection, [row, aRow(collection, { jobId: 'shown', name: one })]);
      expect(await opened.store.votesOn(collection, [`${one}/1`, `${two}/1`], 10)).toEqual([
        { id: row.id, about: `${one}/1`, ...said },
      ]);
    });
  });
}

function plain(row: Row) {
  return { ...row, vector: [...row.vector] };
}

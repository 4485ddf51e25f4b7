import { cosine } from '../domain/cosine.js';
import { randomNumbers } from '../test-kit/random-numbers.js';
import { aCollection, aRow, aVector } from './sample-rows.js';
import type { OpenStore } from './vector-store-harness.js';
import { conformanceModel } from './vector-store-harness.js';

export function describeSearching(opened: OpenStore): void {
  const fresh = async (name: string) => {
    const collection = aCollection(name);
    await opened.store.createCollection(collection);
    return collection;
  };

  describe('searching by vector', () => {
    it('finds exactly the nearest insights, best first', async () => {
      const collection = await fresh('nearest');
      const random = randomNumbers(11);
      const rows = Array.from({ length: 300 }, (_, n) =>
        aRow(collection, { jobId: `job-${n}`, vector: aRandomVector(random) }),
      );
      await opened.store.upsert(collection, rows);
      for (let question = 0; question < 10; question++) {
        const vector = aRandomVector(random);
        const expected = rows
          .map((row) => ({ id: row.id, score: cosine(vector, row.vector) }))
          .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
          .slice(0, 20);
        const found = await opened.store.searchByVector(collection, vector, 20);
        expect(found.map(({ row }) => row.id)).toEqual(expected.map(({ id }) => id));
        for (const [index, { score }] of found.entries()) expect(score).toBeCloseTo(expected[index]?.score ?? 2, 5);
      }
    });

    it('sees insights only, whole rows, and at most as many as asked for', async () => {
      const collection = await fresh('insights-only');
      const insight = aRow(collection, { ordinal: 1, vector: aVector(0.5), body: '{"the":"insight"}' });
      await opened.store.upsert(collection, [
        aRow(collection, { ordinal: 0, type: 'run' }),
        insight,
        aRow(collection, { ordinal: 2, type: 'vote' }),
        aRow(collection, { ordinal: 3, vector: aVector(0.4) }),
      ]);
      const found = await opened.store.searchByVector(collection, aVector(1), 1);
      const rows = found.map(({ row }) => ({ ...row, vector: [...row.vector] }));
      expect(rows).toEqual([{ ...insight, vector: [...insight.vector] }]);
    });
  });

  describe('searching by text', () => {
    it('finds insights that share words, the rarer the word the better', async () => {
      const collection = await fresh('words');
      const texts = [
        'list the files of a folder with ls',
        'list the processes of a user with ps',
        'find the files that are large with find -size',
        'delete the rows of a table',
      ];
      const rows = texts.map((text, n) => aRow(collection, { jobId: `job-${n}`, text }));
      await opened.store.upsert(collection, rows);
      const found = await opened.store.searchByText(collection, 'which processes belong to the user', 10);
      expect(found[0]?.row.text).toBe(texts[1]);
      expect((await opened.store.searchByText(collection, 'find -size', 10))[0]?.row.text).toBe(texts[2]);
      expect(await opened.store.searchByText(collection, 'nothing of that kind', 1)).toHaveLength(1);
      expect(await opened.store.searchByText(collection, 'zebra', 10)).toEqual([]);
      expect(await opened.store.searchByText(collection, '', 10)).toEqual([]);
    });

    it('takes any text', async () => {
      const collection = await fresh('any-text');
      await opened.store.upsert(collection, [aRow(collection, { text: 'drop table' })]);
      for (const text of [
        '"',
        "'; DROP TABLE rows; --",
        '* OR NEAR(',
        '\0',
        '🦜',
        'a'.repeat(10_000),
        'table '.repeat(5_000),
      ]) {
        await expect(opened.store.searchByText(collection, text, 5)).resolves.toBeDefined();
      }
      expect(await opened.store.searchByText(collection, 'TABLE', 5)).toHaveLength(1);
    });
  });
}

function aRandomVector(random: () => number): Float32Array {
  const values = Array.from({ length: conformanceModel.dimension }, () => random() - 0.5);
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
}

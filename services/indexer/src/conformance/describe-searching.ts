import { randomNumbers } from '@whetstone/platform/test-kit';

import { cosine } from '../domain/intent/similarity.js';
import type { Row } from '../domain/ports.js';
import { aCollection, aRow, aVector, byMeaning, byWords, conformanceModel, type OpenStore } from './samples.js';

export function describeSearching(opened: OpenStore): void {
  describe('searching by meaning', () => {
    it('finds exactly the nearest insights, best first', async () => {
      const collection = await opened.create('nearest');
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
        const found = await byMeaning(opened.store, collection, vector, 20);
        expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
        for (const [index, { similarity }] of found.entries())
          expect(similarity).toBeCloseTo(expected[index]?.score ?? 2, 5);
      }
    });

    it('finds only insights, returns what an answer needs, and respects the limit', async () => {
      const collection = await opened.create('insights-only');
      const insight = aRow(collection, { ordinal: 1, vector: aVector(0.5), body: '{"the":"insight"}' });
      await opened.store.upsert(collection, [
        aRow(collection, { ordinal: 0, type: 'run' }),
        insight,
        aRow(collection, { ordinal: 2, type: 'vote' }),
        aRow(collection, { ordinal: 3, vector: aVector(0.4) }),
      ]);
      const found = await byMeaning(opened.store, collection, aVector(1), 1);
      expect(found).toEqual([answerOf(insight, 0.5)]);
    });
  });

  describe('searching by words only', () => {
    it('ranks like a full search, with similarity 0', async () => {
      const collection = await opened.create('words-alone');
      const texts = ['whales and seals', 'whales', 'seals of the north', 'a desert'];
      await opened.store.upsert(
        collection,
        texts.map((text, n) => aRow(collection, { jobId: `job-${n}`, text })),
      );
      const query = { text: 'whales seals', limit: 2 };
      const both = await opened.store.search(collection, { ...query, vector: aVector(1) });
      expect(await opened.store.search(collection, query)).toEqual({
        byMeaning: [],
        byWords: both.byWords.map((found) => ({ ...found, similarity: 0 })),
        votes: [],
        verdicts: [],
        settings: {},
      });
      expect(both.byWords).toHaveLength(2);
      expect(await opened.store.search(aCollection('words-nowhere'), query)).toEqual({
        byMeaning: [],
        byWords: [],
        votes: [],
        verdicts: [],
        settings: {},
      });
    });
  });

  describe('searching by words', () => {
    it('finds insights that share words, preferring rare words', async () => {
      const collection = await opened.create('words');
      const texts = [
        'list the files of a folder with ls',
        'list the processes of a user with ps',
        'find the files that are large with find -size',
        'delete the rows of a table',
      ];
      const rows = texts.map((text, n) => aRow(collection, { jobId: `job-${n}`, text }));
      await opened.store.upsert(collection, rows);
      const best = async (text: string) => (await byWords(opened.store, collection, text, 10))[0]?.id;
      expect(await best('which processes belong to the user')).toBe(rows[1]?.id);
      expect(await best('find -size')).toBe(rows[2]?.id);
      expect(await byWords(opened.store, collection, 'nothing of that kind', 1)).toHaveLength(1);
      expect(await byWords(opened.store, collection, 'zebra', 10)).toEqual([]);
      expect(await byWords(opened.store, collection, '', 10)).toEqual([]);
    });

    it('returns what an answer needs, with the similarity in meaning', async () => {
      const collection = await opened.create('words-and-meaning');
      const whales = aRow(collection, { jobId: 'whales', text: 'whales', intent: 'sea 🦜', vector: aVector(0.25) });
      const ice = aRow(collection, { jobId: 'ice', text: 'ice', vector: aVector(0.75) });
      const both = aRow(collection, { jobId: 'both', text: 'whales whales', vector: aVector(0.5) });
      await opened.store.upsert(collection, [whales, ice, both]);
      const found = await opened.store.search(collection, { vector: aVector(1), text: 'whales', limit: 2 });
      expect(found).toEqual({
        byMeaning: [answerOf(ice, 0.75), answerOf(both, 0.5)],
        byWords: [answerOf(both, 0.5), answerOf(whales, 0.25)],
        votes: [],
        verdicts: [],
        settings: {},
      });
    });

    it('accepts a pending vector, and rejects if the vector does', async () => {
      const collection = await opened.create('vector-on-its-way');
      await opened.store.upsert(collection, [aRow(collection, { text: 'whales', vector: aVector(0.5) })]);
      const query = { vector: aVector(1), text: 'whales', limit: 2 };
      const whenItCame = new Promise<Float32Array>((resolve) => setTimeout(() => resolve(query.vector), 20));
      const found = await opened.store.search(collection, { ...query, vector: whenItCame });
      expect(found).toEqual(await opened.store.search(collection, query));
      expect([found.byMeaning.length, found.byWords.length]).toEqual([1, 1]);
      const lost = opened.store.search(collection, { ...query, vector: Promise.reject(new Error('no vector')) });
      await expect(lost).rejects.toThrow('no vector');
    });

    it('weighs words by this collection only', async () => {
      const mine = await opened.create('weighing');
      const texts = ['alpha beta', 'alpha eta', 'gamma beta', 'delta beta', 'epsilon beta', 'zeta beta'];
      await opened.store.upsert(
        mine,
        texts.map((text, n) => aRow(mine, { jobId: `job-${n}`, text })),
      );
      const order = async () => (await byWords(opened.store, mine, 'alpha beta', 10)).map(({ jobId }) => jobId);
      const before = await order();
      expect(before.slice(0, 2)).toEqual(['job-0', 'job-1']);
      for (let n = 0; n < 4; n++) {
        const theirs = await opened.create(`weighing ${n}`);
        const rows = Array.from({ length: 30 }, (_, job) => aRow(theirs, { jobId: `job-${job}`, text: 'alpha' }));
        await opened.store.upsert(theirs, rows);
      }
      expect(await order()).toEqual(before);
    });

    it('accepts any text', async () => {
      const collection = await opened.create('any-text');
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
        await expect(byWords(opened.store, collection, text, 5)).resolves.toBeDefined();
      }
      expect(await byWords(opened.store, collection, 'TABLE', 5)).toHaveLength(1);
    });
  });
}

function answerOf({ id, jobId, attempt, intent, body }: Row, similarity: number) {
  return { id, jobId, attempt, intent, body, similarity: expect.closeTo(similarity, 5) };
}

function aRandomVector(random: () => number): Float32Array {
  const values = Array.from({ length: conformanceModel.dimension }, () => random() - 0.5);
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
}

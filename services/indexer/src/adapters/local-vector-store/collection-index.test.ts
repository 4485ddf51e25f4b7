import { randomNumbers } from '@whetstone/platform/test-kit';
import fc from 'fast-check';

import { cosine } from '../../domain/intent/similarity.js';
import { splitWords } from '../../domain/words.js';
import { CollectionIndex, type IndexEntry, type IndexHit, type ReadVectors } from './collection-index.js';
import { searchByVectorStreaming, searchByWordsStreaming } from './insight-search.js';
import { createKernel, createPlainKernel, VectorArena } from './vector-arena.js';
import { documentTerms } from './word-index.js';

const dimension = 24;
const vocabulary = Array.from({ length: 300 }, (_, n) => `word${n}`);

interface Document extends IndexEntry {
  text: string;
}

/** A few words are common, most are rare; a third of the vectors are equal. */
function documents(count: number, seed: number): Document[] {
  const random = randomNumbers(seed);
  return Array.from({ length: count }, (_, index) => {
    const words = Array.from(
      { length: 5 + Math.floor(random() * 30) },
      () => vocabulary[Math.floor(random() ** 3 * 300)],
    );
    const values = Array.from({ length: dimension }, () => (index % 3 === 0 ? 1 : random() - 0.5));
    const length = Math.hypot(...values);
    const vector = Float32Array.from(values, (value) => value / length);
    const text = words.join(' ');
    return { n: index + 1, key: `key-${(index * 7919) % count}`, vector, text, terms: documentTerms(text) };
  });
}

const questions = ['word0 word1', 'word5 word250 word299', 'word17', vocabulary.slice(0, 100).join(' '), 'unknown'];

describe('CollectionIndex', () => {
  it('ranks words like a straightforward BM25', () => {
    const all = documents(200, 1);
    const index = indexOf(all);
    for (const question of ['word0 word1', 'word5 word250 word299']) {
      const expected = plainBm25(all, question).slice(0, 10);
      const found = index.searchByWords(documentTerms(question), 10);
      expect(found.map(({ key }) => key)).toEqual(expected.map(({ key }) => key));
      for (const [rank, { score }] of found.entries()) expect(score).toBeCloseTo(expected[rank]!.score, 9);
    }
  });

  it.each([
    ['with SIMD', createKernel, false],
    ['without SIMD', createPlainKernel, false],
    ['compact', createKernel, true],
  ])('finds the nearest by exact cosine, ties by key, among any vectors, %s', (_, kernel, compact) => {
    const terms = documentTerms('');
    const limits = fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 200 }));
    const keptOfEleven = fc.constantFrom(11, 10, 5, 1);
    const property = fc.property(anyVectors, limits, keptOfEleven, ({ dimension, query, vectors }, limit, kept) => {
      const index = new CollectionIndex(new VectorArena(dimension, 1e7, kernel), undefined, { compact });
      const entries = vectors.map((vector, at) => ({ n: at + 1, key: `key-${(at * 7919) % 151}`, vector, terms }));
      for (const entry of entries) index.add(entry);
      for (const { n } of entries) if (n % 11 >= kept) index.remove(n, terms);
      const all = entries
        .filter(({ n }) => n % 11 < kept)
        .map(({ n, key, vector }) => ({ score: cosine(query, vector), key, n }));
      const found = index.searchByVector(query, limit, vectorsOf(entries));
      expectSameHits(found, all.toSorted(bestFirst).slice(0, limit));
      expect(found).toEqual(found.toSorted(bestFirst));
      for (const { n, score } of found) expect(score).toBeCloseTo(all.find((hit) => hit.n === n)!.score, 12);
    });
    fc.assert(property, { numRuns: 120 });
  });

  it('finds the nearest even if quantisation lowers all its values and raises all others', () => {
    const values = 383;
    /** The first value sets the quantisation step to 1; the next `count` are `value`. */
    const entry = (key: string, n: number, value: number, count: number): IndexEntry => {
      const vector = Float32Array.from({ length: values + 1 }, (_, at) => (at === 0 ? 127 : at <= count ? value : 0));
      return { n, key, vector, terms: documentTerms('') };
    };
    const raised = Array.from({ length: 40 }, (_, n) => entry(`raised-${n}`, n + 1, 0.501, 300));
    const lowered = entry('lowered', 41, 0.499, values);
    const index = indexOf([...raised, lowered], new VectorArena(values + 1, 1e7));
    const [best] = index.searchByVector(new Float32Array(values + 1).fill(1), 1, vectorsOf([]));
    expect(best?.key).toBe('lowered');
  });

  it('answers like a freshly loaded index and like the disk, after any additions and removals', () => {
    const random = randomNumbers(4);
    const all = documents(6_000, 3);
    const index = new CollectionIndex(new VectorArena(dimension, 1e8));
    const compact = new CollectionIndex(new VectorArena(dimension, 1e8), undefined, { compact: true });
    const live = new Set<Document>();
    for (const document of all) {
      index.add(document);
      compact.add(document);
      live.add(document);
      if (random() < 0.6) {
        const [victim] = [...live].slice(Math.floor(random() * Math.min(live.size, 5)));
        live.delete(victim!);
        for (const one of [index, index, compact]) one.remove(victim!.n, victim!.terms);
      }
    }
    const left = [...live];
    const fresh = indexOf(left);
    for (const question of questions) {
      const terms = documentTerms(question);
      const expected = fresh.searchByWords(terms, 25);
      for (const one of [index, compact]) expect(one.searchByWords(terms, 25)).toEqual(expected);
      expect(searchByWordsStreaming(() => left, terms, 25)).toEqual(expected);
    }
    for (const { vector } of all.slice(0, 10)) {
      const expected = fresh.searchByVector(vector, 25, vectorsOf(left));
      for (const one of [index, compact]) {
        expect(one.searchByVector(vector, 25, vectorsOf(left))).toEqual(expected);
        const numbers = expected.map(({ n }) => n);
        const scores = expected.map(({ score }) => score);
        expect(one.similarities([...numbers, 0], vector, vectorsOf(left))).toEqual([...scores, undefined]);
      }
      expectSameHits(searchByVectorStreaming(left, vector, 25), expected);
    }
    expect(index.bytes).toBeLessThan(2 * fresh.bytes);
    expect(compact.bytes).toBeLessThan(index.bytes);
  });

  it('releases its memory', () => {
    const arena = new VectorArena(dimension, 1e8);
    const first = indexOf(documents(1_000, 5), arena);
    first.dispose();
    const chunk = arena.allocate();
    expect(chunk).toBeLessThan(32);
  });
});

function indexOf(entries: IndexEntry[], arena = new VectorArena(dimension, 1e8)): CollectionIndex {
  const index = new CollectionIndex(arena);
  for (const entry of entries) index.add(entry);
  return index;
}

function plainBm25(all: Document[], question: string): { key: string; score: number }[] {
  const bags = all.map(({ key, text }) => ({ key, words: splitWords(text) }));
  const averageLength = bags.reduce((sum, { words }) => sum + words.length, 0) / bags.length;
  const ranked = bags.map(({ key, words }) => {
    let score = 0;
    for (const term of new Set(splitWords(question))) {
      const withTerm = bags.filter((bag) => bag.words.includes(term)).length;
      const count = words.filter((word) => word === term).length;
      const weight = Math.log(1 + (bags.length - withTerm + 0.5) / (withTerm + 0.5));
      score += (weight * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * words.length) / averageLength));
    }
    return { key, score };
  });
  return ranked.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1));
}

/** One vector; some kinds are close to `centre`. */
type MakeVector = (random: () => number, centre: Float32Array) => Float32Array;

const makers: Record<string, MakeVector> = {
  random: (random, centre) => centre.map(() => random() - 0.5),
  clustered: (random, centre) => centre.map((value) => value + (random() - 0.5) * 0.05),
  nearIdentical: (random, centre) => centre.map((value) => value + (random() - 0.5) * 1e-6),
  identical: (_random, centre) => centre.slice(),
  opposite: (_random, centre) => centre.map((value) => -value),
  scaled: (random, centre) => centre.map((value) => value * 10 ** (random() * 8 - 4)),
  tiny: (random, centre) => centre.map(() => (random() - 0.5) * 1e-42),
  huge: (random, centre) => centre.map(() => (random() - 0.5) * 1e38),
  zero: (_random, centre) => new Float32Array(centre.length),
  constant: (random, centre) => new Float32Array(centre.length).fill(random() - 0.5),
  oneHot: (random, centre) => {
    const hot = Math.floor(random() * centre.length);
    return centre.map((_, index) => (index === hot ? 1 : 0));
  },
};

interface AnyVectors {
  dimension: number;
  query: Float32Array;
  vectors: Float32Array[];
}

/** A query and up to 150 vectors of a few kinds; half of the queries are close to many of them. */
const anyVectors: fc.Arbitrary<AnyVectors> = fc
  .record({
    dimension: fc.constantFrom(1, 2, 5, 32, 40, 384),
    kinds: fc.array(fc.constantFrom(...Object.keys(makers)), { minLength: 1, maxLength: 4 }),
    queryKind: fc.oneof(fc.constant('nearIdentical'), fc.constantFrom(...Object.keys(makers))),
    count: fc.integer({ min: 0, max: 150 }),
    seed: fc.nat(),
  })
  .map(({ dimension, kinds, queryKind, count, seed }) => {
    const random = randomNumbers(seed);
    const centre = Float32Array.from({ length: dimension }, () => random() - 0.5);
    const vectorOf = (kind: string) => (makers[kind] as MakeVector)(random, centre);
    const vectors = Array.from({ length: count }, (_, index) => vectorOf(kinds[index % kinds.length] as string));
    return { dimension, query: vectorOf(queryKind), vectors };
  });

function vectorsOf(entries: readonly IndexEntry[]): ReadVectors {
  const vectors = new Map(entries.map(({ n, vector }) => [n, vector]));
  return (numbers) => numbers.map((n) => vectors.get(n));
}

function bestFirst(a: IndexHit, b: IndexHit): number {
  return b.score - a.score || (a.key < b.key ? -1 : 1);
}

/** Two ways to add up the same products differ in the last digit, which may swap hits that score alike. */
function expectSameHits(found: readonly IndexHit[], expected: readonly IndexHit[]): void {
  expect(found).toHaveLength(expected.length);
  for (const [rank, { score }] of found.entries()) expect(score).toBeCloseTo(expected[rank]!.score, 12);
}

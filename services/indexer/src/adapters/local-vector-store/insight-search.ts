import { setImmediate as nextTurn } from 'node:timers/promises';

import type { DatabaseSyncInstance } from '@photostructure/sqlite';

import { cosine } from '../../domain/intent/similarity.js';
import { inverseDocumentFrequency, lengthNorm, rarestTerms, termScore } from '../../domain/words.js';
import { CollectionCache } from './collection-cache.js';
import type { IndexEntry, IndexHit } from './collection-index.js';
import type { LessonReader } from './lesson-reader.js';
import {
  type MeaningQuery,
  noInsights,
  type PackedInsights,
  type PackedNearest,
  type WordQuery,
} from './packed-insights.js';
import { type CollectionRecord, type RowReader, seqsOf } from './row-reader.js';
import type { CollectionChange } from './row-writer.js';
import { createSweep, type WordEntry } from './sweep-insights.js';
import { TopK } from './top-k.js';
import { VectorArena } from './vector-arena.js';
import { type DocumentTerms, documentTerms, highestCount, termsHeader } from './word-index.js';

interface InsightSearchOptions {
  dimension: number;
  /** Without it, collections are searched on disk. */
  cacheBytes?: number | undefined;
}

/** Instead of hits, if the collection does not fit in memory. */
export type TooLarge = 'too large';
/** Instead of hits, until its index has been read in. */
type Reading = 'reading';

/** Searches in memory or on disk; reads content only for the hits. */
export function createInsightSearch(
  db: DatabaseSyncInstance,
  { reader, lessons }: { reader: RowReader; lessons: LessonReader },
  options: InsightSearchOptions,
) {
  const { dimension, cacheBytes = 0 } = options;
  const onDisk = options.cacheBytes === undefined;
  const arena = new VectorArena(dimension, cacheBytes);
  const sweep = createSweep(db, dimension);
  const cache = new CollectionCache(arena, cacheBytes, sweep);

  function byWords(collection: CollectionRecord, { text, limit }: WordQuery): PackedInsights | TooLarge | Reading {
    const index = cache.use(collection);
    if (index === 'reading') return index;
    if (!index && !onDisk) return 'too large';
    const terms = documentTerms(text);
    const hits = index
      ? index.searchByWords(terms, limit)
      : searchByWordsStreaming(() => sweep.words(collection.no), terms, limit);
    return packHits(collection, hits);
  }

  function byMeaning(
    collection: CollectionRecord,
    { vector, limit, known }: MeaningQuery,
  ): PackedNearest | TooLarge | Reading {
    const index = cache.use(collection);
    if (index === 'reading') return index;
    if (!index && !onDisk) return 'too large';
    const read = (numbers: number[]) => reader.vectors(collection, numbers);
    const hits = index
      ? index.searchByVector(vector, limit, read)
      : searchByVectorStreaming(sweep.all(collection.no, 1), vector, limit);
    const similarities = index
      ? index.similarities(known, vector, read)
      : read(known).map((found) => found && cosine(vector, found));
    const alreadyKnown = new Set(known);
    return {
      nearest: hits.map(({ n }) => n),
      similarities: hits.map(({ score }) => score),
      known: similarities.map((similarity) => similarity ?? null),
      insights: packHits(
        collection,
        hits.filter(({ n }) => !alreadyKnown.has(n)),
      ),
    };
  }

  function packHits(collection: CollectionRecord, hits: IndexHit[]): PackedInsights {
    if (hits.length === 0) return { ...noInsights, decided: lessons.decidedOn(collection, []) };
    const numbers = hits.map(({ n }) => n);
    return {
      numbers,
      keys: hits.map(({ key }) => key).join('\n'),
      votes: reader.voteCounts(collection, hits.map(nameOf), numbers),
      decided: lessons.decided(collection, seqsOf(collection.no, numbers)),
      ...reader.contents(collection, numbers),
    };
  }

  /** One snapshot for version, insights and content, whatever other processes write. */
  function inSnapshot<Found>(collectionId: string, find: (collection: CollectionRecord) => Found): Found | undefined {
    db.exec('BEGIN');
    try {
      const collection = reader.collection(collectionId);
      return collection && collection.insight_count > 0 ? find(collection) : undefined;
    } finally {
      db.exec('COMMIT');
    }
  }

  /** Lets other calls go first while a large collection is read in. */
  async function whenRead<Found>(collectionId: string, find: (collection: CollectionRecord) => Found | Reading) {
    try {
      for (;;) {
        const found = inSnapshot(collectionId, find);
        if (found !== 'reading') return found;
        await nextTurn();
      }
    } finally {
      cache.stopReading(collectionId);
    }
  }

  return {
    byWords: async (collectionId: string, query: WordQuery): Promise<PackedInsights | TooLarge> =>
      (await whenRead(collectionId, (collection) => byWords(collection, query))) ?? noInsights,
    byMeaning: async (collectionId: string, query: MeaningQuery): Promise<PackedNearest | TooLarge> =>
      (await whenRead(collectionId, (collection) => byMeaning(collection, query))) ?? noneNear,
    /** Call it with every committed write, in order. */
    apply(change: CollectionChange): void {
      cache.apply(change);
    },
  };
}

const noneNear: PackedNearest = { nearest: [], similarities: [], known: [], insights: noInsights };

/** The insight's older name in votes: its key without the attempt. */
function nameOf({ key }: { key: string }): string {
  return key.replace(/\/[^/]*\//, '/');
}

/** Returns the same hits as the in-memory index, read from disk, for collections that do not fit in memory. */
export function searchByVectorStreaming(entries: Iterable<IndexEntry>, query: Float32Array, limit: number): IndexHit[] {
  const top = new TopK<IndexHit>(limit);
  for (const { n, key, vector } of entries) top.offer({ score: cosine(query, vector), key, n });
  return top.best();
}

/**
 * Reads everything twice, first to know how rare the words are: what has them in common may be most of the collection, too
 * much to remember.
 */
export function searchByWordsStreaming(
  entries: () => Iterable<WordEntry>,
  query: DocumentTerms,
  limit: number,
): IndexHit[] {
  const wanted = termNumbers(query);
  const documentFrequency = new Map<number, number>();
  let documents = 0;
  let words = 0;
  for (const { terms } of entries()) {
    documents++;
    words += terms[1] as number;
    for (const term of countsIn(terms, wanted).keys()) {
      documentFrequency.set(term, (documentFrequency.get(term) ?? 0) + 1);
    }
  }

  const found = [...documentFrequency].sort(([a], [b]) => a - b);
  const weighed = found.map(([term, count]) => ({
    term,
    documentFrequency: count,
    weight: inverseDocumentFrequency(documents, count),
  }));
  const rarest = rarestTerms(weighed);
  if (rarest.length === 0) return [];
  const { base, perWord } = lengthNorm(documents, words);
  const top = new TopK<IndexHit>(limit);
  for (const { n, key, terms } of entries()) {
    const counts = countsIn(terms, wanted);
    let score = 0;
    for (const { term, weight } of rarest) {
      const count = counts.get(term);
      if (count !== undefined) score += termScore(weight, count, terms[1] as number, base, perWord);
    }
    if (score > 0 && score >= top.floor) top.offer({ score, key, n });
  }
  return top.best();
}

/** Position of each query term, by the two halves of its hash. */
function termNumbers(query: DocumentTerms): Map<number, { high: number; query: number }[]> {
  const wanted = new Map<number, { high: number; query: number }[]>();
  for (let at = termsHeader; at < query.length; at += 2) {
    const low = query[at] as number;
    const same = wanted.get(low) ?? [];
    same.push({ high: (query[at + 1] as number) >>> 8, query: at });
    wanted.set(low, same);
  }
  return wanted;
}

/** How often each query term occurs, by its position. */
function countsIn(
  terms: DocumentTerms,
  wanted: Map<number, { high: number; query: number }[]>,
): ReadonlyMap<number, number> {
  let counts: Map<number, number> | undefined;
  for (let at = termsHeader; at < terms.length; at += 2) {
    const highAndCount = terms[at + 1] as number;
    const match = wanted.get(terms[at] as number)?.find(({ high }) => high === highAndCount >>> 8);
    if (!match) continue;
    counts ??= new Map();
    counts.set(match.query, highAndCount & highestCount);
  }
  return counts ?? none;
}

const none: ReadonlyMap<number, number> = new Map();

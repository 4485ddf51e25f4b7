import type { DatabaseSyncInstance } from '@photostructure/sqlite';

import { cosine } from '../../domain/intent/similarity.js';
import { inverseFrequency, lengthNorm, mostTelling, termScore } from '../../domain/words.js';
import { CollectionCache } from './collection-cache.js';
import type { IndexEntry, IndexHit } from './collection-index.js';
import {
  type MeaningQuery,
  noInsights,
  type PackedInsights,
  type PackedNearest,
  type WordQuery,
} from './packed-insights.js';
import { type CollectionRecord, createSweepInsights, type RowReader } from './row-reader.js';
import type { CollectionChange } from './row-writer.js';
import { TopK } from './top-k.js';
import { VectorArena } from './vector-arena.js';
import { type DocumentTerms, documentTerms, highestCount, termsHeader } from './word-index.js';

export interface InsightSearchOptions {
  dimension: number;
  cacheBytes: number;
}

/** Searches insights in memory where the collection fits there, on disk otherwise; only what the found ones say is read. */
export function createInsightSearch(db: DatabaseSyncInstance, reader: RowReader, options: InsightSearchOptions) {
  const { dimension, cacheBytes } = options;
  const arena = new VectorArena(dimension, cacheBytes);
  const sweep = createSweepInsights(db, dimension);
  const cache = new CollectionCache(arena, cacheBytes, sweep);

  function byWords(collection: CollectionRecord, { text, limit }: WordQuery): PackedInsights {
    const terms = documentTerms(text);
    const index = cache.use(collection);
    const hits = index
      ? index.searchByWords(terms, limit)
      : searchByWordsStreaming(sweep(collection.no, 1), terms, limit);
    return told(collection, hits);
  }

  function byMeaning(collection: CollectionRecord, { vector, limit, besides }: MeaningQuery): PackedNearest {
    const index = cache.use(collection);
    const hits = index
      ? index.searchByVector(vector, limit)
      : searchByVectorStreaming(sweep(collection.no, 1), vector, limit);
    const similarities = new Map(hits.map(({ n, score }) => [n, score]));
    const similarity = (n: number) =>
      similarities.get(n) ?? (index ? index.similarity(n, vector) : similarityOnDisk(collection, n, vector));
    const had = new Set(besides);
    return {
      nearest: hits.map(({ n }) => n),
      similarities: hits.map(({ score }) => score),
      besides: besides.map((n) => similarity(n) ?? null),
      insights: told(
        collection,
        hits.filter(({ n }) => !had.has(n)),
      ),
    };
  }

  function similarityOnDisk(collection: CollectionRecord, n: number, query: Float32Array): number | undefined {
    const vector = reader.vector(collection, n);
    return vector && cosine(query, vector);
  }

  function told(collection: CollectionRecord, hits: IndexHit[]): PackedInsights {
    if (hits.length === 0) return noInsights;
    const numbers = hits.map(({ n }) => n);
    return {
      numbers,
      keys: hits.map(({ key }) => key).join('\n'),
      votes: reader.voteCounts(collection, hits.map(nameOf)),
      ...reader.contents(collection, numbers),
    };
  }

  /** One snapshot for the version, the insights and what they say, whatever another process writes meanwhile. */
  function inSnapshot<Found>(collectionId: string, find: (collection: CollectionRecord) => Found): Found | undefined {
    db.exec('BEGIN');
    try {
      const collection = reader.collection(collectionId);
      return collection && collection.insight_count > 0 ? find(collection) : undefined;
    } finally {
      db.exec('COMMIT');
    }
  }

  return {
    byWords: (collectionId: string, query: WordQuery): PackedInsights =>
      inSnapshot(collectionId, (collection) => byWords(collection, query)) ?? noInsights,
    byMeaning: (collectionId: string, query: MeaningQuery): PackedNearest =>
      inSnapshot(collectionId, (collection) => byMeaning(collection, query)) ?? nothingNear,
    /** To be called with every committed write, in their order. */
    apply(change: CollectionChange): void {
      cache.apply(change);
    },
  };
}

const nothingNear: PackedNearest = { nearest: [], similarities: [], besides: [], insights: noInsights };

/** What votes call the insight: its key without the attempt. */
function nameOf({ key }: { key: string }): string {
  return key.replace(/\/[^/]*\//, '/');
}

/** The same answer as the index in memory gives, straight from disk: for a collection that does not fit into memory. */
export function searchByVectorStreaming(entries: Iterable<IndexEntry>, query: Float32Array, limit: number): IndexHit[] {
  const top = new TopK<IndexHit>(limit);
  for (const { n, key, vector } of entries) top.offer({ score: cosine(query, vector), key, n });
  return top.best();
}

interface Occurrence {
  query: number;
  count: number;
}

interface Candidate {
  n: number;
  key: string;
  length: number;
  occurrences: Occurrence[];
}

export function searchByWordsStreaming(entries: Iterable<IndexEntry>, query: DocumentTerms, limit: number): IndexHit[] {
  const wanted = termNumbers(query);
  const withTerm = new Map<number, number>();
  let documents = 0;
  let words = 0;
  const candidates: Candidate[] = [];
  for (const { n, key, terms } of entries) {
    const length = terms[1] as number;
    documents++;
    words += length;
    const occurrences = occurrencesIn(terms, wanted);
    if (occurrences.length === 0) continue;
    for (const { query: term } of occurrences) withTerm.set(term, (withTerm.get(term) ?? 0) + 1);
    candidates.push({ n, key, length, occurrences });
  }

  const found = [...withTerm].sort(([a], [b]) => a - b);
  const weighed = found.map(([term, count]) => ({
    term,
    withTerm: count,
    weight: inverseFrequency(documents, count),
  }));
  const telling = mostTelling(weighed);
  const { base, perWord } = lengthNorm(documents, words);
  const top = new TopK<IndexHit>(limit);
  for (const { n, key, length, occurrences } of candidates) {
    let score = 0;
    for (const { term, weight } of telling) {
      const count = occurrences.find((occurrence) => occurrence.query === term)?.count;
      if (count !== undefined) score += termScore(weight, count, length, base, perWord);
    }
    if (score > 0 && score >= top.floor) top.offer({ score, key, n });
  }
  return top.best();
}

/** The place of each term of the query, by the two halves of its hash. */
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

function occurrencesIn(terms: DocumentTerms, wanted: Map<number, { high: number; query: number }[]>): Occurrence[] {
  const found: Occurrence[] = [];
  for (let at = termsHeader; at < terms.length; at += 2) {
    const highAndCount = terms[at + 1] as number;
    const match = wanted.get(terms[at] as number)?.find(({ high }) => high === highAndCount >>> 8);
    if (match) found.push({ query: match.query, count: highAndCount & highestCount });
  }
  return found;
}

import type { DatabaseSyncInstance } from '@photostructure/sqlite';

import { cosine } from '../../domain/intent/similarity.js';
import { CollectionCache } from './collection-cache.js';
import type { IndexHit } from './collection-index.js';
import { documentTerms } from './document-terms.js';
import { noInsights, type PackedInsights, type PackedNearest } from './packed-found.js';
import type { CollectionRecord, RowReader } from './row-reader.js';
import type { CollectionChange } from './row-writer.js';
import type { MeaningQuery, WordQuery } from './store-protocol.js';
import { searchByVectorStreaming, searchByWordsStreaming } from './streaming-search.js';
import { createSweepInsights } from './sweep-insights.js';
import { VectorArena } from './vector-arena.js';

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

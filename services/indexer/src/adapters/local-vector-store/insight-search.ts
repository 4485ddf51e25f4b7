import type { DatabaseSyncInstance } from '@photostructure/sqlite';

import { cosine } from '../../domain/cosine.js';
import type { InsightQuery } from '../../domain/ports.js';
import { CollectionCache } from './collection-cache.js';
import { documentTerms } from './document-terms.js';
import { nothingFound, type PackedFound } from './packed-found.js';
import type { CollectionRecord, RowReader } from './row-reader.js';
import type { CollectionChange } from './row-writer.js';
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

  function searchBothWays(collection: CollectionRecord, { vector, text, limit }: InsightQuery) {
    const terms = documentTerms(text);
    const index = cache.use(collection);
    if (index) {
      return {
        byMeaning: index.searchByVector(vector, limit),
        byWords: index.searchByWords(terms, limit),
        similarity: (n: number) => index.similarity(n, vector),
      };
    }
    return {
      byMeaning: searchByVectorStreaming(sweep(collection.no, 1), vector, limit),
      byWords: searchByWordsStreaming(sweep(collection.no, 1), terms, limit),
      similarity: (n: number) => cosine(vector, reader.vector(collection, n)),
    };
  }

  function search(collection: CollectionRecord, query: InsightQuery): PackedFound {
    const { byMeaning, byWords, similarity } = searchBothWays(collection, query);
    const found = new Map(byMeaning.map(({ n, key, score }) => [n, { key, similarity: score }]));
    for (const { n, key } of byWords) if (!found.has(n)) found.set(n, { key, similarity: similarity(n) });
    const numbers = [...found.keys()];
    const places = new Map(numbers.map((n, place) => [n, place]));
    const insights = [...found.values()];
    return {
      keys: insights.map(({ key }) => key).join('\n'),
      similarities: insights.map((insight) => insight.similarity),
      byMeaning: byMeaning.map(({ n }) => places.get(n) as number),
      byWords: byWords.map(({ n }) => places.get(n) as number),
      votes: reader.voteCounts(collection, insights.map(nameOf)),
      ...reader.contents(collection, numbers),
    };
  }

  return {
    /** One snapshot for the version, the insights and what they say, whatever another process writes meanwhile. */
    find(collectionId: string, query: InsightQuery): PackedFound {
      db.exec('BEGIN');
      try {
        const collection = reader.collection(collectionId);
        return collection && collection.insight_count > 0 ? search(collection, query) : nothingFound;
      } finally {
        db.exec('COMMIT');
      }
    },
    /** To be called with every committed write, in their order. */
    apply(change: CollectionChange): void {
      cache.apply(change);
    },
  };
}

/** What votes call the insight: its key without the attempt. */
function nameOf({ key }: { key: string }): string {
  return key.replace(/\/[^/]*\//, '/');
}

export type InsightSearch = ReturnType<typeof createInsightSearch>;

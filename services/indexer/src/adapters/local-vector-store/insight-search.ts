import type { DatabaseSyncInstance } from '@photostructure/sqlite';

import { CollectionCache } from './collection-cache.js';
import type { CollectionIndex, IndexEntry, IndexHit } from './collection-index.js';
import { documentTerms } from './document-terms.js';
import type { RowReader } from './row-reader.js';
import type { CollectionChange } from './row-writer.js';
import type { PackedHits } from './store-protocol.js';
import { searchByVectorStreaming, searchByWordsStreaming } from './streaming-search.js';
import { createSweepInsights } from './sweep-insights.js';
import { VectorArena } from './vector-arena.js';

export interface InsightSearchOptions {
  dimension: number;
  cacheBytes: number;
}

/** Searches insights in memory where the collection fits there, on disk otherwise; only the rows of the hits are read. */
export function createInsightSearch(db: DatabaseSyncInstance, reader: RowReader, options: InsightSearchOptions) {
  const { dimension, cacheBytes } = options;
  const arena = new VectorArena(dimension, cacheBytes);
  const sweep = createSweepInsights(db, dimension);
  const cache = new CollectionCache(arena, cacheBytes, sweep);

  /** One snapshot for the version, the insights and the rows of the hits, whatever another process writes meanwhile. */
  function search(
    collectionId: string,
    inMemory: (index: CollectionIndex) => IndexHit[],
    onDisk: (entries: Iterable<IndexEntry>) => IndexHit[],
  ): PackedHits {
    db.exec('BEGIN');
    try {
      const collection = reader.collection(collectionId);
      if (!collection || collection.insight_count === 0)
        return { rows: { meta: null, vectors: null, contents: null }, scores: [] };
      const index = cache.use(collection);
      const hits = index ? inMemory(index) : onDisk(sweep(collection.no, 1));
      const numbers = hits.map(({ n }) => n);
      return { rows: reader.rows(collection, numbers), scores: hits.map(({ score }) => score) };
    } finally {
      db.exec('COMMIT');
    }
  }

  return {
    byVector(collectionId: string, vector: Float32Array, limit: number): PackedHits {
      return search(
        collectionId,
        (index) => index.searchByVector(vector, limit),
        (entries) => searchByVectorStreaming(entries, vector, limit),
      );
    },
    byText(collectionId: string, text: string, limit: number): PackedHits {
      const terms = documentTerms(text);
      return search(
        collectionId,
        (index) => index.searchByWords(terms, limit),
        (entries) => searchByWordsStreaming(entries, terms, limit),
      );
    },
    /** To be called with every committed write, in their order. */
    apply(change: CollectionChange): void {
      cache.apply(change);
    },
  };
}

export type InsightSearch = ReturnType<typeof createInsightSearch>;

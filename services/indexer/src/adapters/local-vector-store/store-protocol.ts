import type { DeletionMarker, PageOptions } from '../../domain/ports.js';
import type { RowBatch } from './row-codec.js';
import type { ModelName } from './schema.js';

/** What the store's thread is started with. */
export interface StoreOptions {
  path: string;
  model: ModelName;
  /** Of memory for vectors and words; collections that were not used for long are read again from disk. */
  cacheBytes: number;
}

export interface WordQuery {
  text: string;
  limit: number;
}

export interface MeaningQuery {
  vector: Float32Array;
  limit: number;
  /** Insights that the caller has, by their numbers: how near they are is told too. */
  besides: number[];
}

/** What is asked of the store's thread, by method. */
export interface StoreCalls {
  open: StoreOptions;
  close: undefined;
  hasCollection: { collectionId: string };
  collectionIds: { prefix: string };
  createCollection: { collectionId: string };
  upsert: { collectionId: string; batch: RowBatch };
  rowsOfJob: { collectionId: string; jobId: string };
  page: { collectionId: string; options: PageOptions };
  pageHeads: { collectionId: string; options: PageOptions };
  deleteRows: { collectionId: string; ids: string[] };
  votesOn: { collectionId: string; insights: string[]; limit: number };
  searchByWords: { collectionId: string; query: WordQuery };
  searchByMeaning: { collectionId: string; query: MeaningQuery };
  addMarker: DeletionMarker;
  markers: { collectionId: string };
  listMarkers: undefined;
  expireMarkers: { deletedBefore: number };
  stats: undefined;
}

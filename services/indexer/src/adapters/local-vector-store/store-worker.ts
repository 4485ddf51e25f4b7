import { truncateWal } from '@whetstone/platform/sqlite';
import { AppError, moved, serveWorker } from '@whetstone/platform/worker';

import type {
  DeletionMarker,
  EmbeddingModel,
  Lease,
  LessonQuery,
  MarkerHead,
  PageOptions,
  RowPage,
} from '../../domain/ports.js';
import { createGroupCommit } from './group-commit.js';
import { createInsightSearch } from './insight-search.js';
import { createLeaseTable } from './lease-table.js';
import { LessonReader } from './lesson-reader.js';
import { fillLessons } from './lesson-writer.js';
import type { MeaningQuery, WordQuery } from './packed-insights.js';
import { type PackedRows, type RowBatch, rowsOf } from './packed-rows.js';
import { RowReader } from './row-reader.js';
import { type CollectionChange, RowWriter } from './row-writer.js';
import { openDatabase } from './schema.js';

export interface StoreOptions {
  path: string;
  model: EmbeddingModel;
  /** Memory for search indexes. Without it, collections are searched on disk. */
  cacheBytes?: number | undefined;
}

/** Payloads by method. */
export interface StoreCalls {
  open: StoreOptions;
  close: undefined;
  truncateWal: undefined;
  hasCollection: { collectionId: string };
  collectionIds: { prefix: string };
  createCollection: { collectionId: string };
  removeIfEmpty: { collectionId: string };
  upsert: { collectionId: string; batch: RowBatch };
  countInsights: { collectionId: string };
  rowsOfJobs: { collectionId: string; jobIds: string[] };
  rowsNamed: { collectionId: string; names: string[] };
  page: { collectionId: string; options: RowPage };
  pageHeads: { collectionId: string; options: PageOptions };
  deleteRows: { collectionId: string; ids: string[] };
  votesOn: { collectionId: string; insights: string[]; limit: number };
  lessons: { collectionId: string; query: LessonQuery };
  insightsOf: { collectionId: string; lesson: string; limit: number };
  searchByWords: { collectionId: string; query: WordQuery };
  searchByMeaning: { collectionId: string; query: MeaningQuery };
  addMarker: DeletionMarker;
  markers: { collectionId: string; from: number };
  markerHeads: { collectionId: string };
  listMarkers: { from: number };
  countMarkers: { prefix: string };
  removeMarkers: { markers: MarkerHead[] };
  expireMarkers: { deletedBefore: number };
  acquireLease: { lease: Lease; now: number };
  releaseLease: Lease;
  listLeases: undefined;
  stats: undefined;
}

type Handlers = { [Method in keyof StoreCalls]: (payload: StoreCalls[Method]) => unknown };

/** The store's thread: database, indexes, scans and disk flushes, one at a time. */
let store: ReturnType<typeof openStore> | undefined;

function openStore({ path, model, cacheBytes }: StoreOptions) {
  const db = openDatabase(path, model);
  fillLessons(db);
  const reader = new RowReader(db);
  const writer = new RowWriter(db, reader, model.dimension);
  const lessons = new LessonReader(db, reader);
  const search = createInsightSearch(db, { reader, lessons }, { dimension: model.dimension, cacheBytes });
  const leases = createLeaseTable(db);
  const commit = createGroupCommit(db);
  const apply = (change: CollectionChange | undefined) => {
    if (change) search.apply(change);
  };
  return { db, reader, writer, lessons, leases, search, commit, apply };
}

function opened() {
  if (!store) throw new AppError('store_unavailable', 'The vector store is not open', { retryable: true });
  return store;
}

const handlers: Handlers = {
  open(options) {
    store ??= openStore(options);
  },
  close() {
    store?.db.close();
    store = undefined;
  },
  truncateWal: () => truncateWal(opened().db),
  hasCollection: ({ collectionId }) => opened().reader.collection(collectionId) !== undefined,
  collectionIds: ({ prefix }) => opened().reader.collectionIds(prefix),
  async createCollection({ collectionId }) {
    const { commit, writer } = opened();
    await commit(() => writer.createCollection(collectionId));
  },
  async removeIfEmpty({ collectionId }) {
    const { commit, writer } = opened();
    await commit(() => writer.removeIfEmpty(collectionId));
  },
  async upsert({ collectionId, batch }) {
    const { commit, writer, apply } = opened();
    await commit(() => writer.upsert(collectionId, rowsOf(batch)), apply);
  },
  countInsights: ({ collectionId }) => opened().reader.collection(collectionId)?.insight_count ?? 0,
  rowsOfJobs: ({ collectionId, jobIds }) => movedRows(opened().reader.rowsOfJobs(collectionId, jobIds)),
  rowsNamed: ({ collectionId, names }) => movedRows(opened().reader.rowsNamed(collectionId, names)),
  page: ({ collectionId, options }) => movedRows(opened().reader.page(collectionId, options)),
  pageHeads: ({ collectionId, options }) => movedRows(opened().reader.pageHeads(collectionId, options)),
  async deleteRows({ collectionId, ids }) {
    const { commit, writer, apply } = opened();
    await commit(() => writer.deleteRows(collectionId, ids), apply);
  },
  votesOn({ collectionId, insights, limit }) {
    const { reader } = opened();
    const collection = reader.collection(collectionId);
    return collection ? reader.votes(collection, insights, limit) : '';
  },
  lessons({ collectionId, query }) {
    const found = opened().lessons.lessons(collectionId, query);
    return moved(found, buffersOf(found.contents));
  },
  insightsOf: ({ collectionId, lesson, limit }) => movedRows(opened().reader.insightsOf(collectionId, lesson, limit)),
  async searchByWords({ collectionId, query }) {
    const found = await opened().search.byWords(collectionId, query);
    return found === 'too large' ? found : moved(found, buffersOf(found.contents));
  },
  async searchByMeaning({ collectionId, query }) {
    const found = await opened().search.byMeaning(collectionId, query);
    return found === 'too large' ? found : moved(found, buffersOf(found.insights.contents));
  },
  async addMarker(marker) {
    const { commit, writer } = opened();
    await commit(() => writer.addMarker(marker));
  },
  markers: ({ collectionId, from }) => movedRows(opened().reader.markers(collectionId, from)),
  markerHeads: ({ collectionId }) => opened().reader.markerHeads(collectionId),
  listMarkers: ({ from }) => movedRows(opened().reader.allMarkers(from)),
  countMarkers: ({ prefix }) => opened().reader.countMarkers(prefix),
  async removeMarkers({ markers }) {
    const { commit, writer } = opened();
    await commit(() => writer.removeMarkers(markers));
  },
  async expireMarkers({ deletedBefore }) {
    const { commit, writer } = opened();
    await commit(() => writer.expireMarkers(deletedBefore));
  },
  acquireLease({ lease, now }) {
    const { commit, leases } = opened();
    return commit(() => leases.acquire(lease, now));
  },
  async releaseLease(lease) {
    const { commit, leases } = opened();
    await commit(() => leases.release(lease));
  },
  listLeases: () => opened().leases.list(),
  stats: () => opened().reader.stats(),
};

function movedRows(rows: PackedRows) {
  return moved(rows, buffersOf(rows.vectors, rows.contents));
}

function buffersOf(...values: (Uint8Array | null)[]): ArrayBuffer[] {
  return values.flatMap((bytes) => (bytes ? [bytes.buffer as ArrayBuffer] : []));
}

serveWorker(handlers);

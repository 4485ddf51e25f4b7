import { AppError, createWorkerClient, isAppError, type Logger } from '@whetstone/platform';

import type { EmbeddingModel, FoundInsights, InsightQuery, VectorStore } from '../../domain/ports.js';
import { readInParts } from '../read-in-parts.js';
import { createRevivingWorker } from '../reviving-worker.js';
import { startEraser } from './erase-deleted.js';
import type { TooLarge } from './insight-search.js';
import { unpackLessons } from './lesson-reader.js';
import {
  combineHits,
  type PackedInsights,
  type PackedNearest,
  unpackInsights,
  unpackVotes,
  wordsOnly,
} from './packed-insights.js';
import { batchOf, unpackHeads, unpackMarkers, unpackRows } from './packed-rows.js';
import type { StoreCalls, StoreOptions } from './store-worker.js';
import type { VacuumRequest } from './vacuum-worker.js';
import { createWriteGate } from './write-gate.js';

export interface LocalVectorStoreOptions {
  path: string;
  /** The embedding model; a file holds vectors of one model only. */
  model: EmbeddingModel;
  logger: Logger;
  /** Memory for search indexes; collections that do not fit are searched on disk. */
  cacheBytes?: number;
  /** Erases what deletions leave in the file. For the server; commands open the file only briefly. */
  erases?: boolean;
}

/** Bounds the memory and time that reading the rows of many jobs or names takes at once. */
const valuesPerCall = 500;

/**
 * The vector store in a local SQLite file, with exact search in memory. Everything runs in a worker thread, so that
 * scans and disk flushes never block the caller. Several processes may open the file. Rejects with AppError
 * `model_mismatch` if the file holds vectors of another model.
 */
export async function openLocalVectorStore(options: LocalVectorStoreOptions): Promise<VectorStore> {
  const { path, model, logger, cacheBytes = 512 << 20, erases = false } = options;
  const worker = startThread('vector-store', { path, model, cacheBytes });
  /** Starts when it is needed: searching on disk takes seconds, which nobody else should wait for. */
  const diskWorker = startThread('vector-store-disk', { path, model });
  const searchedOnDisk = new Set<string>();

  function startThread(name: string, storeOptions: StoreOptions) {
    return createRevivingWorker({
      start: () => createWorkerClient(new URL('./store-worker.js', import.meta.url), { name }),
      prepare: (client) => client.call('open', storeOptions),
      onDeath: (error) => logger.warn({ err: error }, 'Vector store thread died; restarting it with the next call'),
    });
  }

  async function call<Result, Method extends keyof StoreCalls>(
    method: Method,
    payload: StoreCalls[Method],
    transfer: ArrayBuffer[] = [],
    thread = worker,
  ): Promise<Result> {
    try {
      return await thread.call<Result>(method, payload, { transfer });
    } catch (error) {
      if (!isAppError(error, 'internal')) throw error;
      throw new AppError('store_unavailable', 'The vector store is unavailable', { retryable: true, cause: error });
    }
  }

  async function find<Result, Method extends 'searchByWords' | 'searchByMeaning'>(
    method: Method,
    payload: StoreCalls[Method],
  ): Promise<Result> {
    const found = await call<Result | TooLarge, Method>(method, payload);
    if (found !== 'too large') return found;
    const { collectionId } = payload;
    if (!searchedOnDisk.has(collectionId)) {
      logger.warn({ collectionId }, 'Collection searched on disk, slowly; raise WHETSTONE_VECTOR_CACHE_MB');
      searchedOnDisk.add(collectionId);
    }
    return call(method, payload, [], diskWorker);
  }

  /** Searches by words first, while the vector may still be pending. */
  async function search(collectionId: string, query: InsightQuery): Promise<FoundInsights> {
    const { text, limit } = query;
    const searched = find<PackedInsights, 'searchByWords'>('searchByWords', { collectionId, query: { text, limit } });
    const unpacked = searched.then((packed) => unpackInsights(collectionId, packed));
    const [byWords, vector] = await Promise.all([unpacked, query.vector]);
    if (!vector) return wordsOnly(byWords);
    const meaning = { vector, limit, known: [...byWords.insights.keys()] };
    const nearest = await find<PackedNearest, 'searchByMeaning'>('searchByMeaning', { collectionId, query: meaning });
    return combineHits(collectionId, byWords, nearest);
  }

  // Opens the file now, so that a mistake shows at the start.
  await call('stats', undefined);
  const gate = createWriteGate();
  const truncateWal = () => call<boolean, 'truncateWal'>('truncateWal', undefined);
  const eraser = erases
    ? await startEraser({ gate, truncateWal, vacuum: (maxBytes) => vacuum({ path, maxBytes }), logger })
    : undefined;

  function write<Result = void, Method extends keyof StoreCalls = keyof StoreCalls>(
    method: Method,
    payload: StoreCalls[Method],
    transfer: ArrayBuffer[] = [],
  ): Promise<Result> {
    return gate.write(() => call(method, payload, transfer));
  }

  return {
    hasCollection: (collectionId) => call('hasCollection', { collectionId }),
    countCollections: async (prefix) => (await call<string[], 'collectionIds'>('collectionIds', { prefix })).length,
    createCollection: (collectionId) => write('createCollection', { collectionId }),
    listCollections: () => call('collectionIds', { prefix: '' }),
    removeIfEmpty: (collectionId) => write('removeIfEmpty', { collectionId }),
    async upsert(collectionId, rows) {
      const batch = batchOf(rows);
      await write('upsert', { collectionId, batch }, [batch.vectors.buffer as ArrayBuffer]);
    },
    countInsights: (collectionId) => call('countInsights', { collectionId }),
    rowsOfJobs: (collectionId, jobIds) =>
      readInParts(jobIds, valuesPerCall, async (some) =>
        unpackRows(collectionId, await call('rowsOfJobs', { collectionId, jobIds: some })),
      ),
    rowsNamed: (collectionId, names) =>
      readInParts(names, valuesPerCall, async (some) =>
        unpackRows(collectionId, await call('rowsNamed', { collectionId, names: some })),
      ),
    page: async (collectionId, page) => unpackRows(collectionId, await call('page', { collectionId, options: page })),
    pageHeads: async (collectionId, page) =>
      unpackHeads(collectionId, await call('pageHeads', { collectionId, options: page })),
    async deleteRows(collectionId, ids) {
      await write('deleteRows', { collectionId, ids });
      eraser?.deleted();
    },
    votesOn: async (collectionId, insights, limit) =>
      unpackVotes(collectionId, await call('votesOn', { collectionId, insights, limit })),
    lessons: async (collectionId, query) => unpackLessons(await call('lessons', { collectionId, query })),
    insightsOf: async (collectionId, lesson, limit) =>
      unpackRows(collectionId, await call('insightsOf', { collectionId, lesson, limit })),
    search,
    addMarker: (marker) => write('addMarker', marker),
    markers: async (collectionId, from) => unpackMarkers(await call('markers', { collectionId, from })),
    markerHeads: (collectionId) => call('markerHeads', { collectionId }),
    listMarkers: async (from) => unpackMarkers(await call('listMarkers', { from })),
    countMarkers: (prefix) => call('countMarkers', { prefix }),
    removeMarkers: (markers) => write('removeMarkers', { markers }),
    expireMarkers: (deletedBefore) => write('expireMarkers', { deletedBefore }),
    acquireLease: (lease, now) => write('acquireLease', { lease, now }),
    releaseLease: (lease) => write('releaseLease', lease),
    listLeases: () => call('listLeases', undefined),
    stats: () => call('stats', undefined),
    async close() {
      await eraser?.stop();
      if (searchedOnDisk.size > 0) await call('close', undefined, [], diskWorker).catch(() => undefined);
      await diskWorker.close();
      await truncateWal().catch((error: unknown) => logger.warn({ err: error }, 'Emptying the write-ahead log failed'));
      await call('close', undefined).catch(() => undefined);
      await worker.close();
    },
  };
}

async function vacuum(request: VacuumRequest): Promise<void> {
  const worker = createWorkerClient(new URL('./vacuum-worker.js', import.meta.url), { name: 'vector-store-vacuum' });
  await worker.call('vacuum', request).finally(() => worker.close());
}

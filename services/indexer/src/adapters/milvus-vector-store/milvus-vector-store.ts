import { isAppError, type Logger } from '@whetstone/platform';

import type { EmbeddingModel, VectorStore } from '../../domain/ports.js';
import { createInsightSearch } from './insight-search.js';
import { createLeaseStore } from './lease-store.js';
import { createLessonStore } from './lesson-store.js';
import { createRetryingCalls, explainOutage, openClient } from './milvus-calls.js';
import type { MilvusConfig } from './milvus-config.js';
import { createPreparedCollection, type Layout, markerLayout, rowLayout } from './prepared-collection.js';
import { collectionName } from './queries.js';
import { headFields, headOf, rowFields, rowOf } from './row-codec.js';
import { createMarkerStore, createRowStore, lookUpVotes } from './row-store.js';
import { checkOtherSets, createPartitions, markersName, shardName, shardOf } from './shards.js';

export interface MilvusVectorStoreOptions {
  config: MilvusConfig;
  /** The embedding model; each model has its own shards. */
  model: EmbeddingModel;
  logger: Logger;
  /** Create shards even if Milvus holds knowledge of other models, to move it there. */
  besideOthers?: boolean;
  /** Reject instead of opening without Milvus: for commands, which cannot wait. */
  mustServe?: boolean;
  /** Limit of Milvus per collection, including the default partition. */
  maxPartitions?: number;
}

/**
 * The vector store on Milvus: a fixed number of Milvus collections (shards), in which every Whetstone collection is a
 * partition.
 *
 * Opens even if Milvus is down, with a warning, unless `mustServe` is set; calls then reject with `store_unavailable`.
 * Rejects with AppError `model_mismatch` if Milvus holds only knowledge of another model or in another layout, and with
 * `invalid_argument` if the credentials or the database are wrong.
 */
export async function openMilvusVectorStore(options: MilvusVectorStoreOptions): Promise<VectorStore> {
  const { config, model, logger, besideOthers = false, mustServe = false, maxPartitions = 1_024 } = options;
  const { dimension } = model;
  const set = { model, shards: config.shards };
  const client = openClient(config);
  const calls = createRetryingCalls({ ...config, logger });
  const prepared = (name: string, layout: Layout) =>
    createPreparedCollection({
      client,
      calls,
      name,
      layout,
      admit: async (operation) => (besideOthers ? undefined : checkOtherSets(client, operation, set)),
    });

  const shards = Array.from({ length: set.shards }, (_, number) => {
    const collection = prepared(shardName(set, number), rowLayout(dimension, config.vectorIndex));
    const rows = createRowStore(client, collection, dimension);
    const partitions = createPartitions(client, collection, maxPartitions);
    return { collection, partitions, rows, lessons: createLessonStore(rows) };
  });
  const shardFor = (id: string) => shards[shardOf(collectionName(id), shards.length)] as (typeof shards)[number];
  const markerCollection = prepared(markersName(set), markerLayout(dimension));
  const markers = createMarkerStore(client, markerCollection);
  const leases = createLeaseStore(client, markerCollection, dimension);
  const search = createInsightSearch(client, config.searchConsistency);

  async function listCollections(): Promise<string[]> {
    return (await Promise.all(shards.map(({ partitions }) => partitions.list()))).flat().sort();
  }

  async function close(): Promise<void> {
    calls.close();
    await client.closeConnection();
  }

  try {
    await Promise.all([markerCollection, ...shards.map(({ collection }) => collection)].map(({ ready }) => ready()));
  } catch (error) {
    const explained = explainOutage(error, config);
    if (mustServe || !isAppError(explained, 'store_unavailable')) {
      await close();
      throw explained;
    }
    const { address } = config;
    logger.warn({ address }, 'Starting without Milvus; nothing is found or stored until it is available');
  }

  return {
    hasCollection: (id) => shardFor(id).partitions.has(id),
    countCollections: async (prefix) => (await listCollections()).filter((id) => id.startsWith(prefix)).length,
    createCollection: (id) => shardFor(id).partitions.create(id),
    listCollections,
    // Dropping a partition cannot depend on its being empty: rows written at the same time would be lost with it.
    removeIfEmpty: async () => undefined,

    async upsert(id, rows) {
      const shard = shardFor(id);
      await shard.rows.upsert(id, rows);
      if (rows.some(({ type }) => type === 'decision')) shard.lessons.forget(id);
    },
    countInsights: async (id) => shardFor(id).rows.countInsights(id),
    rowsOfJobs: async (id, jobIds) => shardFor(id).rows.ofJobs(id, jobIds),
    rowsNamed: async (id, names) => shardFor(id).rows.named(id, names),
    page: async (id, page) => (await shardFor(id).rows.page(id, page, rowFields)).map((record) => rowOf(id, record)),
    pageHeads: async (id, page) =>
      (await shardFor(id).rows.page(id, page, headFields)).map((record) => headOf(id, record)),
    async deleteRows(id, ids) {
      const shard = shardFor(id);
      await shard.rows.deleteRows(id, ids);
      shard.lessons.forget(id);
    },

    async votesOn(collectionId, insights, limit) {
      const query = { collectionId, insights, limit, consistency: 'Strong' } as const;
      return (await lookUpVotes(client, shardFor(collectionId).collection, query)).votes;
    },
    lessons: async (id, query) => shardFor(id).lessons.lessons(id, query),
    insightsOf: async (id, lesson, limit) => shardFor(id).lessons.insightsOf(id, lesson, limit),
    search: (id, query) => search(shardFor(id).collection, id, query),

    addMarker: markers.add,
    markers: markers.of,
    markerHeads: markers.heads,
    listMarkers: markers.all,
    countMarkers: markers.count,
    removeMarkers: markers.remove,
    expireMarkers: markers.expire,

    acquireLease: leases.acquire,
    releaseLease: leases.release,
    listLeases: leases.list,

    async stats() {
      const [ids, ...counts] = await Promise.all([listCollections(), ...shards.map(({ rows }) => rows.count())]);
      return { rows: counts.reduce((sum, count) => sum + count, 0), collections: ids.length };
    },
    close,
  };
}

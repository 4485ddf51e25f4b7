import { hash } from 'node:crypto';
import { AppError, type Logger } from '@whetstone/platform';
import type { MilvusClient } from '@zilliz/milvus2-sdk-node';
import type { EmbeddingModel } from '../../domain/ports.js';
import { createRetryingCalls, explainOutage, type MilvusFailure, type Operation, openClient } from './milvus-calls.js';
import type { MilvusConfig } from './milvus-config.js';
import type { PreparedCollection } from './prepared-collection.js';
import { collectionName } from './queries.js';

/** The Milvus collections that hold the knowledge of one embedding model. */
export interface ShardSet {
  model: EmbeddingModel;
  /** Number of shards. */
  shards: number;
}

const pattern = /^whetstone_(?<model>(?:[A-Za-z0-9]|_[0-9a-f]{2})+)__(?<dimension>\d+)__(?<shard>\d+)of(?<shards>\d+)$/;

/**
 * Contains the model, so that vectors of two models never mix, and the number of shards, which determines the shard of
 * a collection.
 */
export function shardName({ model, shards }: ShardSet, shard: number): string {
  return `${prefixOf(model)}__${shard}of${shards}`;
}

/** The Milvus collection for deletion markers; their vectors depend on the model, too. */
export function markersName({ model }: ShardSet): string {
  return `${prefixOf(model)}__markers`;
}

/** The set that a Milvus collection belongs to; `undefined` if it is not a shard. */
export function shardSetOf(name: string): ShardSet | undefined {
  const parts = pattern.exec(name)?.groups;
  if (!parts) return undefined;
  const { model = '', dimension, shards } = parts;
  return { model: { name: decode(model), dimension: Number(dimension) }, shards: Number(shards) };
}

/** Computed, not stored: indexers always agree. */
export function shardOf(collectionId: string, shards: number): number {
  return hash('sha256', collectionId, 'buffer').readUInt32BE() % shards;
}

function prefixOf({ name, dimension }: EmbeddingModel): string {
  return `whetstone_${encode(name)}__${dimension}`;
}

/** Milvus names consist of letters, digits and underscores: other bytes are hex-encoded. */
function encode(name: string): string {
  const bytes = Buffer.from(name).toString('latin1');
  return bytes.replace(/[^A-Za-z0-9]/g, (byte) => `_${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

function decode(encoded: string): string {
  const bytes = encoded.replace(/_([0-9a-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

async function collectionNames(client: MilvusClient, operation: Operation): Promise<string[]> {
  const { data } = await operation.once((timeout) => client.showCollections({ timeout } as never));
  return data.map(({ name }) => name);
}

async function findShardSets(client: MilvusClient, operation: Operation): Promise<ShardSet[]> {
  const sets = (await collectionNames(client, operation)).flatMap((name) => shardSetOf(name) ?? []);
  return sets.filter((set, index) => sets.findIndex((other) => isSame(set, other)) === index);
}

/**
 * Throws AppError `model_mismatch` if Milvus holds other shard sets but not this one: creating it would silently hide
 * the knowledge.
 */
export async function checkOtherSets(client: MilvusClient, operation: Operation, wanted: ShardSet): Promise<void> {
  const sets = await findShardSets(client, operation);
  if (sets.length === 0 || sets.some((set) => isSame(set, wanted))) return;
  const there = sets.map(describeSet).join(', and of ');
  throw new AppError(
    'model_mismatch',
    `Milvus holds the knowledge of ${there}, but ${describeSet(wanted)} is configured. ` +
      'Configure what Milvus holds, or move the knowledge first: whetstone reindex.',
  );
}

function isSame(one: ShardSet, other: ShardSet): boolean {
  return isSameModel(one, other) && one.shards === other.shards;
}

function isSameModel(one: ShardSet | undefined, { model }: ShardSet): boolean {
  return one?.model.name === model.name && one.model.dimension === model.dimension;
}

function describeSet({ model, shards }: ShardSet): string {
  return `${model.name} (${model.dimension} dimensions, ${shards} shards)`;
}

export interface ManageShardSetsOptions {
  config: Omit<MilvusConfig, 'shards' | 'vectorIndex'>;
  logger: Logger;
}

/** Lists the shard sets in Milvus, one per embedding model and number of shards. Rejects if Milvus is unavailable. */
export function listShardSets(options: ManageShardSetsOptions): Promise<ShardSet[]> {
  return withMilvus(options, findShardSets);
}

/**
 * Checks that indexers could start with this set: Milvus is reachable, accepts the credentials, and holds this set or
 * none. Creates nothing. Rejects with the reason if they could not.
 */
export function checkShardSet(options: ManageShardSetsOptions, set: ShardSet): Promise<void> {
  return withMilvus(options, (client, operation) => checkOtherSets(client, operation, set));
}

/**
 * Permanently deletes a shard set with all its knowledge, for use after a reindex. Throws AppError `invalid_argument`
 * if the set does not exist.
 */
export function dropShardSet(options: ManageShardSetsOptions, set: ShardSet): Promise<void> {
  return withMilvus(options, async (client, operation) => {
    const names = await collectionNames(client, operation);
    const isOfModel = (name: string) => isSameModel(shardSetOf(name), set);
    const isOfSet = (name: string) => isOfModel(name) && shardSetOf(name)?.shards === set.shards;
    if (!names.some(isOfSet)) {
      throw new AppError(
        'invalid_argument',
        `Milvus holds no set of ${set.shards} shards for the model ${set.model.name}`,
      );
    }
    // Markers belong to the model; shard sets of the same model share them.
    const isShared = names.some((name) => isOfModel(name) && !isOfSet(name));
    const doomed = names.filter((name) => isOfSet(name) || (!isShared && name === markersName(set)));
    for (const collection_name of doomed) {
      await operation.once((timeout) => client.dropCollection({ collection_name, timeout }));
    }
  });
}

async function withMilvus<Result>(
  { config, logger }: ManageShardSetsOptions,
  work: (client: MilvusClient, operation: Operation) => Promise<Result>,
): Promise<Result> {
  const client = openClient(config);
  const calls = createRetryingCalls({ ...config, logger });
  try {
    return await calls.withRetries((operation) => work(client, operation));
  } catch (error) {
    throw explainOutage(error, config);
  } finally {
    await client.closeConnection();
  }
}

/** Created by Milvus with every collection; unused. */
const defaultPartition = '_default';

interface Partitions {
  has(collectionId: string): Promise<boolean>;
  /** Does nothing if it exists. Throws AppError `shard_full`. */
  create(collectionId: string): Promise<void>;
  list(): Promise<string[]>;
}

/** The Whetstone collections of one shard: each is a partition of the same name. */
export function createPartitions(client: MilvusClient, shard: PreparedCollection, maxPartitions: number): Partitions {
  const collection_name = shard.name;

  async function exists(operation: Operation, partition_name: string): Promise<boolean> {
    const request = { collection_name, partition_name };
    const { value } = await operation.once((timeout) => client.hasPartition({ ...request, timeout }));
    return Boolean(value);
  }

  async function names(operation: Operation): Promise<string[]> {
    const answer = await operation.once((timeout) => client.listPartitions({ collection_name, timeout }));
    return answer.partition_names;
  }

  return {
    has: (collectionId) => shard.runOperation((operation) => exists(operation, collectionName(collectionId))),
    create: (collectionId) =>
      shard.runOperation(async (operation) => {
        const partition_name = collectionName(collectionId);
        if (await exists(operation, partition_name)) return;
        if ((await names(operation)).length >= maxPartitions) throw full(collection_name);
        try {
          await operation.once((timeout) => client.createPartition({ collection_name, partition_name, timeout }));
        } catch (failure) {
          // If another indexer created it first, the error is unspecific; the retry finds the partition.
          if (/partition.*exceed/i.test((failure as MilvusFailure).message)) throw full(collection_name, failure);
          throw failure;
        }
      }),
    list: () =>
      shard.runOperation(async (operation) => (await names(operation)).filter((name) => name !== defaultPartition)),
  };
}

function full(name: string, cause?: unknown): AppError {
  return new AppError(
    'shard_full',
    `The Milvus collection ${name} has reached the limit of partitions; no collection can be added to this shard. ` +
      'Move the knowledge to more shards: whetstone reindex.',
    { cause },
  );
}

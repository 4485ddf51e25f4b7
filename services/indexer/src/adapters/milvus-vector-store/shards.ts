import { hash } from 'node:crypto';
import { AppError, type Logger } from '@whetstone/platform';
import type { MilvusClient } from '@zilliz/milvus2-sdk-node';

import { createRetryingCalls, explainOutage, type MilvusFailure, type Operation, openClient } from './milvus-calls.js';
import type { MilvusConfig } from './milvus-config.js';
import type { PreparedCollection } from './prepared-collection.js';
import { collectionName } from './queries.js';

/** What makes the vectors. */
export interface ModelName {
  name: string;
  dimension: number;
}

/** The Milvus collections that hold the knowledge of one embedding model. */
export interface ShardSet {
  model: ModelName;
  /** How many shards it is spread over. */
  shards: number;
}

const pattern = /^whetstone_(?<model>(?:[A-Za-z0-9]|_[0-9a-f]{2})+)__(?<dimension>\d+)__(?<shard>\d+)of(?<shards>\d+)$/;

/**
 * The model is part of the name, so that vectors of two models never meet; so is how many shards there are, because that
 * decides where a collection lies.
 */
export function shardName({ model, shards }: ShardSet, shard: number): string {
  return `${prefixOf(model)}__${shard}of${shards}`;
}

/** Where the deletion markers of all collections are: their vectors are of one model, too. */
export function markersName({ model }: ShardSet): string {
  return `${prefixOf(model)}__markers`;
}

/** The set that a Milvus collection belongs to; undefined where it is not a shard of ours. */
export function shardSetOf(name: string): ShardSet | undefined {
  const parts = pattern.exec(name)?.groups;
  if (!parts) return undefined;
  const { model = '', dimension, shards } = parts;
  return { model: { name: decode(model), dimension: Number(dimension) }, shards: Number(shards) };
}

/** Computed, not stored: two indexers can never disagree. */
export function shardOf(collectionId: string, shards: number): number {
  return hash('sha256', collectionId, 'buffer').readUInt32BE() % shards;
}

function prefixOf({ name, dimension }: ModelName): string {
  return `whetstone_${encode(name)}__${dimension}`;
}

/** Milvus takes letters, digits and underscores: everything else is written as the numbers of its bytes. */
function encode(name: string): string {
  return [...Buffer.from(name)]
    .map((byte) => (/[A-Za-z0-9]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : `_${hex(byte)}`))
    .join('');
}

function decode(encoded: string): string {
  const bytes = [...encoded.matchAll(/_([0-9a-f]{2})|(.)/g)].map(([, code, letter]) =>
    code === undefined ? (letter as string).charCodeAt(0) : Number.parseInt(code, 16),
  );
  return Buffer.from(bytes).toString();
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}

async function collectionNames(client: MilvusClient, operation: Operation): Promise<string[]> {
  const { data } = await operation.once((timeout) => client.showCollections({ timeout } as never));
  return data.map(({ name }) => name);
}

/** The sets of shards that Milvus holds. */
async function findShardSets(client: MilvusClient, operation: Operation): Promise<ShardSet[]> {
  const sets = (await collectionNames(client, operation)).flatMap((name) => shardSetOf(name) ?? []);
  return sets.filter((set, index) => sets.findIndex((other) => isSame(set, other)) === index);
}

/**
 * Throws AppError `model_mismatch` where Milvus holds other sets of shards and not this one: to make new ones would hide the
 * knowledge without a word.
 */
export async function checkOtherSets(client: MilvusClient, operation: Operation, wanted: ShardSet): Promise<void> {
  const sets = await findShardSets(client, operation);
  if (sets.length === 0 || sets.some((set) => isSame(set, wanted))) return;
  const there = sets.map(inWords).join(', and of ');
  throw new AppError(
    'model_mismatch',
    `Milvus holds the knowledge of ${there}, but ${inWords(wanted)} is configured. ` +
      'Configure what is there, or move it first: whetstone reindex.',
  );
}

function isSame(one: ShardSet, other: ShardSet): boolean {
  return isSameModel(one, other) && one.shards === other.shards;
}

function isSameModel(one: ShardSet | undefined, { model }: ShardSet): boolean {
  return one?.model.name === model.name && one.model.dimension === model.dimension;
}

function inWords({ model, shards }: ShardSet): string {
  return `${model.name} (${model.dimension} dimensions, ${shards} shards)`;
}

export interface ManageShardSetsOptions {
  config: Omit<MilvusConfig, 'shards'>;
  logger: Logger;
}

/** The sets of shards that Milvus holds, one for each embedding model that has knowledge there. Rejects where it is away. */
export function listShardSets(options: ManageShardSetsOptions): Promise<ShardSet[]> {
  return withMilvus(options, findShardSets);
}

/**
 * Whether indexers could start with this set: Milvus answers and lets us in, and holds this one or none at all. Makes nothing.
 * Rejects with what it is that keeps them from it, where they could not.
 */
export function checkShardSet(options: ManageShardSetsOptions, set: ShardSet): Promise<void> {
  return withMilvus(options, (client, operation) => checkOtherSets(client, operation, set));
}

/**
 * Removes a set of shards with all its knowledge, for good: what is left of a model when its knowledge has been moved. Throws
 * AppError `invalid_argument` where there is no such set.
 */
export function dropShardSet(options: ManageShardSetsOptions, set: ShardSet): Promise<void> {
  return withMilvus(options, async (client, operation) => {
    const names = await collectionNames(client, operation);
    const isOfModel = (name: string) => isSameModel(shardSetOf(name), set);
    const isOfSet = (name: string) => isOfModel(name) && shardSetOf(name)?.shards === set.shards;
    if (!names.some(isOfSet)) {
      throw new AppError('invalid_argument', `Milvus has no ${set.shards} shards of the model ${set.model.name}`);
    }
    // The markers belong to the model, however many shards it is spread over.
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
    return await calls.retried((operation) => work(client, operation));
  } catch (error) {
    throw explainOutage(error, config);
  } finally {
    await client.closeConnection();
  }
}

/** What Milvus makes with every collection; nothing of ours lies in it. */
const defaultPartition = '_default';

interface Partitions {
  has(collectionId: string): Promise<boolean>;
  /** Does nothing where it exists. Throws AppError `shard_full`. */
  create(collectionId: string): Promise<void>;
  list(): Promise<string[]>;
}

/** The collections of one shard: each is a partition of the same name. */
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
    has: (collectionId) => shard.useForSeveral((operation) => exists(operation, collectionName(collectionId))),
    create: (collectionId) =>
      shard.useForSeveral(async (operation) => {
        const partition_name = collectionName(collectionId);
        if (await exists(operation, partition_name)) return;
        if ((await names(operation)).length >= maxPartitions) throw full(collection_name);
        try {
          await operation.once((timeout) => client.createPartition({ collection_name, partition_name, timeout }));
        } catch (failure) {
          // Where another indexer was faster, the error says nothing, and the next try finds the partition.
          if (/partition.*exceed/i.test((failure as MilvusFailure).message)) throw full(collection_name, failure);
          throw failure;
        }
      }),
    list: () =>
      shard.useForSeveral(async (operation) => (await names(operation)).filter((name) => name !== defaultPartition)),
  };
}

function full(name: string, cause?: unknown): AppError {
  return new AppError(
    'shard_full',
    `The Milvus collection ${name} has as many partitions as Milvus allows: no collection can be added to this shard. ` +
      'Move the knowledge to more shards.',
    { cause },
  );
}

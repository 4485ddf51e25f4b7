import { AppError } from '@whetstone/platform';
import type { MilvusClient } from '@zilliz/milvus2-sdk-node';

import { collectionName } from './expressions.js';
import type { MilvusFailure } from './failure.js';
import type { PreparedCollection } from './prepared-collection.js';
import type { Operation } from './retrying-calls.js';

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

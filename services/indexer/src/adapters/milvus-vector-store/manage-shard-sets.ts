import { AppError, type Logger } from '@whetstone/platform';
import type { MilvusClient } from '@zilliz/milvus2-sdk-node';

import { checkOtherSets, collectionNames, findShardSets, isSameModel } from './check-other-sets.js';
import { explainOutage } from './explain-outage.js';
import type { MilvusConfig } from './milvus-config.js';
import { openClient } from './open-client.js';
import { createRetryingCalls, type Operation } from './retrying-calls.js';
import { markersName, type ShardSet, shardSetOf } from './shard-names.js';

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

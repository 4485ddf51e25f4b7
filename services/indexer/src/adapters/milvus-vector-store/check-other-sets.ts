import { AppError } from '@whetstone/platform';
import type { MilvusClient } from '@zilliz/milvus2-sdk-node';

import type { Operation } from './retrying-calls.js';
import { type ShardSet, shardSetOf } from './shard-names.js';

export async function collectionNames(client: MilvusClient, operation: Operation): Promise<string[]> {
  const { data } = await operation.once((timeout) => client.showCollections({ timeout } as never));
  return data.map(({ name }) => name);
}

/** The sets of shards that Milvus holds. */
export async function findShardSets(client: MilvusClient, operation: Operation): Promise<ShardSet[]> {
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

export function isSameModel(one: ShardSet | undefined, { model }: ShardSet): boolean {
  return one?.model.name === model.name && one.model.dimension === model.dimension;
}

function inWords({ model, shards }: ShardSet): string {
  return `${model.name} (${model.dimension} dimensions, ${shards} shards)`;
}

import { AppError } from '@whetstone/platform';
import type { MilvusClient } from '@zilliz/milvus2-sdk-node';

import type { PageOptions, Row } from '../../domain/ports.js';
import { behind, collectionName, isIdOf, ofJob, withIds } from './expressions.js';
import { isMissingPartition, noneIfMissing } from './failure.js';
import { askInOrder, recordsOfAnswer } from './ordered-query.js';
import type { PreparedCollection } from './prepared-collection.js';
import { idOf, type MilvusRecord, recordsOf } from './row-codec.js';

/** Rows can be large, and an answer of Milvus has at most 100 MB: so many of the largest fit. */
const rowsPerRequest = 500;
const idsPerDeletion = 5_000;

/** Reads and writes rows of one shard, those of one collection at a time. Reads are strong. */
export function createRowStore(client: MilvusClient, shard: PreparedCollection, dimension: number) {
  const collection_name = shard.name;

  async function upsert(collectionId: string, rows: Row[]): Promise<void> {
    if (rows.length === 0) return;
    const partition_name = collectionName(collectionId);
    const data = recordsOf(collectionId, dimension, rows) as never[];
    try {
      // A copy for each try: the SDK writes into what it is given.
      await shard.use((timeout) => client.upsert({ collection_name, partition_name, data: [...data], timeout }));
    } catch (error) {
      if (!isMissingPartition(error)) throw error;
      throw new AppError('invalid_argument', 'The collection does not exist; create it before writing');
    }
  }

  async function inOrder(
    collectionId: string,
    expressionAfter: (after: string | undefined) => string,
    { after, limit }: PageOptions,
    fields: string[],
  ): Promise<MilvusRecord[]> {
    const found: MilvusRecord[] = [];
    let last = after;
    while (found.length < limit) {
      const asked = Math.min(rowsPerRequest, limit - found.length);
      const expression = expressionAfter(last);
      const query = {
        collection: collection_name,
        partition: collectionName(collectionId),
        expression,
        fields,
        limit: asked,
      };
      const answer = shard.use((timeout) => askInOrder(client, query, timeout)).then(recordsOfAnswer);
      const records = await answer.catch(noneIfMissing);
      found.push(...records);
      if (records.length < asked) break;
      last = idOf(collectionId, records.at(-1) as MilvusRecord);
    }
    return found;
  }

  async function deleteRows(collectionId: string, ids: string[]): Promise<void> {
    const own = ids.filter((id) => isIdOf(collectionId, id));
    for (let at = 0; at < own.length; at += idsPerDeletion) {
      const filter = withIds(own.slice(at, at + idsPerDeletion));
      const request = { collection_name, partition_name: collectionName(collectionId), filter };
      await shard.use((timeout) => client.deleteEntities({ ...request, timeout })).catch(noneIfMissing);
    }
  }

  async function count(): Promise<number> {
    const request = { collection_name, output_fields: ['count(*)'], consistency_level: 'Strong' as never };
    const { data } = await shard.use((timeout) => client.query({ ...request, timeout }));
    return Number(data[0]?.['count(*)'] ?? 0);
  }

  return {
    upsert,
    count,
    deleteRows,
    page: (collectionId: string, options: PageOptions, fields: string[]) =>
      inOrder(collectionId, (after) => behind(collectionId, after), options, fields),
    ofJob: (collectionId: string, jobId: string, fields: string[]) =>
      inOrder(collectionId, (after) => ofJob(collectionId, jobId, after), { limit: Number.POSITIVE_INFINITY }, fields),
  };
}

import { buildFieldDataMap, type MilvusClient, promisify } from '@zilliz/milvus2-sdk-node';

import type { MilvusRecord } from './row-codec.js';

interface OrderedQuery {
  collection: string;
  /** Absent: all. */
  partition?: string;
  expression: string;
  fields: string[];
  limit: number;
}

interface Answer {
  status: unknown;
  fields_data: Parameters<typeof buildFieldDataMap>[0];
}

/**
 * Records in the order of their keys, strongly consistent. A limited query of the SDK has no order, so that pages would
 * leave rows out; what asks Milvus for one is a parameter that the SDK does not pass on, and so the request is made here.
 */
export function askInOrder(client: MilvusClient, query: OrderedQuery, timeoutMs: number): Promise<Answer> {
  const { collection, partition, expression, fields, limit } = query;
  return promisify(
    client.channelPool,
    'Query',
    {
      collection_name: collection,
      partition_names: partition === undefined ? [] : [partition],
      expr: expression,
      output_fields: fields,
      consistency_level: 'Strong',
      query_params: [
        { key: 'limit', value: String(limit) },
        { key: 'iterator', value: 'True' },
        { key: 'reduce_stop_for_best', value: 'True' },
      ],
    },
    timeoutMs,
  );
}

export function recordsOfAnswer({ fields_data }: Answer): MilvusRecord[] {
  const records: MilvusRecord[] = [];
  for (const [field, values] of buildFieldDataMap(fields_data)) {
    for (const [index, value] of (values as unknown[]).entries()) {
      records[index] ??= {};
      (records[index] as MilvusRecord)[field] = value;
    }
  }
  return records;
}

import { AppError } from '@whetstone/platform';
import { buildFieldDataMap, type MilvusClient, promisify } from '@zilliz/milvus2-sdk-node';

/** Milvus takes letters, digits and underscores for a partition's name. */
const collectionPattern = /^[a-z][a-z0-9_]{0,254}$/;
/** Parts of ids are ours: nothing in them means anything to an expression. */
const partPattern = /^[\w.:-]{1,256}$/;

/** Everything of one collection. The partition is named as well; either alone would do. */
export function ofCollection(collectionId: string): string {
  return `collection_id == ${quoted(collectionName(collectionId))}`;
}

export function insightsOf(collectionId: string): string {
  return `${ofCollection(collectionId)} and type == "insight"`;
}

export function votesOn(collectionId: string, insights: string[]): string {
  for (const name of insights) {
    const [jobId = '', ordinal = '', ...more] = name.split('/');
    const legal = partPattern.test(jobId) && /^\d{1,9}$/.test(ordinal) && more.length === 0;
    if (!legal) throw refused('The name of an insight');
  }
  return `${ofCollection(collectionId)} and about in [${insights.map(quoted).join(',')}]`;
}

export function ofJob(collectionId: string, jobId: string, after?: string): string {
  if (!partPattern.test(jobId)) throw refused('A job id');
  return `${behind(collectionId, after)} and job_id == ${quoted(jobId)}`;
}

/** What comes behind an id in the order of ids; from the beginning where it is none of this collection. */
export function behind(collectionId: string, after: string | undefined): string {
  const everything = ofCollection(collectionId);
  return after !== undefined && isIdOf(collectionId, after) ? `${everything} and id > ${quoted(after)}` : everything;
}

/**
 * By key and nothing else: so it is neither a search that could lag behind, nor wider than its ids, each of which contains
 * its collection.
 */
export function withIds(ids: string[]): string {
  return `id in [${ids.map(quoted).join(',')}]`;
}

/** Of one collection or of all; `after` is the id of a marker, as we made it. */
export function markersOf(collectionId: string | undefined, after: string | undefined): string {
  const parts = [
    collectionId === undefined ? undefined : ofCollection(collectionId),
    after === undefined ? undefined : `id > ${quoted(after)}`,
  ];
  return parts.filter((part) => part !== undefined).join(' and ') || 'id != ""';
}

export function markersBefore(micros: number): string {
  return `deleted_at < ${Math.ceil(micros)}`;
}

/** The name of the collection's partition. */
export function collectionName(collectionId: string): string {
  if (!collectionPattern.test(collectionId)) throw refused('A collection id');
  return collectionId;
}

/** Whether a row of this collection could have this id. */
export function isIdOf(collectionId: string, id: string): boolean {
  const [collection, jobId = '', attempt = '', ordinal = '', ...more] = id.split('/');
  const legal = partPattern.test(jobId) && partPattern.test(attempt) && /^\d{1,9}$/.test(ordinal);
  return collection === collectionId && legal && more.length === 0;
}

/** Of what was checked to need no escaping. */
function quoted(value: string): string {
  return `"${value}"`;
}

function refused(what: string): AppError {
  return new AppError('invalid_argument', `${what} has characters that no id has`);
}

/** What answers hold: a value a field. Numbers of 64 bits come as text. */
export type MilvusRecord = Record<string, unknown>;

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

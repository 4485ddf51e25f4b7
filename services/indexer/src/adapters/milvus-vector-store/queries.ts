import { AppError } from '@whetstone/platform';
import { buildFieldDataMap, type MilvusClient, promisify } from '@zilliz/milvus2-sdk-node';

import { settingsJob } from '../../domain/decisions.js';
import { isInsightName, isLessonId } from '../../domain/insight-names.js';
import type { RowType } from '../../domain/ports.js';

/** Partition names in Milvus consist of letters, digits and underscores. */
const collectionPattern = /^[a-z][a-z0-9_]{0,254}$/;
/** Characters in parts of ids; none has a meaning in expressions. */
const partPattern = /^[\w.:-]{1,256}$/;

/** Selects a collection. Requests also name the partition; either would be enough. */
export function ofCollection(collectionId: string): string {
  return `collection_id == ${quoted(collectionName(collectionId))}`;
}

export function insightsOf(collectionId: string): string {
  return `${ofCollection(collectionId)} and type == "insight"`;
}

/** Votes on insights, and decisions about lessons. */
export function votesOn(collectionId: string, insights: string[], lessons: string[] = []): string {
  if (!lessons.every((lesson) => partPattern.test(lesson))) throw refused('A lesson');
  for (const name of insights) {
    const [jobId = '', ordinal = '', ...more] = name.split('/');
    const legal = partPattern.test(jobId) && /^\d{1,9}$/.test(ordinal) && more.length === 0;
    if (!legal) throw refused('An insight name');
  }
  const types = lessons.length === 0 ? 'type == "vote"' : 'type in ["vote","decision"]';
  return `${ofCollection(collectionId)} and ${types} and ${isIn('about', [...insights, ...lessons])}`;
}

export function ofJobs(collectionId: string, jobIds: string[], after?: string): string {
  if (!jobIds.every((jobId) => partPattern.test(jobId))) throw refused('A job id');
  return `${rowsAfter(collectionId, after)} and ${isIn('job_id', jobIds)}`;
}

export function named(collectionId: string, names: string[], after?: string): string {
  if (!names.every(isInsightName)) throw refused('An insight name');
  return `${rowsAfter(collectionId, after)} and type == "insight" and ${isIn('about', names)}`;
}

/** Insights, votes and decisions: of some lessons, with the settings, or all that there are. */
export function partsOfLessons(collectionId: string, lessons: string[] | undefined, after?: string): string {
  const rows = `${rowsAfter(collectionId, after)} and type in ["insight","vote","decision"]`;
  if (!lessons) return `${rows} and about != ""`;
  if (!lessons.every(isLessonId)) throw refused('A lesson');
  // '/' follows '.' in ASCII: the range contains what starts with the lesson and a dot.
  const ranges = lessons.map((lesson) => `(about > ${quoted(`${lesson}.`)} and about < ${quoted(`${lesson}/`)})`);
  return `${rows} and (${[isIn('about', [...lessons, settingsJob]), ...ranges].join(' or ')})`;
}

/** Rows after an id; from the beginning if the id belongs to another collection. */
export function rowsAfter(collectionId: string, after: string | undefined, type?: RowType): string {
  const everything = `${ofCollection(collectionId)}${type === undefined ? '' : ` and type == ${quoted(type)}`}`;
  return after !== undefined && isIdOf(collectionId, after) ? `${everything} and id > ${quoted(after)}` : everything;
}

/**
 * Selects by primary key only: such a deletion needs no search that could lag rowsAfter, and every id contains its
 * collection.
 */
export function withIds(ids: string[]): string {
  return isIn('id', ids);
}

/** Of one collection or all, from a time on; `after` is a marker id. */
export function markersOf(collectionId: string | undefined, from: number, after: string | undefined): string {
  const parts = [
    collectionId === undefined ? undefined : ofCollection(collectionId),
    `deleted_at >= ${Math.ceil(from)}`,
    isMarker,
    after === undefined ? undefined : `id > ${quoted(after)}`,
  ];
  return parts.filter((part) => part !== undefined).join(' and ');
}

export function markersWithPrefix(prefix: string): string {
  return `collection_id like ${quoted(`${collectionName(prefix)}%`)} and ${isMarker}`;
}

export function markersBefore(micros: number): string {
  return `deleted_at < ${Math.ceil(micros)} and ${isMarker}`;
}

/** Leases are kept with the markers, with a threshold that no cosine reaches. */
export const leaseThreshold = 2;
const isMarker = `threshold < ${leaseThreshold}`;
const isLease = `threshold >= ${leaseThreshold}`;

/** Of one collection or all; `after` is a lease id. */
export function leasesOf(collectionId: string | undefined, after?: string): string {
  const parts = [
    isLease,
    collectionId === undefined ? undefined : ofCollection(collectionId),
    after === undefined ? undefined : `id > ${quoted(after)}`,
  ];
  return parts.filter((part) => part !== undefined).join(' and ');
}

export function leaseId(collectionId: string, holder: string): string {
  if (!partPattern.test(holder)) throw refused('The holder of a lease');
  return `${collectionName(collectionId)}/lease/${holder}`;
}

/** The collection's partition name. */
export function collectionName(collectionId: string): string {
  if (!collectionPattern.test(collectionId)) throw refused('A collection id');
  return collectionId;
}

/** True if the id is well-formed and belongs to the collection. */
export function isIdOf(collectionId: string, id: string): boolean {
  const [collection, jobId = '', attempt = '', ordinal = '', ...more] = id.split('/');
  const legal = partPattern.test(jobId) && partPattern.test(attempt) && /^\d{1,9}$/.test(ordinal);
  return collection === collectionId && legal && more.length === 0;
}

function isIn(field: string, values: string[]): string {
  return `${field} in [${values.map(quoted).join(',')}]`;
}

/** The value must be checked already: it is not escaped. */
function quoted(value: string): string {
  return `"${value}"`;
}

function refused(what: string): AppError {
  return new AppError('invalid_argument', `${what} contains illegal characters`);
}

/** Values by field. 64-bit numbers arrive as strings. */
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
 * Records ordered by key, strongly consistent. The SDK's limited queries have no order, so pages would miss rows; the
 * parameter for ordering is not exposed by the SDK, so the request is sent directly.
 */
export function queryInOrder(client: MilvusClient, query: OrderedQuery, timeoutMs: number): Promise<Answer> {
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

import { hash } from 'node:crypto';
import { AppError } from '@whetstone/platform';
import type { MilvusClient } from '@zilliz/milvus2-sdk-node';

import type { StoredDecision } from '../../domain/decisions.js';
import type { DatedVote, DeletionMarker, MarkerHead, PageOptions, Row, RowPage } from '../../domain/ports.js';
import { readInParts } from '../read-in-parts.js';
import { emptyIfMissing, isMissingPartition } from './milvus-calls.js';
import type { PreparedCollection } from './prepared-collection.js';
import {
  collectionName,
  insightsOf,
  isIdOf,
  type MilvusRecord,
  markersBefore,
  markersOf,
  markersWithPrefix,
  named,
  ofJobs,
  queryInOrder,
  recordsOfAnswer,
  rowsAfter,
  votesOn,
  withIds,
} from './queries.js';
import {
  datedVoteOf,
  idOf,
  recordsOf,
  rowFields,
  rowOf,
  storableText,
  storedDecisionOf,
  vectorOf,
  voteFields,
} from './row-codec.js';

/** A response has at most 100 MB; this many of the largest rows fit. */
const rowsPerRequest = 500;
const idsPerDeletion = 5_000;
/** Keeps expressions short. */
const valuesPerExpression = 500;

/** Reads and writes rows of one shard. Reads are strong. */
export function createRowStore(client: MilvusClient, shard: PreparedCollection, dimension: number) {
  const collection_name = shard.name;

  async function upsert(collectionId: string, rows: Row[]): Promise<void> {
    if (rows.length === 0) return;
    const partition_name = collectionName(collectionId);
    const data = recordsOf(collectionId, dimension, rows) as never[];
    try {
      // The SDK modifies its input: each try gets a copy.
      await shard.use((timeout) => client.upsert({ collection_name, partition_name, data: [...data], timeout }));
    } catch (error) {
      if (!isMissingPartition(error)) throw error;
      throw new AppError('collection_missing', 'The collection does not exist', { retryable: true });
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
      const answer = shard.use((timeout) => queryInOrder(client, query, timeout)).then(recordsOfAnswer);
      const records = await answer.catch(emptyIfMissing);
      found.push(...records);
      if (records.length < asked) break;
      last = idOf(collectionId, records.at(-1) as MilvusRecord);
    }
    return found;
  }

  /** All rows of an expression on any number of values. */
  function whole(
    collectionId: string,
    values: string[],
    expression: (collectionId: string, some: string[], after?: string) => string,
  ): Promise<Row[]> {
    const all = { limit: Number.POSITIVE_INFINITY };
    return readInParts(values, valuesPerExpression, async (some) => {
      const records = await inOrder(collectionId, (after) => expression(collectionId, some, after), all, rowFields);
      return records.map((record) => rowOf(collectionId, record));
    });
  }

  async function deleteRows(collectionId: string, ids: string[]): Promise<void> {
    const own = ids.filter((id) => isIdOf(collectionId, id));
    for (let at = 0; at < own.length; at += idsPerDeletion) {
      const filter = withIds(own.slice(at, at + idsPerDeletion));
      const request = { collection_name, partition_name: collectionName(collectionId), filter };
      await shard.use((timeout) => client.deleteEntities({ ...request, timeout })).catch(emptyIfMissing);
    }
  }

  return {
    upsert,
    count: () => countRecords(client, shard, ''),
    countInsights: (collectionId: string) => countRecords(client, shard, insightsOf(collectionId)),
    deleteRows,
    page: (collectionId: string, options: RowPage, fields: string[]) =>
      inOrder(collectionId, (after) => rowsAfter(collectionId, after, options.type), options, fields),
    ofJobs: (collectionId: string, jobIds: string[]) => whole(collectionId, jobIds, ofJobs),
    named: (collectionId: string, names: string[]) => whole(collectionId, names, named),
    inOrder,
  };
}

/** Strong. */
async function countRecords(client: MilvusClient, collection: PreparedCollection, filter: string): Promise<number> {
  const request = { collection_name: collection.name, filter, output_fields: ['count(*)'] };
  const strong = { consistency_level: 'Strong' as never };
  const { data } = await collection.use((timeout) => client.query({ ...request, ...strong, timeout }));
  return Number(data[0]?.['count(*)'] ?? 0);
}

/** Milvus's limit for one query. */
const maxVotes = 16_384;

interface VoteQuery {
  collectionId: string;
  /** By name. */
  insights: string[];
  /** Whose decisions are wanted. */
  lessons?: string[];
  limit?: number;
  consistency: 'Strong' | 'Bounded';
}

interface VotesAndDecisions {
  votes: DatedVote[];
  decisions: StoredDecision[];
}

/** Looks up votes by insight and decisions by lesson in one request, through the index on `about`. */
export async function lookUpVotes(
  client: MilvusClient,
  shard: PreparedCollection,
  { collectionId, insights, lessons = [], limit = maxVotes, consistency }: VoteQuery,
): Promise<VotesAndDecisions> {
  if (insights.length + lessons.length === 0) return { votes: [], decisions: [] };
  const request = {
    collection_name: shard.name,
    partition_names: [collectionName(collectionId)],
    filter: votesOn(collectionId, insights, lessons),
    output_fields: voteFields,
    limit: Math.min(limit, maxVotes),
    // By name: the SDK treats the numeric value of Strong, 0, as unset.
    consistency_level: consistency as never,
  };
  const answer = shard.use((timeout) => client.query({ ...request, timeout })).then(({ data }) => data);
  const records = await answer.catch(emptyIfMissing);
  const isDecision = (record: MilvusRecord) => record['type'] === 'decision';
  return {
    votes: records.filter((record) => !isDecision(record)).map((record) => datedVoteOf(collectionId, record)),
    decisions: records.filter(isDecision).map(storedDecisionOf),
  };
}

const markerHeadFields = ['id', 'collection_id', 'deleted_at', 'threshold', 'intent'];
const markerFields = [...markerHeadFields, 'vector'];
const pageRows = 1_000;

/**
 * The deletion markers of all collections, in a Milvus collection of their own: a deletion must not create a partition,
 * but must cover uploads to a collection that does not exist yet.
 */
export function createMarkerStore(client: MilvusClient, markers: PreparedCollection) {
  const collection_name = markers.name;

  async function add(marker: DeletionMarker): Promise<void> {
    const { collectionId, deletedAt, threshold, vector } = marker;
    const record = {
      id: markerIdOf(marker),
      collection_id: collectionId,
      deleted_at: deletedAt,
      threshold,
      intent: storableText('intent', marker.intent),
      vector,
    };
    await markers.use((timeout) => client.upsert({ collection_name, data: [record as never], timeout }));
  }

  async function* pages(collectionId: string | undefined, from: number, fields: string[]) {
    let after: string | undefined;
    do {
      const expression = markersOf(collectionId, from, after);
      const query = { collection: collection_name, expression, fields, limit: pageRows };
      const records = recordsOfAnswer(await markers.use((timeout) => queryInOrder(client, query, timeout)));
      yield records;
      after = records.length < pageRows ? undefined : String(records.at(-1)?.['id']);
    } while (after !== undefined);
  }

  async function read(collectionId: string | undefined, from: number): Promise<DeletionMarker[]> {
    const found: DeletionMarker[] = [];
    for await (const page of pages(collectionId, from, markerFields)) {
      found.push(...page.map((record) => ({ ...markerHeadOf(record), vector: vectorOf(record) })));
    }
    return found.sort((a, b) => a.deletedAt - b.deletedAt);
  }

  async function heads(collectionId: string): Promise<MarkerHead[]> {
    const found: MarkerHead[] = [];
    for await (const page of pages(collectionId, 0, markerHeadFields)) found.push(...page.map(markerHeadOf));
    return found;
  }

  async function remove(doomed: MarkerHead[]): Promise<void> {
    for (let at = 0; at < doomed.length; at += idsPerDeletion) {
      const filter = withIds(doomed.slice(at, at + idsPerDeletion).map(markerIdOf));
      await markers.use((timeout) => client.deleteEntities({ collection_name, filter, timeout }));
    }
  }

  async function expire(deletedBefore: number): Promise<void> {
    const request = { collection_name, filter: markersBefore(deletedBefore), consistency_level: 'Strong' };
    await markers.use((timeout) => client.deleteEntities({ ...request, timeout } as never));
  }

  return {
    add,
    remove,
    expire,
    of: read,
    heads,
    all: (from: number) => read(undefined, from),
    count: (prefix: string) => countRecords(client, markers, markersWithPrefix(prefix)),
  };
}

/** Derived from the deletion: adding it twice has no effect, and a marker that was read can be removed. */
function markerIdOf({ collectionId, deletedAt, threshold, intent }: MarkerHead): string {
  const digest = hash('sha256', JSON.stringify([threshold, storableText('intent', intent)]), 'hex').slice(0, 24);
  return `${collectionId}/${deletedAt}/${digest}`;
}

function markerHeadOf(record: MilvusRecord): MarkerHead {
  return {
    collectionId: String(record['collection_id']),
    intent: String(record['intent']),
    threshold: Number(record['threshold']),
    deletedAt: Number(record['deleted_at']),
  };
}

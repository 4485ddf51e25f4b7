import { hash } from 'node:crypto';

import type { MilvusClient } from '@zilliz/milvus2-sdk-node';

import type { DeletionMarker } from '../../domain/ports.js';
import { markersBefore, markersOf } from './expressions.js';
import { askInOrder, recordsOfAnswer } from './ordered-query.js';
import type { PreparedCollection } from './prepared-collection.js';
import { type MilvusRecord, sound, vectorOf } from './row-codec.js';

const fields = ['id', 'collection_id', 'deleted_at', 'threshold', 'intent', 'vector'];
const pageRows = 1_000;

/**
 * The deletion markers of all collections, in a Milvus collection of their own: a deletion must not make a partition, and an
 * upload may still be on its way to a collection that does not exist yet.
 */
export function createMarkerStore(client: MilvusClient, markers: PreparedCollection) {
  const collection_name = markers.name;

  async function add(marker: DeletionMarker): Promise<void> {
    const { collectionId, deletedAt, threshold, vector } = marker;
    const record = {
      id: idOf(marker),
      collection_id: collectionId,
      deleted_at: deletedAt,
      threshold,
      intent: sound('intent', marker.intent),
      vector,
    };
    await markers.use((timeout) => client.upsert({ collection_name, data: [record as never], timeout }));
  }

  /** Of one collection, or of all. */
  async function read(collectionId?: string): Promise<DeletionMarker[]> {
    const found: DeletionMarker[] = [];
    let after: string | undefined;
    do {
      const query = {
        collection: collection_name,
        expression: markersOf(collectionId, after),
        fields,
        limit: pageRows,
      };
      const records = recordsOfAnswer(await markers.use((timeout) => askInOrder(client, query, timeout)));
      found.push(...records.map(markerOf));
      after = records.length < pageRows ? undefined : String(records.at(-1)?.['id']);
    } while (after !== undefined);
    return found.sort((a, b) => a.deletedAt - b.deletedAt);
  }

  async function expire(deletedBefore: number): Promise<void> {
    const request = { collection_name, filter: markersBefore(deletedBefore), consistency_level: 'Strong' };
    await markers.use((timeout) => client.deleteEntities({ ...request, timeout } as never));
  }

  return { add, of: (collectionId: string) => read(collectionId), all: () => read(), expire };
}

/** The same for the same deletion, so that adding it once more changes nothing. */
function idOf({ collectionId, deletedAt, threshold, intent }: DeletionMarker): string {
  const digest = hash('sha256', JSON.stringify([threshold, intent]), 'hex').slice(0, 24);
  return `${collectionId}/${deletedAt}/${digest}`;
}

function markerOf(record: MilvusRecord): DeletionMarker {
  return {
    collectionId: String(record['collection_id']),
    intent: String(record['intent']),
    vector: vectorOf(record),
    threshold: Number(record['threshold']),
    deletedAt: Number(record['deleted_at']),
  };
}

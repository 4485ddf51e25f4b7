import { sleep } from '@whetstone/platform';
import type { MilvusClient } from '@zilliz/milvus2-sdk-node';

import type { Lease } from '../../domain/ports.js';
import { voteVector } from '../../domain/votes.js';
import type { PreparedCollection } from './prepared-collection.js';
import {
  leaseId,
  leasesOf,
  leaseThreshold,
  type MilvusRecord,
  queryInOrder,
  recordsOfAnswer,
  withIds,
} from './queries.js';

const fields = ['id', 'collection_id', 'intent', 'deleted_at'];
const pageRows = 1_000;
/** How often, and after which pause, a holder looks whether its rivals have given up. */
const mostLooks = 10;
const pauseMs = 100;

/**
 * Leases, in the Milvus collection of the markers: one record per collection and holder, with the holder as its intent
 * and the end of the lease as its time.
 *
 * Milvus has no compare-and-set. A holder writes its record, then looks: it has the lease once it sees no rival. Of two
 * that write at the same time, at least the one that looks last sees the other; the greater name gives up, and the
 * smaller waits for that.
 */
export function createLeaseStore(client: MilvusClient, markers: PreparedCollection, dimension: number) {
  const collection_name = markers.name;

  async function read(collectionId?: string): Promise<Lease[]> {
    const found: Lease[] = [];
    for (let after: string | undefined; ; ) {
      const expression = leasesOf(collectionId, after);
      const query = { collection: collection_name, expression, fields, limit: pageRows };
      const records = recordsOfAnswer(await markers.use((timeout) => queryInOrder(client, query, timeout)));
      found.push(...records.map(leaseOf));
      if (records.length < pageRows) return found;
      after = String(records.at(-1)?.['id']);
    }
  }

  async function write({ collectionId, holder, expiresAt }: Lease): Promise<void> {
    const record = {
      id: leaseId(collectionId, holder),
      collection_id: collectionId,
      deleted_at: expiresAt,
      threshold: leaseThreshold,
      intent: holder,
      vector: voteVector(dimension),
    };
    await markers.use((timeout) => client.upsert({ collection_name, data: [record as never], timeout }));
  }

  async function remove(leases: Lease[]): Promise<void> {
    if (leases.length === 0) return;
    const filter = withIds(leases.map(({ collectionId, holder }) => leaseId(collectionId, holder)));
    await markers.use((timeout) => client.deleteEntities({ collection_name, filter, timeout }));
  }

  async function acquire(lease: Lease, now: number): Promise<boolean> {
    const isOurs = ({ holder }: Lease) => holder === lease.holder;
    const isCurrent = ({ expiresAt }: Lease) => expiresAt > now;
    const known = await read(lease.collectionId);
    const isHolder = known.some((one) => isOurs(one) && isCurrent(one));
    const others = known.filter((one) => !isOurs(one));
    if (!isHolder && others.some(isCurrent)) return false;
    await remove(others.filter((one) => !isCurrent(one)));
    await write(lease);
    return isHolder || prevails(lease, now);
  }

  async function prevails(lease: Lease, now: number): Promise<boolean> {
    for (let looks = 1; looks <= mostLooks; looks++) {
      const current = (await read(lease.collectionId)).filter(({ expiresAt }) => expiresAt > now);
      const rivals = current.map(({ holder }) => holder).filter((holder) => holder !== lease.holder);
      if (rivals.length === 0) return true;
      if (rivals.some((rival) => rival < lease.holder)) break;
      await sleep(pauseMs);
    }
    await remove([lease]);
    return false;
  }

  return { acquire, release: (lease: Lease) => remove([lease]), list: () => read() };
}

function leaseOf(record: MilvusRecord): Lease {
  return {
    collectionId: String(record['collection_id']),
    holder: String(record['intent']),
    expiresAt: Number(record['deleted_at']),
  };
}

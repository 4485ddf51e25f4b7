import type { Micros } from '@whetstone/contracts';
import { prefixOfCollection } from '@whetstone/identity';
import { AppError, isAppError } from '@whetstone/platform';

import { erases } from './markers.js';
import type { Row, VectorStore } from './ports.js';

/** Whether rows can be written, or were erased with their collection. */
export type Prepared = 'ready' | 'erased';

/**
 * Creates the collection if needed, but not for an upload that was erased with it. Two concurrent first writes may
 * exceed the limit by one: an exact count would need a lock across indexers, and the limit only has to stop thousands.
 */
export async function prepareCollection(
  store: VectorStore,
  { collectionId, acceptedAt }: { collectionId: string; acceptedAt: Micros },
  limit: number,
): Promise<Prepared> {
  if (await store.hasCollection(collectionId)) return 'ready';
  if ((await store.markers(collectionId, acceptedAt)).some(erases)) return 'erased';
  if ((await store.countCollections(prefixOfCollection(collectionId))) >= limit) {
    throw new AppError(
      'too_many_collections',
      `The account has reached its limit of ${limit} collections; use an existing tenant_id or ask for a higher limit`,
    );
  }
  await store.createCollection(collectionId);
  return 'ready';
}

const mostTries = 5;

/** Writes rows of one collection. If that is erased and removed meanwhile, prepares it again. */
export async function writeRows(store: VectorStore, rows: Row[], prepare: () => Promise<Prepared>): Promise<Prepared> {
  const [{ collectionId }] = rows as [Row];
  for (let tries = 1; ; tries++) {
    try {
      await store.upsert(collectionId, rows);
      return 'ready';
    } catch (error) {
      if (!isAppError(error, 'collection_missing') || tries === mostTries) throw error;
    }
    if ((await prepare()) === 'erased') return 'erased';
  }
}

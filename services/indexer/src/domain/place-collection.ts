import { prefixOfCollection } from '@whetstone/identity';
import { AppError } from '@whetstone/platform';

import type { VectorStore } from './ports.js';

/**
 * Makes sure that a collection is there to be written to. Two first writes at one moment may exceed the limit by one: it
 * guards the store against thousands, and a count that is exact would need a lock across indexers.
 */
export async function placeCollection(store: VectorStore, collectionId: string, limit: number): Promise<void> {
  if (await store.hasCollection(collectionId)) return;
  if ((await store.countCollections(prefixOfCollection(collectionId))) >= limit) {
    throw new AppError(
      'too_many_collections',
      `The account has reached its limit of ${limit} collections; use an existing tenant_id or ask for a higher limit`,
    );
  }
  await store.createCollection(collectionId);
}

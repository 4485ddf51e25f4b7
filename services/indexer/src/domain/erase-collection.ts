import type { EraseCollectionRequest, EraseCollectionResult } from '@whetstone/contracts';
import type { CallContext, Clock } from '@whetstone/platform';

import { deleteMatching, type Target } from './delete-matching.js';
import { addMarker, deletionTime, erasingMarker, isImplausible, type MarkerLimits } from './markers.js';
import type { Embedder, VectorStore } from './ports.js';

interface EraseCollectionDeps {
  store: VectorStore;
  embedder: Pick<Embedder, 'model'>;
  clock: Clock;
}

/**
 * Deletes everything that was accepted until the request: rows of all types, and earlier markers. Works like a deletion
 * by intent that matches everything, but never touches what was accepted later. The collection itself goes when nothing
 * is left in it.
 */
export function createEraseCollection({ store, embedder, clock }: EraseCollectionDeps, limits: MarkerLimits) {
  return async function eraseCollection(
    { collectionId, requestedAt }: EraseCollectionRequest,
    { signal }: CallContext,
  ): Promise<EraseCollectionResult> {
    const now = clock.now();
    const erasedAt = deletionTime(requestedAt, now);
    await addMarker(store, erasingMarker(collectionId, erasedAt, embedder.model.dimension), limits);
    const target: Target = {
      collectionId,
      matches: ({ acceptedAt }) => acceptedAt <= erasedAt || isImplausible(acceptedAt, now),
      signal,
    };
    let deletedCount = 0;
    for (let left = true; left; ) {
      const { rows, insights } = await deleteMatching(store, target);
      deletedCount += insights;
      left = rows > 0;
    }
    await store.removeIfEmpty(collectionId);
    return { deletedCount };
  };
}

export type EraseCollection = ReturnType<typeof createEraseCollection>;

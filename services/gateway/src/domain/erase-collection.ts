import type { EraseCollectionQuery, EraseResult, Micros } from '@whetstone/contracts';
import type { CallContext } from '@whetstone/platform';
import type { KnowledgeRemover } from './ports.js';
import type { Caller, ResolveCollection } from './resolve-collection.js';

interface EraseCollectionDeps {
  indexer: Pick<KnowledgeRemover, 'eraseCollection'>;
  resolveCollection: ResolveCollection;
}

/** Erases what was accepted up to `requestedAt`, the arrival of the request. */
export type EraseCollection = (
  caller: Caller,
  query: EraseCollectionQuery,
  requestedAt: Micros,
  call: CallContext,
) => Promise<EraseResult>;

export function createEraseCollection({ indexer, resolveCollection }: EraseCollectionDeps): EraseCollection {
  return async (caller, { tenantId }, requestedAt, call) => {
    const collectionId = resolveCollection(caller, tenantId);
    const { deletedCount } = await indexer.eraseCollection({ collectionId, requestedAt }, call);
    return { deleted_count: deletedCount, status: 'Successfully erased the collection' };
  };
}

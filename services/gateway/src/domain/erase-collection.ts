import type { EraseCollectionQuery, EraseResult, Micros } from '@whetstone/contracts';
import type { AuditTrail } from '@whetstone/identity';
import type { CallContext } from '@whetstone/platform';
import type { DataKeyEraser, KnowledgeRemover } from './ports.js';
import type { Caller, ResolveCollection } from './resolve-collection.js';

interface EraseCollectionDeps {
  audit: AuditTrail;
  dataKeys: DataKeyEraser;
  indexer: Pick<KnowledgeRemover, 'eraseCollection'>;
  resolveCollection: ResolveCollection;
}

/**
 * Erases what was accepted up to `requestedAt`, the arrival of the request. The data keys are destroyed last: the indexer
 * may refuse, and then nothing is lost. An erasure that fails halfway is completed by the next one.
 */
export type EraseCollection = (
  caller: Caller,
  query: EraseCollectionQuery,
  requestedAt: Micros,
  call: CallContext,
) => Promise<EraseResult>;

export function createEraseCollection(deps: EraseCollectionDeps): EraseCollection {
  const { audit, dataKeys, indexer, resolveCollection } = deps;
  return async (caller, { tenantId }, requestedAt, call) => {
    const collectionId = resolveCollection(caller, tenantId);
    const erase = async () => {
      const destroyKeys = await dataKeys.retire(collectionId);
      const { deletedCount } = await indexer.eraseCollection({ collectionId, requestedAt }, call);
      await destroyKeys(call.signal);
      return deletedCount;
    };
    const { account, keyId } = caller;
    const decision = { account, keyId, action: 'collection.erased', tenantId } as const;
    const deletedCount = await audit.record(decision, erase, (count) => ({ details: { deleted_count: count } }));
    return { deleted_count: deletedCount, status: 'Successfully erased the collection' };
  };
}

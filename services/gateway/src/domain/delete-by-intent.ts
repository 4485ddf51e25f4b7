import type { DeleteByIntentQuery, DeleteResult, Micros } from '@whetstone/contracts';
import type { AuditTrail } from '@whetstone/identity';
import type { CallContext } from '@whetstone/platform';
import type { KnowledgeRemover } from './ports.js';
import type { Redactor } from './redactor.js';
import type { Caller, ResolveCollection } from './resolve-collection.js';

interface DeleteByIntentDeps {
  audit: AuditTrail;
  indexer: KnowledgeRemover;
  redactor: Pick<Redactor, 'redactText'>;
  resolveCollection: ResolveCollection;
}

/**
 * Deletes what was accepted up to `requestedAt`, the arrival of the request. The intent is redacted like uploads are, so that
 * the same words match and the deletion's own record holds no secret.
 */
export type DeleteByIntent = (
  caller: Caller,
  query: DeleteByIntentQuery,
  requestedAt: Micros,
  call: CallContext,
) => Promise<DeleteResult>;

export function createDeleteByIntent(deps: DeleteByIntentDeps): DeleteByIntent {
  const { audit, indexer, redactor, resolveCollection } = deps;
  return async (caller, { tenantId, intent, similarityThreshold, dryRun }, requestedAt, call) => {
    const collectionId = resolveCollection(caller, tenantId);
    const request = { collectionId, intent: redactor.redactText(intent), similarityThreshold, requestedAt, dryRun };
    const search = () => indexer.deleteByIntent(request, call);
    if (!dryRun) {
      const { account, keyId } = caller;
      const details = { similarity_threshold: similarityThreshold };
      const decision = { account, keyId, action: 'knowledge.deleted', tenantId, details } as const;
      const { deletedCount } = await audit.record(decision, search, (result) => ({
        details: { deleted_count: result.deletedCount },
      }));
      return { deleted_count: deletedCount, status: 'Successfully deleted matching documents' };
    }
    const { deletedCount, matches, remainingCount } = await search();
    return {
      deleted_count: deletedCount,
      status: 'Dry run: nothing was deleted',
      ...(remainingCount === undefined ? {} : { remaining_count: remainingCount }),
      matches: matches.map(({ id, intent: matched, similarity }) => ({ id, intent: matched, similarity })),
    };
  };
}

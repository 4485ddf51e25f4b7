import type { DeleteByIntentQuery, DeleteResult, Micros } from '@whetstone/contracts';
import type { CallContext } from '@whetstone/platform';
import type { KnowledgeRemover } from './ports.js';
import type { Redactor } from './redactor.js';
import type { Caller, ResolveCollection } from './resolve-collection.js';

interface DeleteByIntentDeps {
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

export function createDeleteByIntent({ indexer, redactor, resolveCollection }: DeleteByIntentDeps): DeleteByIntent {
  return async (caller, { tenantId, intent, similarityThreshold, dryRun }, requestedAt, call) => {
    const collectionId = resolveCollection(caller, tenantId);
    const { deletedCount, matches, remainingCount } = await indexer.deleteByIntent(
      { collectionId, intent: redactor.redactText(intent), similarityThreshold, requestedAt, dryRun },
      call,
    );
    if (!dryRun) return { deleted_count: deletedCount, status: 'Successfully deleted matching documents' };
    return {
      deleted_count: deletedCount,
      status: 'Dry run: nothing was deleted',
      ...(remainingCount === undefined ? {} : { remaining_count: remainingCount }),
      matches: matches.map(({ id, intent: matched, similarity }) => ({ id, intent: matched, similarity })),
    };
  };
}

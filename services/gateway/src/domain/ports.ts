import type {
  DeleteByIntentRequest,
  DeleteByIntentResult,
  EnhanceRequest,
  EnhanceResult,
  EraseCollectionRequest,
  EraseCollectionResult,
  GetJobRequest,
  JobState,
} from '@whetstone/contracts';
import type { CallContext } from '@whetstone/platform';

/** What the gateway needs of the analyser. Rejects with AppError; `retryable` if retrying may help. */
export interface Enhancer {
  enhance(request: EnhanceRequest, call: CallContext): Promise<EnhanceResult>;
}

/** What the gateway needs of the indexer. After a rejection, part of the deletion may have happened. */
export interface KnowledgeRemover {
  deleteByIntent(request: DeleteByIntentRequest, call: CallContext): Promise<DeleteByIntentResult>;
  eraseCollection(request: EraseCollectionRequest, call: CallContext): Promise<EraseCollectionResult>;
}

/** What the gateway needs of status. Called only with ids that verify. */
export interface JobLookup {
  getJob(request: GetJobRequest, call: CallContext): Promise<JobState>;
}

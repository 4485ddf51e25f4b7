import type {
  DeleteByIntentRequest,
  DeleteByIntentResult,
  EnhanceRequest,
  EnhanceResult,
  GetJobRequest,
  JobState,
} from '@whetstone/contracts';
import type { CallContext } from '@whetstone/platform';

/** The analyser, as the gateway needs it. Rejects with AppError; `retryable` means that trying again makes sense. */
export interface Enhancer {
  enhance(request: EnhanceRequest, call: CallContext): Promise<EnhanceResult>;
}

/** The indexer, as the gateway needs it. A rejection leaves open how much was deleted. */
export interface KnowledgeRemover {
  deleteByIntent(request: DeleteByIntentRequest, call: CallContext): Promise<DeleteByIntentResult>;
}

/** The status service, as the gateway needs it. Asked only for ids that verify. */
export interface JobLookup {
  getJob(request: GetJobRequest, call: CallContext): Promise<JobState>;
}

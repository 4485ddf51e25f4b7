import type {
  AcceptedUpload,
  DeleteByIntentRequest,
  DeleteByIntentResult,
  EnhanceRequest,
  EnhanceResult,
  GetJobRequest,
  JobState,
} from '@whetstone/contracts';
import type { CallContext } from '@whetstone/platform';

/**
 * The durable list of accepted uploads. `append` resolves only when the upload survives whatever the log promises to
 * survive; a rejection leaves open whether it is there. Rejects with AppError `log_unavailable` (retryable) or `too_large`.
 */
export interface UploadLog {
  append(upload: AcceptedUpload): Promise<void>;
}

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

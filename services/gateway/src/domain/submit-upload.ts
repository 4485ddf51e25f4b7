import type { AcceptedUpload, AgentKnowledgeUpload } from '@whetstone/contracts';
import type { JobIds } from '@whetstone/identity';
import type { Clock } from '@whetstone/platform';
import { interactionOf } from './interaction-of.js';
import type { Redactor } from './redactor.js';
import type { Caller, ResolveCollection } from './resolve-collection.js';

interface SubmitUploadDeps {
  /**
   * Resolves once the upload is durable; a rejection leaves open whether it is. Rejects with AppError `log_unavailable`
   * (retryable) or `too_large`.
   */
  append(upload: AcceptedUpload): Promise<void>;
  clock: Clock;
  jobIds: JobIds;
  redactor: Redactor;
  resolveCollection: ResolveCollection;
}

interface Submission {
  upload: AgentKnowledgeUpload;
  /** SHA-256 (hex) of the body. */
  bodyDigest: string;
  idempotencyKey?: string;
}

export type SubmitUpload = (caller: Caller, submission: Submission) => Promise<{ jobId: string }>;

/** The append accepts the upload. Everything that can be refused is refused before it. */
export function createSubmitUpload(deps: SubmitUploadDeps): SubmitUpload {
  const { append, clock, jobIds, redactor, resolveCollection } = deps;

  return async (caller, { upload, bodyDigest, idempotencyKey }) => {
    const collectionId = resolveCollection(caller, upload.tenant_id);
    const acceptedAt = clock.now();
    const idempotency = idempotencyKey === undefined ? undefined : { key: idempotencyKey, bodyDigest };
    const jobId = jobIds.issue({ account: caller.account, collectionId }, acceptedAt, idempotency);

    const accepted: AcceptedUpload = {
      jobId,
      collectionId,
      keyId: caller.keyId,
      ...(caller.trust === undefined ? {} : { trust: caller.trust }),
      acceptedAt,
      bodyDigest,
      interaction: redactor.redact(interactionOf(upload, redactor.redactJson)),
    };
    await append(accepted);
    return { jobId };
  };
}

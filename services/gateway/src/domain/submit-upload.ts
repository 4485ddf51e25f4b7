import type { AcceptedUpload, AgentKnowledgeUpload } from '@whetstone/contracts';
import type { JobIds } from '@whetstone/identity';
import type { Clock } from '@whetstone/platform';

import type { Caller } from './caller.js';
import { interactionOf } from './interaction-of.js';
import type { UploadLog } from './ports.js';
import type { Redactor } from './redaction/redactor.js';
import type { ResolveCollection } from './resolve-collection.js';

export interface SubmitUploadDeps {
  clock: Clock;
  jobIds: JobIds;
  log: UploadLog;
  redactor: Redactor;
  resolveCollection: ResolveCollection;
}

export interface Submission {
  upload: AgentKnowledgeUpload;
  /** SHA-256 (hex) of the body. */
  bodyDigest: string;
  idempotencyKey?: string;
}

export type SubmitUpload = (caller: Caller, submission: Submission) => Promise<{ jobId: string }>;

/**
 * Accepts an upload: one append, and it is accepted; no append, and it is not.
 *
 * Whatever can be refused is refused before the append, so that a job exists only for what should be processed.
 */
export function createSubmitUpload(deps: SubmitUploadDeps): SubmitUpload {
  const { clock, jobIds, log, redactor, resolveCollection } = deps;

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
    await log.append(accepted);
    return { jobId };
  };
}

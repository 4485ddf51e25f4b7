import type { UploadToAppend } from '@whetstone/contracts';
import type { JobIds } from '@whetstone/identity';
import type { Clock } from '@whetstone/platform';
import { type Caller, nameOfCollection, type ResolveCollection } from './resolve-collection.js';

interface SubmitUploadDeps {
  /**
   * Resolves once the upload is durable, and with it the name of its collection; a rejection leaves open whether it is. Rejects with AppError `log_unavailable`
   * (retryable) or `too_large`.
   */
  append(upload: UploadToAppend, name: string | undefined): Promise<void>;
  clock: Clock;
  jobIds: JobIds;
  resolveCollection: ResolveCollection;
}

interface Submission {
  tenantId: string;
  /** Without secrets. The one of a large upload is packed already. */
  interaction: UploadToAppend['interaction'];
  /** SHA-256 (hex) of the body. */
  bodyDigest: string;
  idempotencyKey?: string;
}

export type SubmitUpload = (caller: Caller, submission: Submission) => Promise<{ jobId: string }>;

/** The append accepts the upload. Everything that can be refused is refused before it. */
export function createSubmitUpload(deps: SubmitUploadDeps): SubmitUpload {
  const { append, clock, jobIds, resolveCollection } = deps;

  return async (caller, { tenantId, interaction, bodyDigest, idempotencyKey }) => {
    const collectionId = resolveCollection(caller, tenantId);
    const acceptedAt = clock.now();
    const idempotency = idempotencyKey === undefined ? undefined : { key: idempotencyKey, bodyDigest };
    const jobId = jobIds.issue({ account: caller.account, collectionId }, acceptedAt, idempotency);

    const upload: UploadToAppend = { jobId, collectionId, keyId: caller.keyId, acceptedAt, bodyDigest, interaction };
    if (caller.trust !== undefined) upload.trust = caller.trust;
    await append(upload, nameOfCollection(tenantId));
    return { jobId };
  };
}

import { type AuditAction, type AuditEntry, defaultScopes, type KeyEvent } from '@whetstone/contracts';
import type { Clock } from '@whetstone/platform';
import { isAppError } from '@whetstone/platform/worker';

import { hasKeyShape } from './api-keys.js';
import { newAttempt } from './job-ids.js';
import type { RootSecrets } from './root-secrets.js';
import { createSeal, type Seal } from './seal.js';

interface AuditTrailDeps {
  /** Resolves once the entry is durable. */
  append(entry: AuditEntry): Promise<void>;
  roots: RootSecrets;
  clock: Clock;
  /** The action has ended, and its entry does not say how. */
  onUnfinished(error: unknown): void;
}

/** What somebody is about to do. */
export interface Decision {
  account: string;
  /** Absent: an operator. */
  keyId?: string;
  action: AuditAction;
  /** The collection that it is about. */
  tenantId?: string;
  /** The id of the key or the lesson. */
  subject?: string;
  /** As callers are told; no text of lessons or uploads. */
  details?: Record<string, unknown>;
}

export interface AuditTrail {
  /**
   * Records the decision, acts, and records how that ended. Nothing is done whose entry is not durable: it rejects with
   * what the append rejects with. If the second record fails, the entry stays without an outcome.
   *
   * @param tell what only the result says
   */
  record<Result>(
    decision: Decision,
    act: () => Promise<Result>,
    tell?: (result: Result) => Pick<Decision, 'subject' | 'details'>,
  ): Promise<Result>;
}

export function createAuditTrail({ append, roots, clock, onUnfinished }: AuditTrailDeps): AuditTrail {
  const seal = createSeal(roots);

  function entryOf({ tenantId, details = {}, ...decision }: Decision): AuditEntry {
    const id = newAttempt(clock);
    const entry: AuditEntry = { id, at: Number.parseInt(id, 10), ...decision, details };
    if (tenantId === undefined) return entry;
    // A key is kept nowhere, not even sealed; it names the default collection.
    const collection = hasKeyShape(tenantId) ? {} : { sealedTenantId: seal.seal(id, tenantId) };
    return { ...entry, collection };
  }

  return {
    async record(decision, act, tell = () => ({})) {
      const entry = entryOf(decision);
      await append(entry);
      const result = await act().catch((error: unknown) => {
        // Nobody waits: the log may be what failed.
        append({ ...entry, outcome: 'failed' }).catch(onUnfinished);
        throw error;
      });
      const { details, ...told } = tell(result);
      const ended: AuditEntry = { ...entry, ...told, details: { ...entry.details, ...details }, outcome: 'done' };
      await append(ended).catch(onUnfinished);
      return result;
    },
  };
}

/** @param keyId the key that decides; absent: an operator */
export function decisionOnKey(account: string, event: KeyEvent, keyId?: string): Decision {
  const decision = { account, subject: event.keyId, ...(keyId === undefined ? {} : { keyId }) };
  if (event.type === 'revoked') {
    const overlap = Math.round((event.effectiveAt - event.revokedAt) / 1e6);
    return { ...decision, action: 'key.revoked', details: overlap > 0 ? { overlap_seconds: overlap } : {} };
  }
  const { scopes = defaultScopes, trust = 'normal', approvedBy } = event;
  const approved = keyId === undefined ? { approved_by: approvedBy } : {};
  return { ...decision, action: 'key.issued', details: { scopes, trust, ...approved } };
}

/** The name of the collection that an entry is about; null for the default one, and if its root secret is gone. */
export function tenantOfEntry(seal: Seal, { collection }: AuditEntry): string | null | undefined {
  const { sealedTenantId } = collection ?? {};
  if (sealedTenantId === undefined) return collection && null;
  try {
    return seal.open(sealedTenantId);
  } catch (error) {
    if (!isAppError(error, 'invalid_argument')) throw error;
    return null;
  }
}

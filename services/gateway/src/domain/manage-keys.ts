import type { ApiKey, IssuedKeyAnswer, KeyEvent, KeyList, Micros, Scope, Trust } from '@whetstone/contracts';
import {
  type ApiKeys,
  type AuditTrail,
  decisionOnKey,
  issueKey,
  type KeyRecord,
  type KeyRing,
  revokeKey,
  statusOfKey,
} from '@whetstone/identity';
import { AppError, type Clock } from '@whetstone/platform';
import { formatMoment } from './look-up-job.js';
import type { Caller } from './resolve-collection.js';

interface ManageKeysDeps {
  apiKeys: ApiKeys;
  audit: AuditTrail;
  /** Resolves once the event is durable. Rejects with AppError `log_unavailable` (retryable). */
  append(event: KeyEvent): Promise<void>;
  clock: Clock;
  ring: Pick<KeyRing, 'apply' | 'list'>;
}

export interface NewKey {
  scopes: readonly Scope[];
  trust?: Trust;
  /** Absent: never. */
  expiresAt?: Micros;
  reason?: string;
}

/** The keys of the caller's account. The caller approves what it does: its key id is in the audit record. */
export interface ManageKeys {
  list(caller: Caller): KeyList;
  /** Throws AppError `too_many_keys`. The expiry is checked against `requestedAt`. */
  issue(caller: Caller, request: NewKey, requestedAt: Micros): Promise<IssuedKeyAnswer>;
  /** Does nothing if the key is revoked already. Throws AppError `key_not_found` or `own_key`. */
  revoke(caller: Caller, keyId: string, reason?: string): Promise<ApiKey>;
}

/** Every process remembers every key ever issued, so an account must not issue them without end. */
const maxKeys = 10_000;

export function createManageKeys({ apiKeys, audit, append, clock, ring }: ManageKeysDeps): ManageKeys {
  return {
    list: ({ account }) => ({ keys: ring.list(account).map((record) => answerOf(record, clock.now())) }),

    async issue({ account, keyId: approvedBy }, { reason = 'issued over REST', ...request }, requestedAt) {
      if (ring.list(account).length >= maxKeys) {
        throw new AppError('too_many_keys', `The account has ${maxKeys} keys, the most that can be issued over REST`);
      }
      const { key, event } = issueKey(apiKeys, { account, approvedBy, reason, ...request }, requestedAt);
      return { key, ...(await decide(account, event, approvedBy)) };
    },

    async revoke({ account, keyId: approvedBy }, keyId, reason = 'revoked over REST') {
      const known = ring.list(account).find((one) => one.keyId === keyId);
      if (!known) throw new AppError('key_not_found', 'No such key in this account');
      if (keyId === approvedBy) {
        throw new AppError('own_key', 'A key cannot revoke itself: use another admin key, or ask the operators');
      }
      const revokedAt = clock.now();
      // A later revocation would replace the earlier one in the log, and with it the time and the reason.
      if (statusOfKey(known, revokedAt) === 'revoked') return answerOf(known, revokedAt);
      return decide(account, revokeKey({ keyId, reason, revokedAt, approvedBy }), approvedBy);
    },
  };

  function decide(account: string, event: KeyEvent, approvedBy: string): Promise<ApiKey> {
    return audit.record(decisionOnKey(account, event, approvedBy), () => record(account, event));
  }

  /** This process need not wait until it reads its own event. */
  async function record(account: string, event: KeyEvent): Promise<ApiKey> {
    await append(event);
    ring.apply(event);
    const known = ring.list(account).find(({ keyId }) => keyId === event.keyId);
    if (!known) throw new AppError('internal', 'The key ring lost a key');
    return answerOf(known, clock.now());
  }
}

function answerOf(record: KeyRecord, now: Micros): ApiKey {
  const { keyId, scopes, trust, issuedAt, approvedBy, reason, expiresAt, revocation } = record;
  return {
    key_id: keyId,
    scopes: [...scopes],
    trust,
    status: statusOfKey(record, now),
    issued_at: formatMoment(issuedAt),
    approved_by: approvedBy,
    reason,
    ...(expiresAt !== undefined && { expires_at: formatMoment(expiresAt) }),
    ...(revocation && {
      revoked_at: formatMoment(revocation.revokedAt),
      effective_at: formatMoment(revocation.effectiveAt),
      revocation_reason: revocation.reason,
      ...(revocation.approvedBy !== undefined && { revoked_by: revocation.approvedBy }),
    }),
  };
}

import type { Micros } from '@whetstone/contracts';
import type { KeyRecord } from '@whetstone/identity';

import { facts, shortTimeOf, table, timeOf } from './print.js';

export function keyObject(record: KeyRecord, now: Micros): object {
  const { keyId, account, trust, issuedAt, approvedBy, reason, revocation } = record;
  return {
    key_id: keyId,
    account,
    trust,
    status: statusOf(record, now),
    issued_at: timeOf(issuedAt),
    approved_by: approvedBy,
    reason,
    ...(revocation && {
      revoked_at: timeOf(revocation.revokedAt),
      effective_at: timeOf(revocation.effectiveAt),
      revocation_reason: revocation.reason,
    }),
  };
}

/** `ending`: revoked, with an overlap that is not over. */
function statusOf({ revocation }: KeyRecord, now: Micros): 'active' | 'ending' | 'revoked' {
  if (!revocation) return 'active';
  return revocation.effectiveAt <= now ? 'revoked' : 'ending';
}

export function describeKey(key: string, { keyId, account, trust, approvedBy, reason }: KeyRecord): string {
  const details = facts({ account, 'key id': keyId, trust, 'approved by': approvedBy, reason });
  return `The key, shown this once and stored nowhere; it counts within a second:\n\n  ${key}\n\n${details}`;
}

export function describeKeys(records: readonly KeyRecord[], now: Micros): string {
  if (records.length === 0) return 'No keys. Issue the first one: whetstone keys issue --help';
  return table(
    ['KEY ID', 'ACCOUNT', 'TRUST', 'STATUS', 'ISSUED (UTC)', 'APPROVED BY', 'REASON'],
    records.map((record) => [
      record.keyId,
      record.account,
      record.trust,
      shortStatus(record, now),
      shortTimeOf(record.issuedAt),
      record.approvedBy,
      record.reason,
    ]),
  );
}

function shortStatus(record: KeyRecord, now: Micros): string {
  const status = statusOf(record, now);
  const since = shortTimeOf(record.revocation?.effectiveAt ?? 0);
  if (status === 'active') return status;
  return status === 'revoked' ? `revoked ${since}` : `ends ${since}`;
}

import { type KeyEvent, type Micros, type Scope, type Trust, topics } from '@whetstone/contracts';
import { appendAuditEntry, type EventLog, encodeMessage } from '@whetstone/event-log';
import {
  createApiKeys,
  createAuditTrail,
  createKeyRing,
  decisionOnKey,
  issueKey,
  type KeyRecord,
  type KeyRequest,
  type KeyRing,
  keyOfKeyEvent,
  parseApiKey,
  type RootSecrets,
  revokeKey,
  statusOfKey,
} from '@whetstone/identity';
import { AppError } from '@whetstone/platform';

import type { Installation } from './installation/installation.js';
import type { CliIo } from './io.js';
import { readTopic } from './read-topic.js';

interface NewKey {
  key: string;
  record: KeyRecord;
}

/** Operations on keys. Each is durable when it resolves, and so is its entry in the audit trail. */
export interface KeyBook {
  issue(request: KeyRequest): Promise<NewKey>;
  list(): KeyRecord[];
  /**
   * Issues the new key before it revokes the old one, so that a crash in between locks nobody out. By default it keeps the
   * trust, the scopes and the length of the old one's life.
   */
  rotate(request: {
    keyId: string;
    approvedBy: string;
    reason: string;
    trust?: Trust | undefined;
    scopes?: readonly Scope[] | undefined;
    expiresAt?: Micros | undefined;
    overlap: Micros;
  }): Promise<NewKey & { oldKeyId: string; oldKeyEnds: Micros }>;
  revoke(request: { keyId: string; reason: string }): Promise<{ record: KeyRecord; already: boolean }>;
}

export async function withKeyBook<Result>(
  installation: Installation,
  io: Pick<CliIo, 'clock' | 'stderr'>,
  work: (book: KeyBook) => Promise<Result>,
): Promise<Result> {
  return installation.use(['roots', 'log'], async ({ roots, log }) => {
    const ring = createKeyRing(createApiKeys(roots));
    await readTopic<KeyEvent>(log, topics.keys.name, io, (event) => ring.apply(event));
    return work(createKeyBook(log, ring, roots, io));
  });
}

function createKeyBook(
  log: EventLog,
  ring: KeyRing,
  roots: RootSecrets,
  { clock, stderr }: Pick<CliIo, 'clock' | 'stderr'>,
): KeyBook {
  const apiKeys = createApiKeys(roots);
  const audit = createAuditTrail({
    append: (entry) => appendAuditEntry(log, entry),
    roots,
    clock,
    onUnfinished: (error) => stderr(`The audit entry does not say how this ended: ${(error as Error).message}\n`),
  });

  function record(account: string, event: KeyEvent): Promise<KeyRecord> {
    return audit.record(decisionOnKey(account, event), async () => {
      await log.append(topics.keys.name, { key: keyOfKeyEvent(event), value: await encodeMessage(event) });
      ring.apply(event);
      return find(event.keyId);
    });
  }

  /** Accepts the key itself, too. */
  function find(idOrKey: string): KeyRecord {
    const keyId = parseApiKey(idOrKey)?.keyId ?? idOrKey;
    const found = ring.list().find((candidate) => candidate.keyId === keyId);
    if (!found) throw new AppError('invalid_argument', `No key has the id ${keyId}. To see them: whetstone keys list`);
    return found;
  }

  async function issue(request: KeyRequest): Promise<NewKey> {
    const { key, event } = issueKey(apiKeys, request, clock.now());
    return { key, record: await record(event.account, event) };
  }

  return {
    issue,
    list: () => ring.list(),
    async rotate({ keyId, overlap, approvedBy, reason, trust, scopes, expiresAt }) {
      const old = find(keyId);
      const now = clock.now();
      const status = statusOfKey(old, now);
      if (status === 'revoked' || status === 'expired') {
        throw new AppError(
          'invalid_argument',
          `The key ${old.keyId} is ${status}. To issue a new one: whetstone keys issue`,
        );
      }
      const fresh = await issue({
        account: old.account,
        approvedBy,
        reason,
        trust: trust ?? old.trust,
        scopes: scopes ?? old.scopes,
        expiresAt: expiresAt ?? (old.expiresAt && now + old.expiresAt - old.issuedAt),
      });
      // Compaction keeps only the last revocation, so it must not take effect later than an earlier one.
      const effectiveAt = Math.min(old.revocation?.effectiveAt ?? Number.POSITIVE_INFINITY, now + overlap);
      await record(old.account, revokeKey({ keyId: old.keyId, reason, revokedAt: now, effectiveAt }));
      return { ...fresh, oldKeyId: old.keyId, oldKeyEnds: effectiveAt };
    },
    async revoke({ keyId, reason }) {
      const known = find(keyId);
      const revokedAt = clock.now();
      if (known.revocation && known.revocation.effectiveAt <= revokedAt) return { record: known, already: true };
      const event = revokeKey({ keyId: known.keyId, reason, revokedAt });
      return { record: await record(known.account, event), already: false };
    },
  };
}

import { hash } from 'node:crypto';

import {
  defaultScopes,
  type KeyEvent,
  type KeyIssued,
  type KeyRevoked,
  type Micros,
  type Scope,
  type Trust,
} from '@whetstone/contracts';

import { type ApiKeys, parseApiKey } from './api-keys.js';

export interface KeyRecord {
  keyId: string;
  account: string;
  issuedAt: Micros;
  approvedBy: string;
  reason: string;
  trust: Trust;
  scopes: readonly Scope[];
  /** Absent if it never expires. */
  expiresAt?: Micros;
  revocation?: Pick<KeyRevoked, 'revokedAt' | 'effectiveAt' | 'reason' | 'approvedBy'>;
}

interface AuthenticatedKey {
  keyId: string;
  account: string;
  /** Absent if normal. */
  trust?: Trust;
  scopes: readonly Scope[];
}

/** In-memory view of the keys topic. Events may arrive in any order and repeatedly. */
export interface KeyRing {
  apply(event: KeyEvent): void;
  /** `undefined` if the key is malformed, unknown, expired or revoked. */
  authenticate(rawKey: string, now: Micros): AuthenticatedKey | undefined;
  /** The same for whoever has proved to hold the key with this id. */
  lookUp(keyId: string, now: Micros): AuthenticatedKey | undefined;
  /** Includes expired and revoked keys. */
  ownsKey(account: string, rawKey: string): boolean;
  /** Whether more than one valid key of the account may upload. */
  hasSeveralUploaders(account: string, now: Micros): boolean;
  /** All keys ever issued, to an account or to all of them, oldest first. */
  list(account?: string): KeyRecord[];
}

interface KeyRingOptions {
  /** Size of the cache of verified keys. */
  rememberedKeys?: number;
}

export function createKeyRing(apiKeys: ApiKeys, { rememberedKeys = 10_000 }: KeyRingOptions = {}): KeyRing {
  const issued = new Map<string, KeyIssued>();
  const idsByAccount = new Map<string, Set<string>>();
  const revoked = new Map<string, KeyRevoked>();
  // By SHA-256 of the raw key: a hot key costs one digest instead of a parse and a MAC.
  const verified = new Map<string, KeyIssued>();

  function add(event: KeyIssued): void {
    issued.set(event.keyId, event);
    const ids = idsByAccount.get(event.account);
    if (ids) ids.add(event.keyId);
    else idsByAccount.set(event.account, new Set([event.keyId]));
  }

  function find(rawKey: string): KeyIssued | undefined {
    const digest = hash('sha256', rawKey, 'base64');
    const known = verified.get(digest);
    if (known && issued.get(known.keyId) === known) return known;

    const parsed = parseApiKey(rawKey);
    const found = parsed && issued.get(parsed.keyId);
    if (!found || !apiKeys.verify(parsed, found.secretHash)) return undefined;
    remember(digest, found);
    return found;
  }

  function remember(digest: string, key: KeyIssued): void {
    const [oldest] = verified.size < rememberedKeys ? [] : verified.keys();
    if (oldest !== undefined) verified.delete(oldest);
    verified.set(digest, key);
  }

  function ifValid(key: KeyIssued | undefined, now: Micros): AuthenticatedKey | undefined {
    if (!key || now >= endOf(key, revoked.get(key.keyId))) return undefined;
    const { keyId, account, trust = 'normal', scopes = defaultScopes } = key;
    return { keyId, account, scopes, ...(trust === 'normal' ? {} : { trust }) };
  }

  return {
    apply(event) {
      if (event.type === 'issued') add(event);
      else revoked.set(event.keyId, earlier(revoked.get(event.keyId), event));
    },
    authenticate: (rawKey, now) => ifValid(find(rawKey), now),
    lookUp: (keyId, now) => ifValid(issued.get(keyId), now),
    hasSeveralUploaders(account, now) {
      let uploaders = 0;
      for (const keyId of idsByAccount.get(account) ?? []) {
        if (ifValid(issued.get(keyId), now)?.scopes.includes('record')) uploaders++;
        if (uploaders > 1) return true;
      }
      return false;
    },
    ownsKey: (account, rawKey) => find(rawKey)?.account === account,
    list: (account) =>
      [...issued.values()]
        .filter((event) => account === undefined || event.account === account)
        .sort((a, b) => a.issuedAt - b.issuedAt)
        .map((event) => recordOf(event, revoked.get(event.keyId))),
  };
}

/** The revocation that takes effect first wins, so that a rotation's overlap never revives a revoked key. */
function earlier(known: KeyRevoked | undefined, event: KeyRevoked): KeyRevoked {
  return known && known.effectiveAt <= event.effectiveAt ? known : event;
}

/** The first moment at which the key is no longer valid. */
function endOf({ expiresAt }: Pick<KeyIssued, 'expiresAt'>, revocation?: Pick<KeyRevoked, 'effectiveAt'>): Micros {
  const never = Number.POSITIVE_INFINITY;
  return Math.min(expiresAt ?? never, revocation?.effectiveAt ?? never);
}

function recordOf(issued: KeyIssued, revocation?: KeyRevoked): KeyRecord {
  const { keyId, account, issuedAt, approvedBy, reason, trust = 'normal', scopes = defaultScopes, expiresAt } = issued;
  const record: KeyRecord = { keyId, account, issuedAt, approvedBy, reason, trust, scopes };
  if (expiresAt !== undefined) record.expiresAt = expiresAt;
  if (!revocation) return record;
  const { type: _, keyId: __, ...revoked } = revocation;
  return { ...record, revocation: revoked };
}

/** `ending`: revoked, but still within its overlap. */
export type KeyStatus = 'active' | 'ending' | 'expired' | 'revoked';

export function statusOfKey(record: KeyRecord, now: Micros): KeyStatus {
  const { revocation } = record;
  if (now < endOf(record, revocation)) return revocation ? 'ending' : 'active';
  return revocation && revocation.effectiveAt <= now ? 'revoked' : 'expired';
}

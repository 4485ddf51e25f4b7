import { createHash, randomBytes } from 'node:crypto';
import {
  defaultScopes,
  type KeyEvent,
  type KeyIssued,
  type KeyRevoked,
  scopes as knownScopes,
  type Micros,
  type Scope,
  type Trust,
  trustLevels,
} from '@whetstone/contracts';
import { AppError } from '@whetstone/platform/worker';
import { decodeBase32, encodeBase32 } from './id-parts.js';
import { equalMacs, type RootSecrets, rootIdBytes } from './root-secrets.js';

const keyPattern = /^wst_([0-9a-hjkmnp-tv-z]{16})_([0-9a-hjkmnp-tv-z]{40})_([0-9a-hjkmnp-tv-z]{6})$/;

interface ParsedKey {
  keyId: string;
  secret: string;
}

export interface ApiKeys {
  /** The key is never stored. */
  generate(): ParsedKey & { key: string };
  /** The keyed hash to store, with the id of its root. */
  hash(parsed: ParsedKey): string;
  verify(parsed: ParsedKey, hash: string): boolean;
}

/** Whether a text looks like one of our keys, well-formed or not. */
export function hasKeyShape(text: string): boolean {
  return text.startsWith('wst_');
}

/** `undefined` unless the key has the right shape and checksum. */
export function parseApiKey(text: string): ParsedKey | undefined {
  const [, keyId, secret, checksum] = keyPattern.exec(text) ?? [];
  if (keyId === undefined || secret === undefined || checksum !== checksumOf(keyId, secret)) return undefined;
  return { keyId, secret };
}

export function createApiKeys(roots: RootSecrets): ApiKeys {
  return {
    generate() {
      const keyId = encodeBase32(randomBytes(10));
      const secret = encodeBase32(randomBytes(25));
      return { keyId, secret, key: `wst_${keyId}_${secret}_${checksumOf(keyId, secret)}` };
    },
    hash: ({ keyId, secret }) =>
      encodeBase32(Buffer.concat([roots.current.id, roots.current.mac('api-key-pepper', keyId, secret)])),
    verify({ keyId, secret }, hash) {
      const bytes = decodeBase32(hash);
      if (!bytes) return false;
      const root = roots.byId(bytes.subarray(0, rootIdBytes));
      return root !== undefined && equalMacs(bytes.subarray(rootIdBytes), root.mac('api-key-pepper', keyId, secret));
    },
  };
}

function checksumOf(keyId: string, secret: string): string {
  return encodeBase32(createHash('sha256').update(`${keyId}_${secret}`).digest()).slice(0, 6);
}

export interface KeyRequest {
  account: string;
  approvedBy: string;
  reason: string;
  /** Default: normal. */
  trust?: Trust | undefined;
  /** Default: ask, record and curate. */
  scopes?: readonly Scope[] | undefined;
  /** Default: never. */
  expiresAt?: Micros | undefined;
}

export interface IssuedKey {
  /** Never stored. */
  key: string;
  event: KeyIssued;
}

interface Revocation {
  keyId: string;
  reason: string;
  revokedAt: Micros;
  /** The key is valid until then. Default: `revokedAt`. */
  effectiveAt?: Micros;
  /** The id of the key that revokes it; absent if an operator does. */
  approvedBy?: string;
}

const longestAccount = 128;
const longestText = 1000;
/** Ten years. */
export const longestLife: Micros = 3650 * 86_400e6;

/** Makes a key, which is valid once its event is in the keys topic. The event is also the audit record. */
export function issueKey(apiKeys: ApiKeys, request: KeyRequest, issuedAt: Micros): IssuedKey {
  const account = checked('account', request.account, longestAccount);
  const approvedBy = checked('approver', request.approvedBy, longestText);
  const reason = checked('reason', request.reason, longestText);
  const { trust = 'normal' } = request;
  if (!trustLevels.includes(trust)) {
    throw new AppError('invalid_argument', `The trust must be one of ${trustLevels.join(', ')}`);
  }
  const scopes = checkedScopes(request.scopes ?? defaultScopes);
  const { expiresAt } = request;
  if (expiresAt !== undefined && !(expiresAt > issuedAt && expiresAt <= issuedAt + longestLife)) {
    throw new AppError('invalid_argument', 'The expiry must be in the future, at most ten years from now');
  }
  const { key, ...parsed } = apiKeys.generate();
  const secretHash = apiKeys.hash(parsed);
  const event: KeyIssued = {
    type: 'issued',
    keyId: parsed.keyId,
    account,
    secretHash,
    issuedAt,
    approvedBy,
    reason,
    ...(trust === 'normal' ? {} : { trust }),
    ...(scopes.join() === defaultScopes.join() ? {} : { scopes }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
  return { key, event };
}

/** Each once, in the usual order. */
function checkedScopes(given: readonly Scope[]): Scope[] {
  if (given.length === 0 || given.some((scope) => !knownScopes.includes(scope))) {
    throw new AppError('invalid_argument', `The scopes must be one or more of ${knownScopes.join(', ')}`);
  }
  return knownScopes.filter((scope) => given.includes(scope));
}

export function revokeKey({ reason, effectiveAt, ...revocation }: Revocation): KeyRevoked {
  return {
    type: 'revoked',
    ...revocation,
    effectiveAt: effectiveAt ?? revocation.revokedAt,
    reason: checked('reason', reason, longestText),
  };
}

/** The event's key in the log; distinct for issuing and revoking, so that compaction keeps both. */
export function keyOfKeyEvent(event: KeyEvent): string {
  return `${event.keyId}:${event.type}`;
}

/** Trims, because white space around a name would make a second account that looks the same. */
function checked(what: string, text: string, longest: number): string {
  const trimmed = text.trim().normalize('NFC');
  if (trimmed === '' || [...trimmed].length > longest || /\p{Cc}/u.test(trimmed)) {
    throw new AppError(
      'invalid_argument',
      `The ${what} must be 1 to ${longest} characters of text on one line, without control characters`,
    );
  }
  return trimmed;
}

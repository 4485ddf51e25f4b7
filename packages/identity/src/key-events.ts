import {
  type KeyEvent,
  type KeyIssued,
  type KeyRevoked,
  type Micros,
  type Trust,
  trustLevels,
} from '@whetstone/contracts';
import { AppError } from '@whetstone/platform';

import type { ApiKeys } from './api-keys.js';

export interface KeyRequest {
  account: string;
  approvedBy: string;
  reason: string;
  /** Normal unless said. */
  trust?: Trust | undefined;
}

export interface IssuedKey {
  /** Shown once, never stored. */
  key: string;
  event: KeyIssued;
}

export interface Revocation {
  keyId: string;
  reason: string;
  revokedAt: Micros;
  /** The key counts until then; absent: it stops counting at once. */
  effectiveAt?: Micros;
}

const longestAccount = 128;
const longestText = 1000;

/** A new key for an account. It counts as soon as its event is in the keys topic; the event is also the audit record. */
export function issueKey(apiKeys: ApiKeys, request: KeyRequest, issuedAt: Micros): IssuedKey {
  const account = checked('account', request.account, longestAccount);
  const approvedBy = checked('approver', request.approvedBy, longestText);
  const reason = checked('reason', request.reason, longestText);
  const { trust = 'normal' } = request;
  if (!trustLevels.includes(trust)) {
    throw new AppError('invalid_argument', `The trust must be one of ${trustLevels.join(', ')}`);
  }
  const { key, ...parsed } = apiKeys.generate();
  const secretHash = apiKeys.hash(parsed);
  const audit = { issuedAt, approvedBy, reason, ...(trust === 'normal' ? {} : { trust }) };
  return { key, event: { type: 'issued', keyId: parsed.keyId, account, secretHash, ...audit } };
}

export function revokeKey({ keyId, reason, revokedAt, effectiveAt = revokedAt }: Revocation): KeyRevoked {
  return { type: 'revoked', keyId, revokedAt, effectiveAt, reason: checked('reason', reason, longestText) };
}

/** The event's key in the log: issuing and revoking are told apart, so that compaction keeps both. */
export function keyOfKeyEvent(event: KeyEvent): string {
  return `${event.keyId}:${event.type}`;
}

/** An account is a name that people type: white space around it would make a second account that looks the same. */
function checked(what: string, text: string, longest: number): string {
  const trimmed = text.trim().normalize('NFC');
  if (trimmed === '' || trimmed.length > longest || /\p{Cc}/u.test(trimmed)) {
    throw new AppError(
      'invalid_argument',
      `The ${what} must be 1 to ${longest} characters of text on one line, without control characters`,
    );
  }
  return trimmed;
}

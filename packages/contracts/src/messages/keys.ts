import type { Trust } from './insight.js';
import type { Micros } from './time.js';

export interface KeyIssued {
  type: 'issued';
  keyId: string;
  account: string;
  /** Keyed hash of the secret; names the root that made it. */
  secretHash: string;
  issuedAt: Micros;
  approvedBy: string;
  reason: string;
  /** Absent where it is normal. */
  trust?: Trust;
}

export interface KeyRevoked {
  type: 'revoked';
  keyId: string;
  revokedAt: Micros;
  /** The key counts until then (a rotation overlaps). */
  effectiveAt: Micros;
  reason: string;
}

/** What one message of the keys topic says. A revocation is never undone by an `issued` that arrives late. */
export type KeyEvent = KeyIssued | KeyRevoked;

import { createHash, randomBytes } from 'node:crypto';

import { decodeBase32, encodeBase32 } from './base32.js';
import { equalMacs, type RootSecrets, rootIdBytes } from './root-secrets.js';

const keyPattern = /^wst_([0-9a-hjkmnp-tv-z]{16})_([0-9a-hjkmnp-tv-z]{40})_([0-9a-hjkmnp-tv-z]{6})$/;

export interface ParsedKey {
  keyId: string;
  secret: string;
}

export interface ApiKeys {
  /** A new key: shown once, never stored. */
  generate(): ParsedKey & { key: string };
  /** What is stored: a keyed hash that names the root that made it. */
  hash(parsed: ParsedKey): string;
  verify(parsed: ParsedKey, hash: string): boolean;
}

/** Whether a text claims to be one of our keys, well-formed or not. */
export function hasKeyShape(text: string): boolean {
  return text.startsWith('wst_');
}

/** Undefined for whatever is not a well-formed key: wrong shape, or a checksum that shows a typing mistake. */
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

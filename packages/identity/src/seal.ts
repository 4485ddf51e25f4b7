import { createCipheriv, createDecipheriv } from 'node:crypto';

import { AppError } from '@whetstone/platform/worker';

import { type RootSecrets, rootIdBytes } from './root-secrets.js';

export interface Seal {
  /** Base64. Deterministic, so that every poll returns the same text. `about` is the job, or what else the text belongs to. */
  seal(about: string, text: string): string;
  /** Throws AppError `invalid_argument` if no known root sealed the text. */
  open(sealed: string): string;
}

const nonceBytes = 12;
const tagBytes = 16;

/** AES-256-GCM. The nonce is a MAC of what the text is about and the text: deterministic, and never reused for another text. */
export function createSeal(roots: RootSecrets): Seal {
  return {
    seal(about, text) {
      const root = roots.current;
      const nonce = root.mac('seal-nonce', about, text).subarray(0, nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', root.key('seal'), nonce);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([root.id, nonce, cipher.getAuthTag(), body]).toString('base64');
    },
    open(sealed) {
      const bytes = Buffer.from(sealed.trim(), 'base64');
      const root = roots.byId(bytes.subarray(0, rootIdBytes));
      if (!root || bytes.length < rootIdBytes + nonceBytes + tagBytes) throw notSealedHere();
      const nonce = bytes.subarray(rootIdBytes, rootIdBytes + nonceBytes);
      const tag = bytes.subarray(rootIdBytes + nonceBytes, rootIdBytes + nonceBytes + tagBytes);
      const decipher = createDecipheriv('aes-256-gcm', root.key('seal'), nonce);
      decipher.setAuthTag(tag);
      try {
        const body = bytes.subarray(rootIdBytes + nonceBytes + tagBytes);
        return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
      } catch (cause) {
        throw notSealedHere(cause);
      }
    },
  };
}

function notSealedHere(cause?: unknown): AppError {
  return new AppError(
    'invalid_argument',
    'This text was not sealed by this installation, or its root secret is missing',
    {
      cause,
    },
  );
}

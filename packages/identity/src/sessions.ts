import type { Micros } from '@whetstone/contracts';
import { decrypt, encrypt, isAppError } from '@whetstone/platform/worker';

import { type RootSecrets, rootIdBytes } from './root-secrets.js';

/** Whoever has it signed in with this key. Whether the key is still valid is for the key ring to say. */
export interface Session {
  keyId: string;
  expiresAt: Micros;
}

export interface Sessions {
  seal(session: Session): string;
  /** `undefined` for what was sealed elsewhere or altered, and for a session that has expired. */
  open(sealed: string, now: Micros): Session | undefined;
}

/** Every process with the root secret can read a session, so none has to remember it. */
export function createSessions(roots: RootSecrets): Sessions {
  return {
    seal: (session) =>
      encrypt(roots.current.key('session'), 'session', JSON.stringify(session), roots.current.id).toString('base64url'),
    open(sealed, now) {
      const bytes = Buffer.from(sealed, 'base64url');
      const root = roots.byId(bytes.subarray(0, rootIdBytes));
      if (!root) return undefined;
      try {
        const text = decrypt(root.key('session'), 'session', bytes.subarray(rootIdBytes)).toString('utf8');
        const session = JSON.parse(text) as Session;
        return now < session.expiresAt ? session : undefined;
      } catch (error) {
        if (isAppError(error, 'invalid_argument')) return undefined;
        throw error;
      }
    },
  };
}

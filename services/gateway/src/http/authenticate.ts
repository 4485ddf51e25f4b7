import { type KeyRing, parseApiKey } from '@whetstone/identity';
import type { Request } from 'express';

import type { Exchange } from './exchange.js';
import { invalidApiKey } from './refusal.js';

export const authFailures = ['missing', 'malformed', 'refused'] as const;
export type AuthFailure = (typeof authFailures)[number];

export interface AuthenticateOptions {
  keys: Pick<KeyRing, 'authenticate'>;
  onFailure(reason: AuthFailure): void;
}

/** Makes the caller known, or throws a Refusal. Looks at nothing but the header. */
export type Authenticate = (req: Request, exchange: Exchange) => void;

export function createAuthenticate({ keys, onFailure }: AuthenticateOptions): Authenticate {
  return (req, exchange) => {
    const given = req.headers['x-api-key'];
    const key = typeof given === 'string' ? given : '';
    const caller = keys.authenticate(key, exchange.arrivedAt);
    if (!caller) {
      onFailure(key === '' ? 'missing' : parseApiKey(key) ? 'refused' : 'malformed');
      throw invalidApiKey();
    }
    exchange.caller = caller;
  };
}

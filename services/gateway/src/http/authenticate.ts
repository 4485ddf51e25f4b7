import { type KeyRing, parseApiKey } from '@whetstone/identity';
import type { RequestHandler } from 'express';

import { exchangeOf } from './exchange.js';
import { invalidApiKey } from './refusal.js';

export type AuthFailure = 'missing' | 'malformed' | 'refused';

export interface AuthenticateOptions {
  keys: Pick<KeyRing, 'authenticate'>;
  onFailure(reason: AuthFailure): void;
}

/** Lets a request on only with a key that counts; looks at nothing but the header. */
export function authenticate({ keys, onFailure }: AuthenticateOptions): RequestHandler {
  return (req, res, next) => {
    const exchange = exchangeOf(res);
    const given = req.headers['x-api-key'];
    const key = typeof given === 'string' ? given : '';
    const caller = keys.authenticate(key, exchange.arrivedAt);
    if (!caller) {
      onFailure(key === '' ? 'missing' : parseApiKey(key) ? 'refused' : 'malformed');
      throw invalidApiKey();
    }
    exchange.caller = caller;
    next();
  };
}

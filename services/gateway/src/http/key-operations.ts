import {
  expiresOutOfRange,
  type KeyRequestBody,
  type Micros,
  readDateTime,
  readRevokeKeyQuery,
} from '@whetstone/contracts';
import { longestLife } from '@whetstone/identity';
import type { ManageKeys, NewKey } from '../domain/manage-keys.js';
import { internalFailure } from './answer.js';
import type { ReadBodies } from './bodies/read-bodies.js';
import { exchangeOf } from './exchange.js';
import type { Operation } from './operation.js';
import { pathParameter, queryOf } from './paths.js';
import { invalid } from './refusals.js';

interface KeyOperationsOptions {
  bodies: ReadBodies;
  manageKeys: ManageKeys;
  timeoutMs: number;
}

export function keyOperations({ bodies, manageKeys, timeoutMs }: KeyOperationsOptions): Operation[] {
  return [
    {
      id: 'listKeys',
      timeoutMs,
      failure: internalFailure,
      prepare:
        () =>
        async ({ caller }) => ({ status: 200, body: manageKeys.list(caller) }),
    },
    {
      id: 'issueKey',
      hasBody: true,
      timeoutMs,
      failure: { error: 'keys_failed', message: 'The key could not be issued' },
      async prepare(req, res) {
        const request = newKeyOf(await bodies.small(req, res, 'keyRequest'), exchangeOf(res).arrivedAt);
        return async ({ caller, exchange }) => ({
          status: 201,
          body: await manageKeys.issue(caller, request, exchange.arrivedAt),
        });
      },
    },
    {
      id: 'revokeKey',
      timeoutMs,
      failure: { error: 'keys_failed', message: 'The key could not be revoked' },
      prepare(req) {
        const keyId = pathParameter(req.path, 'revokeKey', 'key_id');
        const { problems, body: query } = readRevokeKeyQuery(queryOf(req.originalUrl));
        if (problems) throw invalid(problems);
        return async ({ caller }) => ({ status: 200, body: await manageKeys.revoke(caller, keyId, query.reason) });
      },
    },
  ];
}

const dayMicros = 86_400e6;

function newKeyOf(
  { scopes, trust, reason, expires_in_days: days, expires_at: at }: KeyRequestBody,
  now: Micros,
): NewKey {
  const expiresAt = days == null ? readDateTime(at ?? '').micros : now + days * dayMicros;
  if (expiresAt !== undefined && (expiresAt <= now || expiresAt > now + longestLife)) {
    throw invalid([expiresOutOfRange]);
  }
  return {
    scopes,
    ...(trust == null ? {} : { trust }),
    ...(reason == null ? {} : { reason }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}

import type { Micros } from '@whetstone/contracts';
import type { Sessions } from '@whetstone/identity';
import type { Express, Request, Response } from 'express';
import { formatMoment } from '../domain/look-up-job.js';
import type { Caller } from '../domain/resolve-collection.js';
import { sendAnswer } from './answer.js';
import { callerOf, exchangeOf } from './exchange.js';
import type { RateLimit } from './observe.js';
import type { RateLimiter } from './rate-limiter.js';
import { invalidApiKey, methodNotAllowed, rateLimited } from './refusals.js';

const path = '/console/session';
const cookieName = 'whetstone_session';
/** Other sites cannot make a browser send it: they would have to be allowed to by an answer that this server never gives. */
const consoleHeader = 'x-whetstone-console';

/** The sealed session that the console sent with a request. A cookie alone is nothing: any page can make a browser send it. */
export function sealedSessionIn(req: Request): string | undefined {
  const { [consoleHeader]: fromConsole, 'sec-fetch-site': site = 'same-origin', cookie = '' } = req.headers;
  if (fromConsole === undefined || site !== 'same-origin') return undefined;
  for (const pair of cookie.split(/; */)) {
    if (pair.startsWith(`${cookieName}=`)) return pair.slice(cookieName.length + 1);
  }
  return undefined;
}

interface ConsoleSessionOptions {
  sessions: Sessions;
  /** How long a session lasts. */
  lifeMs: number;
  limiter: RateLimiter;
  onRateLimited(limit: RateLimit): void;
}

/** Exchanges a key for a cookie, tells whose session it is, and ends it. Not in /openapi.json: only the console uses it. */
export function serveConsoleSession(app: Express, options: ConsoleSessionOptions): void {
  const { sessions, lifeMs, limiter, onRateLimited } = options;
  app
    .route(path)
    .post((req, res) => {
      const caller = admitted(res);
      // Otherwise a session could prolong itself for ever.
      if (caller.session) throw invalidApiKey('missing');
      const session = { keyId: caller.keyId, expiresAt: exchangeOf(res).arrivedAt + lifeMs * 1000 };
      const cookie = cookieOf(req, sessions.seal(session), Math.floor(lifeMs / 1000));
      sendAnswer(res, { status: 200, body: described(caller, session), headers: { 'Set-Cookie': cookie } });
    })
    .get((_req, res) => {
      const caller = admitted(res);
      sendAnswer(res, { status: 200, body: described(caller, caller.session) });
    })
    .delete((req, res) => {
      admitted(res);
      const headers = { 'Set-Cookie': cookieOf(req, '', 0) };
      sendAnswer(res, { status: 200, body: { status: 'Signed out' }, headers });
    })
    .all((_req, res) => {
      exchangeOf(res).route = path;
      throw methodNotAllowed('GET, HEAD, POST, DELETE');
    });

  function admitted(res: Response): Caller {
    exchangeOf(res).route = path;
    const caller = callerOf(res);
    const { admitted: isAdmitted, headers } = limiter.admit(caller.keyId);
    if (isAdmitted) return caller;
    onRateLimited('requests');
    throw rateLimited(headers);
  }
}

function described({ keyId, account, scopes }: Caller, session: { expiresAt: Micros } | undefined): object {
  return { key_id: keyId, account, scopes, ...(session && { expires_at: formatMoment(session.expiresAt) }) };
}

function cookieOf(req: Request, value: string, seconds: number): string {
  const { origin, 'x-forwarded-proto': forwarded } = req.headers;
  // The gateway itself speaks HTTP. Browsers name the scheme that they use in the origin; proxies tell it, too.
  const isSecure = origin?.startsWith('https:') || String(forwarded).startsWith('https');
  return `${cookieName}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
}

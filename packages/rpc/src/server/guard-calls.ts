import { type Metadata, ServerInterceptingCall, type ServerInterceptor, status } from '@grpc/grpc-js';
import { Counter, type Logger, type Registry } from '@whetstone/platform';

import { tokenOf } from '../call-metadata.js';
import { type CallTokens, type TokenProblem, tokenProblems } from '../call-tokens.js';

export interface GuardOptions {
  tokens: CallTokens;
  /** Whether calls without any token are refused. Calls with a bad one always are. */
  tokensRequired: boolean;
  logger: Logger;
  registry: Registry;
}

type Problem = Omit<TokenProblem, 'reason'> & { reason: TokenProblem['reason'] | 'missing' };

const reasons = ['missing', ...tokenProblems] as const;

/** For the log of this server and the error of the caller. */
const messages: Readonly<Record<Problem['reason'], string>> = {
  missing: 'Refused a call without a token',
  malformed: 'Refused a call with a malformed token',
  unknown_secret: 'Refused a call with a token of another root secret',
  invalid: 'Refused a call with an invalid token',
  expired: 'Refused a call with an expired token: check the clocks of both machines',
};

/** Probes and people with `grpcurl` have no token. Reflection tells only what the public protos tell. */
const openServices = /^\/grpc\.(?:health|reflection)\./;

/** Refuses calls without a valid token before it reads their messages. Never logs a token. */
export function guardCalls({ tokens, tokensRequired, logger, registry }: GuardOptions): ServerInterceptor {
  const refused = new Counter({
    name: 'whetstone_refused_calls_total',
    help: 'Calls of other processes refused for a missing or invalid token',
    labelNames: ['reason'],
    registers: [registry],
  });
  for (const reason of reasons) refused.inc({ reason }, 0);
  const log = logSparingly(logger);

  function problemOf(method: string, metadata: Metadata): Problem | undefined {
    const token = tokenOf(metadata);
    if (token !== undefined) return tokens.verify(method, token);
    return tokensRequired ? { reason: 'missing' } : undefined;
  }

  return ({ path }, call) =>
    new ServerInterceptingCall(call, {
      start(next) {
        next({
          onReceiveMetadata(metadata, accept) {
            const problem = openServices.test(path) ? undefined : problemOf(path, metadata);
            if (!problem) return accept(metadata);
            refused.inc({ reason: problem.reason });
            log(problem, { rpc_method: path.slice(1), peer: call.getPeer() });
            call.sendStatus({ code: status.UNAUTHENTICATED, details: detailsOf(problem) });
          },
        });
      },
    });
}

function detailsOf({ reason, skewSeconds }: Problem): string {
  const message = messages[reason];
  if (skewSeconds === undefined) return message;
  return `${message}, the caller's is ${Math.abs(skewSeconds)} s ${skewSeconds > 0 ? 'behind' : 'ahead'}`;
}

const logEveryMs = 60_000;

/** A line a minute for each reason, with the number of calls since the last: whoever floods the port does not flood the log. */
function logSparingly(logger: Logger) {
  const seen = new Map<string, { calls: number; loggedAtMs: number }>();
  return ({ reason, skewSeconds }: Problem, call: Record<string, unknown>): void => {
    const { calls, loggedAtMs } = seen.get(reason) ?? { calls: 0, loggedAtMs: Number.NEGATIVE_INFINITY };
    const now = performance.now();
    if (now - loggedAtMs < logEveryMs) return void seen.set(reason, { calls: calls + 1, loggedAtMs });
    seen.set(reason, { calls: 0, loggedAtMs: now });
    const skew = skewSeconds === undefined ? {} : { clock_skew_seconds: skewSeconds };
    logger.warn({ reason, ...skew, ...call, calls: calls + 1 }, messages[reason]);
  };
}

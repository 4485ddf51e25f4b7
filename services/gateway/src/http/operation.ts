import type { OperationId, Route } from '@whetstone/contracts';
import { type CallContext, currentTraceId, type Span, withSpan, withTraceFrom } from '@whetstone/platform';
import type { Request, RequestHandler, Response } from 'express';
import type { Caller } from '../domain/resolve-collection.js';
import { type Answer, answerTo, type Failure, sendAnswer } from './answer.js';
import { callerOf, type Exchange, exchangeOf, withDeadline } from './exchange.js';
import type { RateLimit } from './observe.js';
import type { RateLimiter } from './rate-limiter.js';
import { outsideScopes, rateLimited, tooMuchWork } from './refusals.js';
import type { WorkLimiter } from './work-limiter.js';

/** One operation of the API. */
export interface Operation extends Endpoint {
  id: OperationId;
}

/** What answers the requests of a route. */
export interface Endpoint {
  timeoutMs: number;
  /** Then the key's limit of work applies too. */
  hasBody?: boolean;
  failure: Failure;
  /** Reads and validates the request; throws Refusals. Returns the work, which then runs under the timeout. */
  prepare(req: Request, res: Response): Promise<Work> | Work;
}

type Work = (call: WorkContext) => Promise<Answer>;

export interface WorkContext {
  caller: Caller;
  exchange: Exchange;
  /** To be called with an error that is a failure of this service, but not thrown. */
  onFailure(error: unknown): void;
}

/** The context for calls to other services, which inherit the rest of the operation's time. */
export function callOf({ cancellation, endsAtMs, requestId }: Exchange): CallContext {
  const leftMs = endsAtMs === undefined ? undefined : endsAtMs - performance.now();
  return {
    signal: cancellation.signal,
    requestId,
    ...(leftMs === undefined ? {} : { deadline: Date.now() + leftMs }),
  };
}

interface HandleDeps {
  limiter: RateLimiter;
  work: Pick<WorkLimiter, 'secondsToWait'>;
  onRateLimited(limit: RateLimit): void;
  /** Called with every error that became a 500. */
  onFailure(error: unknown, exchange: Exchange): void;
}

/** Turns an endpoint into an Express handler: scopes, rate limit, then validation, then the work within its time. */
export function handle(endpoint: Endpoint, route: Route, deps: HandleDeps): RequestHandler {
  const { method, path, scopes } = route;
  const attributes = { 'http.route': path, 'http.request.method': method.toUpperCase() };

  return async (req, res) => {
    const exchange = exchangeOf(res);
    exchange.route = path;
    await traced(req, async (span) => {
      exchange.traceId = currentTraceId();
      const answer = await answerOf(req, res, exchange);
      // Also if the server has turned away the rest of a malformed request.
      if (res.destroyed || res.headersSent) return;
      span.set({ 'http.response.status_code': answer.status });
      // A caller's mistake is not an error of this service.
      if (answer.status >= 500) span.fail(endpoint.failure.error);
      sendAnswer(res, answer);
    });
  };

  async function answerOf(req: Request, res: Response, exchange: Exchange): Promise<Answer> {
    const caller = callerOf(res);
    let rate: Record<string, string> = {};
    let answer: Answer;
    try {
      if (scopes.length > 0 && !scopes.some((scope) => caller.scopes.includes(scope))) {
        throw outsideScopes(route, caller.scopes);
      }
      const onFailure = (error: unknown) => deps.onFailure(error, exchange);
      rate = admit(caller);
      const work = await endpoint.prepare(req, res);
      const timeoutMs = endpoint.timeoutMs + (exchange.waitMs ?? 0);
      exchange.endsAtMs = performance.now() + timeoutMs;
      answer = await withDeadline(timeoutMs, exchange.cancellation, () => work({ caller, exchange, onFailure }));
    } catch (error) {
      answer = answerTo(error, endpoint.failure, exchange.requestId);
      if (answer.status === 500) deps.onFailure(error, exchange);
    }
    return { ...answer, headers: { ...rate, ...answer.headers } };
  }

  /** Returns the rate-limit headers, or throws if the rate is exceeded. */
  function admit({ keyId }: Caller): Record<string, string> {
    const { admitted, headers } = deps.limiter.admit(keyId);
    if (!admitted) {
      deps.onRateLimited('requests');
      throw rateLimited(headers);
    }
    const waitSeconds = endpoint.hasBody ? deps.work.secondsToWait(keyId) : 0;
    if (waitSeconds > 0) {
      deps.onRateLimited('work');
      throw tooMuchWork(waitSeconds, headers);
    }
    return headers;
  }

  function traced(req: Request, run: (span: Span) => Promise<void>): Promise<void> {
    const span = () => withSpan(`${method.toUpperCase()} ${path}`, { kind: 'server', attributes }, run);
    const { traceparent, tracestate } = req.headers;
    if (typeof traceparent !== 'string') return span();
    return withTraceFrom({ traceparent, ...(typeof tracestate === 'string' ? { tracestate } : {}) }, span);
  }
}

import { type CallContext, currentTraceId, type Span, withSpan, withTraceFrom } from '@whetstone/platform';
import type { Request, RequestHandler, Response } from 'express';
import type { Caller } from '../domain/resolve-collection.js';
import { type Answer, answerTo, type Failure, rateLimited, sendAnswer } from './answer.js';
import { callerOf, type Exchange, exchangeOf, withDeadline } from './exchange.js';
import type { RateLimiter } from './rate-limiter.js';

/** One operation of the contract, as the edge sees it. */
export interface Operation {
  method: 'get' | 'post';
  /** As express matches it. */
  path: string | RegExp;
  /** As people and metrics name it. */
  route: string;
  timeoutMs: number;
  failure: Failure;
  /** Reads and validates what was sent; throws Refusals. What it returns is the work that then has to be done in time. */
  prepare(req: Request, res: Response): Promise<Work> | Work;
}

export type Work = (call: WorkContext) => Promise<Answer>;

export interface WorkContext {
  caller: Caller;
  exchange: Exchange;
}

/** What goes along with a call to another service: it has the rest of the operation's time. */
export function callOf({ cancellation, deadline, requestId }: Exchange): CallContext {
  return { signal: cancellation.signal, requestId, ...(deadline === undefined ? {} : { deadline }) };
}

export interface OperationDeps {
  limiter: RateLimiter;
  onRateLimited(): void;
  /** Told every error that became a 500, with what the caller does not get to see. */
  onFailure(error: unknown, exchange: Exchange): void;
}

/** Turns an operation into what express calls: rate, then what was sent, then the work within its time. */
export function handle(operation: Operation, deps: OperationDeps): RequestHandler {
  const spanName = `${operation.method.toUpperCase()} ${operation.route}`;
  const attributes = { 'http.route': operation.route, 'http.request.method': operation.method.toUpperCase() };

  return async (req, res) => {
    const exchange = exchangeOf(res);
    exchange.route = operation.route;
    await traced(req, async (span) => {
      exchange.traceId = currentTraceId();
      const answer = await answerOf(req, res, exchange);
      if (res.destroyed) return;
      span.set({ 'http.response.status_code': answer.status });
      // What a caller has done wrong is no error of this service.
      if (answer.status >= 500) span.fail(operation.failure.error);
      sendAnswer(res, answer);
    });
  };

  async function answerOf(req: Request, res: Response, exchange: Exchange): Promise<Answer> {
    const caller = callerOf(res);
    let rate: Record<string, string> = {};
    let answer: Answer;
    try {
      rate = admit(exchange, caller);
      const work = await operation.prepare(req, res);
      exchange.deadline = Date.now() + operation.timeoutMs;
      answer = await withDeadline(operation.timeoutMs, exchange.cancellation, () => work({ caller, exchange }));
    } catch (error) {
      answer = answerTo(error, operation.failure, exchange.requestId);
      if (answer.status === 500) deps.onFailure(error, exchange);
    }
    return { ...answer, headers: { ...rate, ...answer.headers } };
  }

  /** The headers that tell what is left of the rate; throws when nothing is. */
  function admit({ arrivedAt }: Exchange, { keyId }: Caller): Record<string, string> {
    const { admitted, headers } = deps.limiter.admit(keyId, arrivedAt);
    if (admitted) return headers;
    deps.onRateLimited();
    throw rateLimited(headers);
  }

  function traced(req: Request, run: (span: Span) => Promise<void>): Promise<void> {
    const span = () => withSpan(spanName, { kind: 'server', attributes }, run);
    const { traceparent, tracestate } = req.headers;
    if (typeof traceparent !== 'string') return span();
    return withTraceFrom({ traceparent, ...(typeof tracestate === 'string' ? { tracestate } : {}) }, span);
  }
}

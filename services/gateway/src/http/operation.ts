import type { CallContext } from '@whetstone/platform';
import { currentTraceId, withSpan, withTraceFrom } from '@whetstone/platform';
import type { Request, RequestHandler, Response } from 'express';

import type { Caller } from '../domain/caller.js';
import { type Answer, sendAnswer } from './answer.js';
import { answerTo, type Failure } from './error-answer.js';
import { callerOf, type Exchange, exchangeOf } from './exchange.js';
import type { RateLimiter } from './rate-limiter.js';
import { rateLimited } from './refusal.js';
import { withDeadline } from './with-deadline.js';

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

/** What goes along with a call to another service. */
export function callOf({ cancellation, requestId }: Exchange): CallContext {
  return { signal: cancellation.signal, requestId };
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
    const caller = callerOf(res);
    exchange.route = operation.route;
    const rate = admit(exchange, caller);
    let answer: Answer;
    try {
      const work = await operation.prepare(req, res);
      const run = () => {
        exchange.traceId = currentTraceId();
        return withDeadline(operation.timeoutMs, exchange.cancellation, () => work({ caller, exchange }));
      };
      answer = await traced(req, run);
    } catch (error) {
      answer = answerTo(error, operation.failure, exchange.requestId);
      if (answer.status === 500) deps.onFailure(error, exchange);
    }
    if (!res.destroyed) sendAnswer(res, { ...answer, headers: { ...rate, ...answer.headers } });
  };

  /** The headers that tell what is left of the rate; throws when nothing is. */
  function admit({ arrivedAt }: Exchange, { keyId }: Caller): Record<string, string> {
    const { admitted, headers } = deps.limiter.admit(keyId, arrivedAt);
    if (admitted) return headers;
    deps.onRateLimited();
    throw rateLimited(headers);
  }

  function traced(req: Request, run: () => Promise<Answer>): Promise<Answer> {
    const span = () => withSpan(spanName, attributes, run);
    const { traceparent, tracestate } = req.headers;
    if (typeof traceparent !== 'string') return span();
    return withTraceFrom({ traceparent, ...(typeof tracestate === 'string' ? { tracestate } : {}) }, span);
  }
}

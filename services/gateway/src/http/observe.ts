import { AppError, type Clock, type Logger } from '@whetstone/platform';
import type { Request, Response } from 'express';

import { beginExchange, type Exchange } from './exchange.js';
import type { HttpMetrics } from './http-metrics.js';
import type { OpenAnswers } from './open-answers.js';

export interface ObserveOptions {
  clock: Clock;
  logger: Logger;
  metrics: Pick<HttpMetrics, 'onAnswer'>;
  openAnswers: OpenAnswers;
}

/** What a client that went away before its answer would have got, in the words of reverse proxies. */
const clientClosedRequest = 499;

/** Begins every exchange, and tells how it ended: the route and never the address, which may hold a key. */
export type Observe = (req: Request, res: Response) => Exchange;

export function createObserve({ clock, logger, metrics, openAnswers }: ObserveOptions): Observe {
  return (req, res) => {
    const exchange = beginExchange(req, res, clock.now());
    openAnswers.add(res);
    res.once('close', () => {
      openAnswers.delete(res);
      const isAnswered = res.writableFinished;
      if (!isAnswered) exchange.cancellation.cancel(new AppError('cancelled', 'The client went away'));
      const status = isAnswered ? res.statusCode : clientClosedRequest;
      const durationMs = performance.now() - exchange.startedMs;
      metrics.onAnswer(req.method, exchange.route, status, durationMs / 1000);
      logger.info(
        {
          request_id: exchange.requestId,
          trace_id: exchange.traceId,
          method: req.method,
          route: exchange.route,
          status,
          duration_ms: Math.round(durationMs * 1000) / 1000,
        },
        'request',
      );
    });
    return exchange;
  };
}

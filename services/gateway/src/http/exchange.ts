import { randomUUID } from 'node:crypto';

import type { Micros } from '@whetstone/contracts';
import { AppError } from '@whetstone/platform';
import type { Request, Response } from 'express';

import type { Caller } from '../domain/caller.js';
import { Cancellation } from './cancellation.js';

/** What the gateway knows of one request and its answer while it lasts. */
export interface Exchange {
  requestId: string;
  arrivedAt: Micros;
  startedMs: number;
  /** The template of the path, once it is known which one it is. */
  route: string;
  /** Of the operation, where traces are recorded: log lines are written when its span is over. */
  traceId?: string | undefined;
  /** Set by authentication. */
  caller?: Caller;
  /** When the operation's time is up, milliseconds since the epoch; from when its work has begun. */
  deadline?: number;
  /** Happens when the client goes away or the operation's time is up. */
  cancellation: Cancellation;
}

/** Paths that nobody serves, and requests that were turned away before anyone looked for theirs. */
export const unmatchedRoute = 'unmatched';

/** It goes into log lines, where no key may stand: one that is sent in its place by mistake is not taken. */
const acceptableId = /^(?!.*wst_)[\w.-]{1,128}$/;

export function beginExchange(req: Request, res: Response, arrivedAt: Micros): Exchange {
  const given = req.headers['x-request-id'];
  const requestId = typeof given === 'string' && acceptableId.test(given) ? given : randomUUID();
  const exchange: Exchange = {
    requestId,
    arrivedAt,
    startedMs: performance.now(),
    route: unmatchedRoute,
    cancellation: new Cancellation(),
  };
  res.locals['exchange'] = exchange;
  return exchange;
}

export function exchangeOf(res: Response): Exchange {
  return res.locals['exchange'];
}

export function callerOf(res: Response): Caller {
  const { caller } = exchangeOf(res);
  if (!caller) throw new AppError('internal', 'An operation ran before its caller was known');
  return caller;
}

import { randomUUID } from 'node:crypto';
import type { Micros } from '@whetstone/contracts';
import { AppError } from '@whetstone/platform';
import type { Request, Response } from 'express';
import type { Caller } from '../domain/resolve-collection.js';

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
  /** The job that the request made or asks about. */
  jobId?: string;
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

/** What every log line of a request says: who called for what, and never the key. */
export function logFields({ requestId, traceId, caller, jobId, route }: Exchange): object {
  return {
    request_id: requestId,
    trace_id: traceId,
    key_id: caller?.keyId,
    account: caller?.account,
    job_id: jobId,
    route,
  };
}

export function callerOf(res: Response): Caller {
  const { caller } = exchangeOf(res);
  if (!caller) throw new AppError('internal', 'An operation ran before its caller was known');
  return caller;
}

/**
 * That the work for one request has become pointless, and why. Costs nothing until someone asks for its signal: most requests
 * end well, and not all of them have anyone to pass a signal on to.
 */
export class Cancellation {
  #reason: AppError | undefined;
  #controller: AbortController | undefined;
  #listener: ((reason: AppError) => void) | undefined;

  /** The first reason stands. */
  cancel(reason: AppError): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    this.#listener?.(reason);
  }

  /** Called once, also for what has already happened. There is one listener at a time. */
  set listener(listener: ((reason: AppError) => void) | undefined) {
    this.#listener = listener;
    if (this.#reason) listener?.(this.#reason);
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#reason) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }
}

/**
 * Runs `work` until it is done or cancelled. When its time is up, that cancels it (AppError `deadline_exceeded`). What
 * `work` still does after that is nobody's business any more.
 */
export function withDeadline<Result>(
  timeoutMs: number,
  cancellation: Cancellation,
  work: () => Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      cancellation.cancel(new AppError('deadline_exceeded', `The operation took longer than ${timeoutMs} ms`));
    }, timeoutMs);
    const settle = () => {
      clearTimeout(timer);
      cancellation.listener = undefined;
    };
    cancellation.listener = (reason) => {
      clearTimeout(timer);
      reject(reason);
    };
    work().then(
      (result) => {
        settle();
        resolve(result);
      },
      (error: unknown) => {
        settle();
        reject(error);
      },
    );
  });
}

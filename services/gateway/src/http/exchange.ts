import { randomUUID } from 'node:crypto';
import type { Micros, UsageCounts } from '@whetstone/contracts';
import { AppError } from '@whetstone/platform';
import type { Request, Response } from 'express';
import type { Caller } from '../domain/resolve-collection.js';

/** The state of one request. */
export interface Exchange {
  requestId: string;
  arrivedAt: Micros;
  startedMs: number;
  /** The path template, once routed. */
  route: string;
  /** Set if traces are recorded: the request is logged after its span has ended. */
  traceId?: string | undefined;
  /** Set by authentication. */
  caller?: Caller;
  /** The job that the request made or asks about. */
  jobId?: string;
  /** Size of the body when unpacked, as it declares it. */
  bodyBytes?: number;
  /** The status that it counts as, where a protocol within HTTP tells of errors by itself. */
  countsAs?: number;
  /** What it counts for, if it succeeded. */
  used?: Partial<UsageCounts>;
  /** When the operation times out, by `performance.now()`, which never steps. Set once its work begins. */
  endsAtMs?: number;
  /** How long the caller asks to wait, which the operation may take beyond its own time. */
  waitMs?: number;
  /** How long it waited, which is not time that the answer took. */
  waitedMs?: number;
  /** Triggered when the client disconnects or the operation times out. */
  cancellation: Cancellation;
}

/** The route of unknown paths, and of requests that HTTP itself refuses. */
export const unmatchedRoute = 'unmatched';

/** Request ids are logged, so an API key sent by mistake is not accepted as one. */
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

/** Logged with every line about a request. Never the key itself. */
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
  if (!caller) throw new AppError('internal', 'Operation ran before authentication');
  return caller;
}

/** Cancels one request and records why. Creates an AbortController only if someone asks for its signal: most requests need none. */
class Cancellation {
  #reason: AppError | undefined;
  #controller: AbortController | undefined;
  #listener: ((reason: AppError) => void) | undefined;

  /** The first reason is kept. */
  cancel(reason: AppError): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    this.#listener?.(reason);
  }

  /** Called once, immediately if already cancelled. At most one listener at a time. */
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

/** Runs `work` until it settles or is cancelled. Cancels it with AppError `deadline_exceeded` after `timeoutMs`. */
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

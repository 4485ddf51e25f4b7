import { type Micros, routes } from '@whetstone/contracts';
import { type KeyRing, parseApiKey, type Sessions } from '@whetstone/identity';
import { type Clock, isAppError, type Logger } from '@whetstone/platform';
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import type { CountUsage } from '../domain/count-usage.js';
import type { Caller } from '../domain/resolve-collection.js';
import { answerTo, internalFailure, sendAnswer } from './answer.js';
import { createConsolePages } from './console-pages.js';
import { sealedSessionIn, serveConsoleSession } from './console-session.js';
import { type Exchange, exchangeOf, logFields, unmatchedRoute } from './exchange.js';
import { keysIn } from './keys-in.js';
import { type McpPath, mcpPaths } from './mcp.js';
import { createObserve, type HttpMetrics } from './observe.js';
import type { OpenAnswers } from './open-answers.js';
import { type Endpoint, handle, type Operation } from './operation.js';
import { createTemplateOf, patternOf } from './paths.js';
import { createPublicPages, publicRoutes } from './public-pages.js';
import type { RateLimiter } from './rate-limiter.js';
import { invalidApiKey, methodNotAllowed, notFound } from './refusals.js';
import type { WorkLimiter } from './work-limiter.js';

interface AppOptions {
  clock: Clock;
  keys: Pick<KeyRing, 'authenticate' | 'lookUp'>;
  limiter: RateLimiter;
  work: Pick<WorkLimiter, 'secondsToWait'>;
  logger: Logger;
  metrics: HttpMetrics;
  openAnswers: OpenAnswers;
  countUsage: CountUsage['add'];
  operations: Operation[];
  /** By its path. */
  mcp: (path: McpPath) => Endpoint;
  /** Whether /docs and /openapi.json are served. */
  docs: boolean;
  /** Absent: no console. */
  console?: { sessions: Sessions; lifeMs: number };
}

/**
 * Checks in this order: public pages, 401, 404 and 405, then per operation the 403 of its scopes, 429, 413 and 415, 422, the 403
 * of its tenant_id.
 */
export function createApp(options: AppOptions): Express {
  const { clock, docs, console, keys, limiter, work, logger, metrics, openAnswers, countUsage, operations, mcp } =
    options;
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing').enable('strict routing');
  app.set('query parser', false);

  const observe = createObserve({ clock, logger, metrics, openAnswers, countUsage });
  const templateOf = createTemplateOf([...operations.map(({ id }) => routes[id].path), ...mcpPaths]);
  const pages = [...(docs ? [createPublicPages()] : []), ...(console ? [createConsolePages(logger)] : [])];
  app.use((req, res, next) => {
    const exchange = observe(req, res);
    if (pages.some((answers) => answers(req, res))) return;
    exchange.caller = authenticate(req, exchange);
    next();
  });
  const handling = { limiter, work, onRateLimited: metrics.onRateLimited, onFailure };
  for (const [path, ofPath] of groupByPath(operations)) {
    const route = app.route(patternOf(path));
    const methods = ofPath.map(({ id }) => routes[id].method);
    for (const operation of ofPath) {
      const { method } = routes[operation.id];
      metrics.expectOperation(method.toUpperCase(), path);
      route[method](handle(operation, routes[operation.id], handling));
    }
    route.all((_req, res) => {
      exchangeOf(res).route = path;
      throw methodNotAllowed(
        methods.map((method) => (method === 'get' ? 'GET, HEAD' : method.toUpperCase())).join(', '),
      );
    });
  }
  for (const path of mcpPaths) {
    metrics.expectOperation('POST', path);
    // No stream to open with GET, no session to end with DELETE.
    app
      .route(patternOf(path))
      .post(handle(mcp(path), { method: 'post', path, scopes: [] }, handling))
      .all((_req, res) => {
        exchangeOf(res).route = path;
        throw methodNotAllowed('POST');
      });
  }
  if (console) serveConsoleSession(app, { ...console, limiter, onRateLimited: metrics.onRateLimited });
  if (docs) {
    app.all([...publicRoutes], () => {
      throw methodNotAllowed('GET, HEAD');
    });
  }
  app.use(() => {
    throw notFound();
  });
  // Express recognises an error handler by its four parameters.
  const errorHandler: ErrorRequestHandler = (error, _req, res, _next) => onError(error, res);
  app.use(errorHandler);
  return app;

  function authenticate(req: Request, exchange: Exchange): Caller {
    const { arrivedAt } = exchange;
    const sent = keysIn(req);
    const [key = ''] = sent;
    const sealed = console && sent.size === 0 ? sealedSessionIn(req) : undefined;
    const caller =
      sealed !== undefined
        ? callerIn(sealed, arrivedAt)
        : sent.size === 1
          ? keys.authenticate(key, arrivedAt)
          : undefined;
    if (caller) return caller;
    const isMissing = sent.size === 0 && sealed === undefined;
    const isRefused = sealed !== undefined || (sent.size === 1 && parseApiKey(key) !== undefined);
    const reason = isMissing ? 'missing' : isRefused ? 'refused' : 'malformed';
    metrics.onAuthFailure(reason);
    exchange.route = templateOf(req.url) ?? unmatchedRoute;
    throw invalidApiKey(reason);
  }

  /** A session ends with its key, which is looked up on every request. */
  function callerIn(sealed: string, now: Micros): Caller | undefined {
    const session = console?.sessions.open(sealed, now);
    const key = session && keys.lookUp(session.keyId, now);
    return key && { ...key, session };
  }

  function onError(error: unknown, res: Response): void {
    const exchange = exchangeOf(res);
    const answer = answerTo(error, internalFailure, exchange.requestId);
    if (answer.status === 500) onFailure(error, exchange);
    if (!res.headersSent) sendAnswer(res, answer);
    else if (!res.writableEnded) res.destroy();
  }

  function onFailure(error: unknown, exchange: Exchange): void {
    if (isAppError(error, 'cancelled')) return;
    const level = isAppError(error) && error.code !== 'internal' ? 'warn' : 'error';
    logger[level]({ err: error, ...logFields(exchange) }, 'An operation failed');
  }
}

function groupByPath(operations: readonly Operation[]): Map<string, Operation[]> {
  const byPath = new Map<string, Operation[]>();
  for (const operation of operations) {
    const { path } = routes[operation.id];
    byPath.set(path, [...(byPath.get(path) ?? []), operation]);
  }
  return byPath;
}

import { AppError, type Clock, Counter, Gauge, Histogram, type Logger, type Registry } from '@whetstone/platform';
import { type SecretKind, secretKinds } from '@whetstone/platform/redaction';
import type { Request, Response } from 'express';
import type { CountUsage } from '../domain/count-usage.js';
import type { SpanCounts } from './bodies/read-traces.js';
import type { ConnectionLimit } from './connections.js';
import { beginExchange, type Exchange, logFields } from './exchange.js';
import type { OpenAnswers } from './open-answers.js';

interface ObserveOptions {
  clock: Clock;
  logger: Logger;
  metrics: Pick<HttpMetrics, 'onAnswer'>;
  openAnswers: OpenAnswers;
  countUsage: CountUsage['add'];
}

/** nginx's status for a client that disconnected before its answer. */
const clientClosedRequest = 499;

/** Starts an exchange, then logs and counts how it ended: by route, never by URL, which may hold a key. */
type Observe = (req: Request, res: Response) => Exchange;

export function createObserve({ clock, logger, metrics, openAnswers, countUsage }: ObserveOptions): Observe {
  return (req, res) => {
    const exchange = beginExchange(req, res, clock.now());
    openAnswers.add(res);
    res.once('close', () => {
      openAnswers.delete(res);
      const isAnswered = res.writableFinished;
      if (!isAnswered) exchange.cancellation.cancel(new AppError('cancelled', 'The client disconnected'));
      const status = isAnswered ? (exchange.countsAs ?? res.statusCode) : clientClosedRequest;
      countWhatItUsed(exchange, status);
      const durationMs = performance.now() - exchange.startedMs;
      metrics.onAnswer(req.method, exchange.route, status, (durationMs - (exchange.waitedMs ?? 0)) / 1000);
      if (!logger.isLevelEnabled('info')) return;
      logger.info(
        {
          ...logFields(exchange),
          method: req.method,
          status,
          duration_ms: Math.round(durationMs * 1000) / 1000,
        },
        'request',
      );
    });
    return exchange;
  };

  function countWhatItUsed({ caller, arrivedAt, used }: Exchange, status: number): void {
    if (!caller) return;
    if (used) countUsage(caller, arrivedAt, used);
    else if (isRefusal(status)) countUsage(caller, arrivedAt, oneRefusal);
  }
}

const oneRefusal = { refusals: 1 };

function isRefusal(status: number): boolean {
  return (status >= 400 && status < clientClosedRequest) || status === 503;
}

const authFailures = ['missing', 'malformed', 'refused'] as const;
export type AuthFailure = (typeof authFailures)[number];

const rateLimits = ['requests', 'work', 'bytes_in_flight'] as const;
/** Which limit of a caller refused a request. */
export type RateLimit = (typeof rateLimits)[number];

export interface HttpMetrics {
  /** Makes the operation's failures count from zero. */
  expectOperation(method: string, route: string): void;
  onAnswer(method: string, route: string, status: number, seconds: number): void;
  onAuthFailure(reason: AuthFailure): void;
  onRateLimited(limit: RateLimit): void;
  onOverloaded(): void;
  observeBytesInFlight(bytes: () => number): void;
  onConnectionRefused(limit: ConnectionLimit): void;
  observeConnections(open: () => number): void;
  onSecret(kind: SecretKind, count: number): void;
  onSpans(counts: SpanCounts): void;
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export function createHttpMetrics(registry: Registry): HttpMetrics {
  const registers = [registry];
  const durations = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Time from receiving a request to finishing the answer, without the time that the caller asked to wait',
    labelNames: ['http_request_method', 'http_route', 'http_response_status_code'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
    registers,
  });
  const refusals = new Counter({
    name: 'whetstone_auth_failures_total',
    help: 'Requests refused for a missing or invalid API key',
    labelNames: ['reason'],
    registers,
  });
  const rateLimited = new Counter({
    name: 'whetstone_rate_limited_total',
    help: 'Requests refused with 429, because a key or an account exceeded a limit',
    labelNames: ['limit'],
    registers,
  });
  const redactions = new Counter({
    name: 'whetstone_redactions_total',
    help: 'Secrets redacted from uploads',
    labelNames: ['kind'],
    registers,
  });
  const overloads = new Counter({
    name: 'whetstone_overloaded_total',
    help: 'Requests refused with 503, because the process was busy with large bodies',
    registers,
  });
  const refusedConnections = new Counter({
    name: 'whetstone_connections_refused_total',
    help: 'Connections refused because too many were open',
    labelNames: ['limit'],
    registers,
  });
  const spans = new Counter({
    name: 'whetstone_spans_total',
    help: 'Spans received; empty ones came without content, nameless ones without a collection',
    labelNames: ['outcome'],
    registers,
  });
  // Without a zero first, a rate misses the first event of a label.
  for (const reason of authFailures) refusals.inc({ reason }, 0);
  for (const limit of rateLimits) rateLimited.inc({ limit }, 0);
  for (const limit of ['process', 'address']) refusedConnections.inc({ limit }, 0);
  for (const kind of secretKinds) redactions.inc({ kind }, 0);
  onSpans({ accepted: 0, ignored: 0, empty: 0, nameless: 0 });

  return {
    expectOperation(method, route) {
      durations.zero({ http_request_method: method, http_route: route, http_response_status_code: 500 });
    },
    onAnswer(method, route, status, seconds) {
      const labels = {
        http_request_method: methods.has(method) ? method : '_OTHER',
        http_route: route,
        http_response_status_code: status,
      };
      durations.observe(labels, seconds);
    },
    onAuthFailure: (reason) => refusals.inc({ reason }),
    onRateLimited: (limit) => rateLimited.inc({ limit }),
    onOverloaded: () => overloads.inc(),
    observeBytesInFlight: (bytes) =>
      observe('whetstone_body_bytes_in_flight', 'Bytes of large bodies that are held', bytes),
    onConnectionRefused: (limit) => refusedConnections.inc({ limit }),
    observeConnections: (open) => observe('whetstone_open_connections', 'Open HTTP connections', open),
    onSecret: (kind, count) => redactions.inc({ kind }, count),
    onSpans,
  };

  function onSpans(counts: SpanCounts): void {
    for (const [outcome, count] of Object.entries(counts)) spans.inc({ outcome }, count);
  }

  function observe(name: string, help: string, value: () => number): void {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value());
      },
    });
  }
}

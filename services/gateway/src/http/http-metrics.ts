import { Counter, Histogram, type Registry } from '@whetstone/platform';

import type { SecretKind } from '@whetstone/platform/redaction';

import type { AuthFailure } from './authenticate.js';

export interface HttpMetrics {
  onAnswer(method: string, route: string, status: number, seconds: number): void;
  onAuthFailure(reason: AuthFailure): void;
  onRateLimited(): void;
  onSecret(kind: SecretKind): void;
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export function createHttpMetrics(registry: Registry): HttpMetrics {
  const registers = [registry];
  const durations = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer',
    labelNames: ['http_request_method', 'http_route', 'http_response_status_code'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
    registers,
  });
  const authFailures = new Counter({
    name: 'whetstone_auth_failures_total',
    help: 'Requests turned away for their key',
    labelNames: ['reason'],
    registers,
  });
  const rateLimited = new Counter({
    name: 'whetstone_rate_limited_total',
    help: 'Requests turned away for the rate of their key',
    registers,
  });
  const redactions = new Counter({
    name: 'whetstone_redactions_total',
    help: 'Secrets taken out of uploads',
    labelNames: ['kind'],
    registers,
  });
  return {
    onAnswer(method, route, status, seconds) {
      const labels = {
        http_request_method: methods.has(method) ? method : '_OTHER',
        http_route: route,
        http_response_status_code: status,
      };
      durations.observe(labels, seconds);
    },
    onAuthFailure: (reason) => authFailures.inc({ reason }),
    onRateLimited: () => rateLimited.inc(),
    onSecret: (kind) => redactions.inc({ kind }),
  };
}

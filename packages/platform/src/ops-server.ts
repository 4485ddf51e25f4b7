import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Registry } from 'prom-client';
import { type ListenOptions, listen } from './listen.js';
import type { Logger } from './logger.js';
import { observeHealth } from './process-metrics.js';
import type { ServiceHealth } from './service.js';

export interface OpsServerOptions extends ListenOptions {
  registry: Registry;
  /** The services of this process by name. */
  health(): Record<string, ServiceHealth>;
  logger: Logger;
}

/** Probes and metrics, on a port that no ingress exposes. */
export interface OpsServer {
  start(): Promise<AddressInfo>;
  /** Reports not ready from now on, so that no new traffic arrives. Everything else goes on. */
  drain(): void;
  /** Idempotent. */
  stop(): Promise<void>;
}

interface Answer {
  status: number;
  type: string;
  body: string;
}

export function createOpsServer({ registry, health, logger, ...address }: OpsServerOptions): OpsServer {
  let draining = false;
  let started = false;
  observeHealth(registry, probed);
  const server = createServer((request, response) => {
    void respond(request, response);
  });

  /** As the readiness probe: nothing is ready while draining. */
  function probed(): Record<string, ServiceHealth> {
    if (!draining) return health();
    return Object.fromEntries(Object.entries(health()).map(([name, service]) => [name, { ...service, ready: false }]));
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.resume();
    const answer = await answerTo(request).catch((error: unknown) => {
      logger.error({ err: error }, 'The ops server could not answer');
      return json(500, { error: 'internal_error' });
    });
    if (answer.status === 405) response.setHeader('allow', 'GET, HEAD');
    response.writeHead(answer.status, { 'content-type': answer.type, 'cache-control': 'no-store' });
    response.end(request.method === 'HEAD' ? undefined : answer.body);
  }

  async function answerTo({ method, url = '/' }: IncomingMessage): Promise<Answer> {
    const path = url.split('?', 1)[0];
    const probe = probes.get(path ?? '');
    if (!probe && path !== '/metrics') return json(404, { error: 'not_found' });
    if (method !== 'GET' && method !== 'HEAD') return json(405, { error: 'method_not_allowed' });
    if (probe) return probe();
    return { status: 200, type: registry.contentType, body: await registry.metrics() };
  }

  const probes = new Map<string, () => Answer>([
    ['/livez', () => report((service) => service.live)],
    ['/readyz', () => (draining ? json(503, { ok: false, draining, services: health() }) : report(isReady))],
    ['/startupz', () => (started ? json(200, { ok: true }) : startupReport())],
  ]);

  function report(isOk: (service: ServiceHealth) => boolean): Answer {
    const services = health();
    const ok = Object.values(services).every(isOk);
    return json(ok ? 200 : 503, { ok, services });
  }

  /** Once started, always started, whatever becomes of readiness. */
  function startupReport(): Answer {
    const answer = report(isReady);
    started = answer.status === 200;
    return answer;
  }

  return {
    start: () => listen(server, address),
    drain() {
      draining = true;
    },
    async stop() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

function isReady(service: ServiceHealth): boolean {
  return service.ready;
}

function json(status: number, body: unknown): Answer {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(body) };
}

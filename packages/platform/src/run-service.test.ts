import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

import { Registry } from 'prom-client';

import { createSystemClock } from './clock.js';
import { type ConfigOf, loadConfig } from './load-config.js';
import { processConfigSchema } from './process-config.js';
import { runProcess } from './run-process.js';
import { type ComposedService, type ProcessParts, startService } from './run-service.js';
import type { Service, ServiceHealth } from './service.js';
import { createRecordingLogger } from './test-kit/recording-logger.js';

type Parts = ProcessParts<ConfigOf<typeof processConfigSchema>>;

describe('the process of a service', () => {
  it('stops in the order that loses nothing: readiness, calls, the service, what it called, what it wrote to', async () => {
    const done: string[] = [];
    const process = run(async ({ isReady, onStop }) => {
      onStop('log', () => void done.push('log'));
      return {
        service: aService({
          async stop() {
            done.push(`service, ready: ${isReady()}`);
          },
        }),
        server: { start: async () => 1, stop: async () => void done.push('server') },
        peers: { indexer: { healthy: () => true, close: () => void done.push('indexer') } },
      };
    });
    await process.started();

    process.port.emit('SIGTERM');

    expect(await process.exited).toBe(0);
    expect(done).toEqual(['server', 'service, ready: false', 'indexer', 'log']);
  });

  it('goes on serving for a while after it is not ready any more', async () => {
    let serving = true;
    let drains = 0;
    const server = {
      start: async () => 1,
      async stop() {
        serving = false;
      },
    };
    const service = { ...aService(), drain: () => void drains++ };
    const process = run(async () => ({ service, server }), { WHETSTONE_DRAIN_MS: '1500' });
    await process.started();

    process.port.emit('SIGTERM');
    await process.until('/readyz', 503);

    expect([serving, drains]).toEqual([true, 1]);
    expect(await process.exited).toBe(0);
    expect(serving).toBe(false);
  });

  it('answers probes before there is a service: live, not ready', async () => {
    let compose = (_: ComposedService) => {};
    const process = run(() => new Promise((resolve) => (compose = resolve)));

    await process.until('/livez', 200);
    await process.until('/readyz', 503);
    compose({ service: aService() });
    await process.until('/readyz', 200);

    process.port.emit('SIGTERM');
    expect(await process.exited).toBe(0);
  });

  it('tells how the services are that it calls, which decides nothing', async () => {
    const process = run(async () => ({
      service: aService({ dependencies: [{ name: 'log', ok: true }] }),
      peers: { indexer: { healthy: () => false, close() {} } },
    }));
    await process.started();

    const { status, body } = await process.ask('/readyz');

    expect(status).toBe(200);
    expect(body.services.test.dependencies).toEqual([
      { name: 'log', ok: true },
      { name: 'indexer', ok: false },
    ]);
    process.port.emit('SIGTERM');
    await process.exited;
  });

  it('takes no calls before it is ready, so that callers turn to those that are', async () => {
    const done: string[] = [];
    let ready = false;
    const process = run(async () => ({
      service: { ...aService(), health: () => ({ live: true, ready, dependencies: [] }) },
      server: { start: async () => done.push('serving'), stop: async () => {} },
    }));
    await process.until('/readyz', 503);
    await pause(100);
    expect(done).toEqual([]);

    ready = true;
    await process.started();

    expect(done).toEqual(['serving']);
    process.port.emit('SIGTERM');
    expect(await process.exited).toBe(0);
  });

  it('is not ready before it takes calls', async () => {
    let listen = () => {};
    const listening = new Promise<void>((resolve) => {
      listen = resolve;
    });
    const service = aService();
    const server = { start: () => listening.then(() => 1), stop: async () => {} };
    const process = run(async () => ({ service, server }));
    await process.until('/livez', 200);
    while (!service.health().ready) await pause(5);

    expect((await process.ask('/readyz')).status).toBe(503);

    listen();
    await process.until('/readyz', 200);
    process.port.emit('SIGTERM');
    expect(await process.exited).toBe(0);
  });

  it('that still waits for its view is not ready, and stops when it is told to', async () => {
    const done: string[] = [];
    const process = run(async () => ({
      service: aService({
        start: () => new Promise<never>(() => {}),
        async stop() {
          done.push('service');
        },
      }),
      server: { start: async () => done.push('serving'), stop: async () => void done.push('server') },
    }));
    await process.until('/readyz', 503);

    process.port.emit('SIGTERM');

    expect(await process.exited).toBe(0);
    expect(done).toEqual(['server', 'service']);
  });

  it('exits non-zero, in order, when a part of it has crashed', async () => {
    const done: string[] = [];
    let crash = (_: Error) => {};
    const process = run(async ({ onCrash }) => {
      crash = onCrash;
      return {
        service: aService({
          async stop() {
            done.push('service');
          },
        }),
      };
    });
    await process.started();

    crash(new Error('the consumer has ended'));

    expect(await process.exited).toBe(1);
    expect(done).toEqual(['service']);
  });

  it('that cannot be put together says why, closes what it had opened and exits non-zero', async () => {
    const done: string[] = [];
    const process = run(async ({ onStop }) => {
      onStop('log', () => void done.push('log'));
      throw new Error('no such database');
    });

    expect(await process.exited).toBe(1);
    expect(done).toEqual(['log']);
    expect(JSON.stringify(process.lines())).toContain('no such database');
  });
});

interface TestService extends Partial<Service> {
  dependencies?: { name: string; ok: boolean }[];
}

function aService({ start, stop, dependencies = [] }: TestService = {}): Service {
  let ready = false;
  return {
    async start() {
      await start?.();
      ready = true;
    },
    async stop() {
      await stop?.();
    },
    health: () => ({ live: true, ready, dependencies }),
  };
}

function run(compose: (parts: Parts) => Promise<ComposedService>, env: Record<string, string> = {}) {
  const config = loadConfig(processConfigSchema, { WHETSTONE_OPS_PORT: '0', ...env });
  const { logger, lines } = createRecordingLogger();
  const port = Object.assign(new EventEmitter(), { exit: (_code: number) => {} });
  const exited = new Promise<number>((resolve) => {
    port.exit = resolve;
  });
  const parts = { name: 'test', config, clock: createSystemClock(), logger, registry: new Registry(), compose };
  runProcess({ graceMs: 10_000, logger, process: port, start: (running) => startService({ ...parts, running }) });

  async function said(message: string): Promise<Record<string, unknown>> {
    for (;;) {
      const line = lines().find(({ msg }) => msg === message);
      if (line) return line;
      await pause(5);
    }
  }

  async function ask(path: string) {
    const { ops_port: opsPort } = await said('Starting');
    const answer = await fetch(`http://127.0.0.1:${opsPort}${path}`);
    return { status: answer.status, body: (await answer.json()) as { services: { test: ServiceHealth } } };
  }

  return {
    port,
    exited,
    lines,
    ask,
    async until(path: string, status: number) {
      while ((await ask(path)).status !== status) await pause(5);
    },
    started: () => said('Started'),
  };
}

import { Counter, Registry } from 'prom-client';

import { createLogger } from './logger.js';
import { createOpsServer } from './ops-server.js';
import { collectProcessMetrics } from './process-metrics.js';
import type { ServiceHealth } from './service.js';

const logger = createLogger({ service: 'test', level: 'silent', pretty: false });
const well: ServiceHealth = { live: true, ready: true, dependencies: [{ name: 'log', ok: true }] };
const variables = { host: 'WHETSTONE_OPS_HOST', port: 'WHETSTONE_OPS_PORT' };
const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

describe('the ops server', () => {
  it('is ready when every service is, and tells of each and its dependencies', async () => {
    const { get } = await setUp({ gateway: well, status: well });

    expect(await get('/readyz')).toEqual({
      status: 200,
      body: { ok: true, services: { gateway: well, status: well } },
    });
  });

  it('is not ready while one service is not', async () => {
    const { get } = await setUp({ gateway: well, status: { ...well, ready: false } });

    expect(await get('/readyz')).toMatchObject({ status: 503, body: { ok: false } });
    expect(await get('/livez')).toMatchObject({ status: 200, body: { ok: true } });
  });

  it('stays ready and alive when a dependency is away', async () => {
    const away = { ...well, dependencies: [{ name: 'log', ok: false, detail: 'gone' }] };
    const { get } = await setUp({ gateway: away });

    expect(await get('/readyz')).toEqual({ status: 200, body: { ok: true, services: { gateway: away } } });
    expect((await get('/livez')).status).toBe(200);
  });

  it('is not alive when one service is not', async () => {
    const { get } = await setUp({ gateway: { ...well, live: false } });

    expect((await get('/livez')).status).toBe(503);
  });

  it('has started once all services were ready, and does not take that back', async () => {
    const services = { gateway: { ...well, ready: false } };
    const { get } = await setUp(services);
    expect((await get('/startupz')).status).toBe(503);

    services.gateway.ready = true;
    expect((await get('/startupz')).status).toBe(200);

    services.gateway.ready = false;
    expect((await get('/startupz')).status).toBe(200);
    expect((await get('/readyz')).status).toBe(503);
  });

  it('is not ready any more while draining, and still alive', async () => {
    const { get, server } = await setUp({ gateway: well });

    server.drain();

    expect(await get('/readyz')).toMatchObject({ status: 503, body: { ok: false, draining: true } });
    expect((await get('/livez')).status).toBe(200);
  });

  it('serves the metrics of its registry, those of the process among them', async () => {
    const { url, registry } = await setUp({});
    collectProcessMetrics(registry);
    new Counter({ name: 'whetstone_things_total', help: 'Things', registers: [registry] }).inc(3);

    const answer = await fetch(`${url}/metrics?x=1`);
    const text = await answer.text();

    expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    expect(text).toContain('whetstone_things_total 3');
    expect(text).toContain('process_resident_memory_bytes');
    expect(text).toContain('nodejs_eventloop_lag_seconds');
    expect(Number(/^whetstone_memory_limit_bytes (.*)$/m.exec(text)?.[1])).toBeGreaterThan(1e6);
  });

  it('tells as numbers what its probes tell', async () => {
    const dependencies = [
      { name: 'vector store', ok: false },
      { name: 'log', ok: true },
    ];
    const { url, server } = await setUp({ indexer: { ...well, dependencies }, status: { ...well, ready: false } });
    const samples = async () => (await (await fetch(`${url}/metrics`)).text()).split('\n');

    const before = await samples();
    server.drain();

    expect(before).toContain('whetstone_ready{component="indexer"} 1');
    expect(before).toContain('whetstone_ready{component="status"} 0');
    expect(before).toContain('whetstone_dependency_up{component="indexer",dependency="vector_store"} 0');
    expect(before).toContain('whetstone_dependency_up{component="indexer",dependency="log"} 1');
    expect(await samples()).toContain('whetstone_ready{component="indexer"} 0');
  });

  it('keeps no number of what it does not tell of any more', async () => {
    const services: Record<string, ServiceHealth> = { starting: { ...well, ready: false } };
    const { url } = await setUp(services);
    const samples = async () => (await fetch(`${url}/metrics`)).text();
    expect(await samples()).toContain('whetstone_ready{component="starting"} 0');

    delete services['starting'];
    services['gateway'] = well;

    expect(await samples()).not.toContain('component="starting"');
    expect(await samples()).toContain('whetstone_ready{component="gateway"} 1');
  });

  it('answers 500 in JSON when the metrics cannot be collected', async () => {
    const { get, registry } = await setUp({});
    const collect = () => Promise.reject(new Error('broken'));
    new Counter({ name: 'whetstone_broken_total', help: 'Broken', registers: [registry], collect });

    expect(await get('/metrics')).toEqual({ status: 500, body: { error: 'internal_error' } });
  });

  it('answers 404 for other paths and 405 for other methods', async () => {
    const { get, url } = await setUp({});

    expect(await get('/')).toEqual({ status: 404, body: { error: 'not_found' } });
    const posted = await fetch(`${url}/livez`, { method: 'POST', body: 'x' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    const head = await fetch(`${url}/livez`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('says which variable to change when its port is taken', async () => {
    const { port } = await setUp({});
    const second = anOpsServer({}, port);

    await expect(second.server.start()).rejects.toMatchObject({
      code: 'invalid_argument',
      message: `Port ${port} on 127.0.0.1 is taken by another program; choose another (WHETSTONE_OPS_PORT=${port + 1})`,
    });
  });

  it('says which variable to change when the machine has no such address', async () => {
    const { server } = anOpsServer({}, 0, '203.0.113.7');

    await expect(server.start()).rejects.toMatchObject({
      message: 'This machine has no address 203.0.113.7 to listen on (WHETSTONE_OPS_HOST)',
    });
  });

  it('stops twice without complaint, idle connections or not', async () => {
    const { get, server } = await setUp({});
    await get('/livez');

    await server.stop();
    await server.stop();

    await expect(get('/livez')).rejects.toThrow();
  });
});

function anOpsServer(services: Record<string, ServiceHealth>, port: number, host = '127.0.0.1') {
  const registry = new Registry();
  return { registry, server: createOpsServer({ host, port, variables, registry, health: () => services, logger }) };
}

async function setUp(services: Record<string, ServiceHealth>) {
  const { registry, server } = anOpsServer(services, 0);
  const { port } = await server.start();
  stops.push(server.stop);
  const url = `http://127.0.0.1:${port}`;
  return {
    registry,
    server,
    port,
    url,
    async get(path: string) {
      const answer = await fetch(url + path);
      return { status: answer.status, body: (await answer.json()) as unknown };
    },
  };
}

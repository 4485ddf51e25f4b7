import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { type OpsFront, startOpsFront, sumMetrics } from './start-ops-front.js';

const servers: Server[] = [];
let front: OpsFront;
let secondIsReady = true;

async function observed(name: string, isReady: () => boolean) {
  const server = createServer((request, answer) => {
    if (request.url === '/metrics') return answer.end('# HELP n N\n# TYPE n counter\nn 1\n');
    answer.statusCode = isReady() ? 200 : 503;
    return answer.end(JSON.stringify({ ready: isReady() }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  return { name, opsUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

beforeAll(async () => {
  front = await startOpsFront([await observed('one', () => true), await observed('two', () => secondIsReady)]);
});

afterAll(async () => {
  await front.stop();
  for (const server of servers) server.close();
});

describe('one address for a look at all processes', () => {
  it('is ready when all are', async () => {
    expect((await fetch(`${front.url}/readyz`)).status).toBe(200);
  });

  it('is not ready when one is not, and says which', async () => {
    secondIsReady = false;
    const answer = await fetch(`${front.url}/readyz`);
    secondIsReady = true;
    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual({
      services: { one: { ok: true, says: { ready: true } }, two: { ok: false, says: { ready: false } } },
    });
  });

  it('adds up their metrics', async () => {
    expect(await (await fetch(`${front.url}/metrics`)).text()).toContain('n 2');
  });

  it('has nothing else', async () => {
    expect((await fetch(`${front.url}/enhance_task`)).status).toBe(404);
    expect((await fetch(`${front.url}/metrics`, { method: 'POST' })).status).toBe(404);
  });
});

const of = (requests: string, start: number) =>
  [
    '# HELP requests_total How many',
    '# TYPE requests_total counter',
    ...requests.split('\n'),
    '',
    '# HELP start_seconds When',
    '# TYPE start_seconds gauge',
    `start_seconds ${start}`,
    '',
  ].join('\n');

describe('the metrics of several processes', () => {
  it('are one family each, with samples of the same labels added up', () => {
    const sum = sumMetrics([of('requests_total{route="/a b"} 2', 10), of('requests_total{route="/a b"} 3', 20)]);
    expect(sum).toBe(of('requests_total{route="/a b"} 5', 30));
  });

  it('keep samples that only one of them has', () => {
    const sum = sumMetrics([of('requests_total{route="/a"} 2', 10), of('requests_total{route="/b"} 3', 20)]);
    expect(sum).toBe(of('requests_total{route="/a"} 2\nrequests_total{route="/b"} 3', 30));
  });

  it('leave out what is not a number', () => {
    expect(sumMetrics([of('requests_total NaN', 10), of('requests_total 1', 20)])).toBe(of('requests_total 1', 30));
  });
});

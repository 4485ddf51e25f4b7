import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { createAccounts, unique } from '../support/accounts.js';
import type { ErrorBody, Upload } from '../support/contract.js';
import { inParallel } from '../support/eventually.js';
import { target } from '../support/target.js';

const accounts = createAccounts();
const limit = 4 * 1024 * 1024;

describe('a body has at most 4 MiB', () => {
  const exactly = (bytes: number): string => {
    const upload: Upload = { tenant_id: 'limits', query: '', turns: [] };
    const padding = bytes - Buffer.byteLength(JSON.stringify(upload));
    return JSON.stringify({ ...upload, query: 'x'.repeat(padding) });
  };

  it('one of exactly that is accepted, and its job ends', async () => {
    const { client } = await accounts.open();
    const answer = await client.request<{ job_id: string }>('POST', '/store_knowledge', { body: exactly(limit) });

    expect(answer.status).toBe(202);
    expect((await client.jobEnded(answer.body.job_id)).status).toBe('completed');
  });

  it('one of a byte more is refused', async () => {
    const { client } = await accounts.open();

    expect((await client.request('POST', '/store_knowledge', { body: exactly(limit + 1) })).status).toBe(413);
  });
});

describe('over the rate of a key', () => {
  it('is a 429 with Retry-After and RateLimit headers, only for that key, and only until Retry-After is over', async () => {
    const [busy, calm] = [await accounts.open(), await accounts.open()];
    // A burst of 1,000 is allowed, and 200 more each second: this is both, several times over.
    const statuses = await pipeline(`Host: test\r\nX-Api-Key: ${busy.key}`, 4000);

    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(400);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    // The bodies are broken: whoever is told of the rate was told before anybody looked at them.
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => busy.client.request<ErrorBody>('POST', '/store_knowledge', { body: '{' })),
    );
    const limited = answers.find(({ status }) => status === 429);
    expect(limited?.body).toMatchObject({ error: 'rate_limited', message: expect.stringMatching(/./) });
    expect(Number(limited?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect([...(limited?.headers.keys() ?? [])].some((name) => name.startsWith('ratelimit'))).toBe(true);
    expect((await calm.client.request('GET', '/')).status).toBe(200);

    // Retry-After tells when it is over.
    await sleep(Number(limited?.headers.get('retry-after')) * 1000);
    expect((await busy.client.request('GET', '/')).status).toBe(200);
  }, 60_000);
});

it('a backfill fits: 500 uploads as fast as they go are all accepted', async () => {
  const { client } = await accounts.open();
  const tenantId = unique('backfill');

  const answers = await inParallel(Array.from({ length: 500 }), 16, () =>
    client.request('POST', '/store_knowledge', { body: { tenant_id: tenantId, query: 'Say hello', turns: [] } }),
  );

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
}, 60_000);

/** One request after another down one connection, without waiting: the cheapest way to be fast. */
function pipeline(headers: string, count: number): Promise<number[]> {
  const { hostname, port } = new URL(target().baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(`GET / HTTP/1.1\r\n${headers}\r\n\r\n`.repeat(count - 1));
      socket.write(`GET / HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`);
    });
    const received: Buffer[] = [];
    socket.on('data', (bytes) => received.push(bytes));
    socket.once('error', reject);
    socket.once('end', () => {
      const text = Buffer.concat(received).toString('latin1');
      resolve([...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status)));
    });
  });
}

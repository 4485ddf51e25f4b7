import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { createAccounts, unique } from '../support/accounts.js';
import type { Upload } from '../support/contract.js';
import { eventually, inParallel } from '../support/eventually.js';
import { parseAnswers, type RawAnswer } from '../support/raw-http.js';
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

/** A connection takes 15 requests ahead of their answers. */
async function inBatches(requests: string[]): Promise<RawAnswer[]> {
  const batches = Array.from({ length: Math.ceil(requests.length / 15) }, (_, at) =>
    requests.slice(at * 15, at * 15 + 15),
  );
  const closing = (last = '') => last.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
  return (await inParallel(batches, 16, (batch) => pipeline([...batch.slice(0, -1), closing(batch.at(-1))]))).flat();
}

describe('over the rate of a key', () => {
  it('is a 429 with Retry-After and RateLimit headers, only for that key, and only until Retry-After is over', async () => {
    const [busy, calm] = [await accounts.open(), await accounts.open()];
    const headers = `Host: test\r\nX-Api-Key: ${busy.key}`;
    // A burst of 1,000 is allowed, and 200 more each second: this is both, several times over, unless the machine is slow.
    const greetings = Array<string>(3000).fill(`GET / HTTP/1.1\r\n${headers}\r\n\r\n`);
    // The bodies are broken: whoever is told of the rate was told before anybody looked at them.
    const upload = `POST /store_knowledge HTTP/1.1\r\n${headers}\r\nContent-Length: 1\r\n`;
    const uploads = Array<string>(1000).fill(`${upload}\r\n{`);
    let greeted = 0;
    const limited = await eventually(
      async () => {
        const answers = await inBatches([...greetings, ...uploads]);
        expect(answers).toHaveLength(greetings.length + uploads.length);
        const statuses = answers.slice(0, greetings.length).map(({ status }) => status);
        expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
        greeted += statuses.filter((status) => status === 200).length;
        const told = answers.slice(greetings.length).find(({ status }) => status === 429);
        return statuses.includes(429) ? told : undefined;
      },
      { what: 'the rate of a key is used up', everyMs: 0 },
    );

    expect(greeted).toBeGreaterThan(400);
    expect(JSON.parse(limited.text)).toMatchObject({
      error: 'rate_limited',
      message: expect.stringMatching(/./),
    });
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect([...limited.headers.keys()].some((name) => name.startsWith('ratelimit'))).toBe(true);
    expect((await calm.client.request('GET', '/')).status).toBe(200);

    // Retry-After tells when it is over.
    await sleep(Number(limited.headers.get('retry-after')) * 1000);
    expect((await busy.client.request('GET', '/')).status).toBe(200);
  });
});

it('a backfill fits: 500 uploads as fast as they go are all accepted', async () => {
  const { client } = await accounts.open();
  const tenantId = unique('backfill');

  const answers = await inParallel(Array.from({ length: 500 }), 16, () =>
    client.request('POST', '/store_knowledge', { body: { tenant_id: tenantId, query: 'Say hello', turns: [] } }),
  );

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
});

/** One request after another down one connection, without waiting: the cheapest way to be fast. The last one closes it. */
function pipeline(requests: readonly string[]): Promise<RawAnswer[]> {
  const { hostname, port } = new URL(target().baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port || 80), hostname, () => socket.write(requests.join('')));
    const received: Buffer[] = [];
    socket.on('data', (bytes) => received.push(bytes));
    socket.once('error', reject);
    socket.once('end', () => resolve(parseAnswers(Buffer.concat(received))));
  });
}

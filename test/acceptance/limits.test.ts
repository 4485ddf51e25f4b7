import { createAccounts, unique } from '../support/accounts.js';
import type { ErrorBody, Upload } from '../support/contract.js';
import { inParallel } from '../support/eventually.js';

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
  it('is a 429 with Retry-After and RateLimit headers, before the body is looked at, and only for that key', async () => {
    const [busy, calm] = [await accounts.open(), await accounts.open()];
    let limited: { status: number; headers: Headers; body: ErrorBody } | undefined;
    let answered = 0;
    // A burst of 1,000 is allowed, and 200 more each second: this is both, several times over.
    await inParallel(Array.from({ length: 6000 }), 24, async () => {
      if (limited) return;
      const answer = await busy.client.request<ErrorBody>('GET', '/');
      answered += 1;
      if (answer.status === 429) limited = answer;
    });
    const brokenBody = await busy.client.request('POST', '/store_knowledge', { body: '{' });

    expect(answered).toBeGreaterThan(400);
    expect(limited?.body).toMatchObject({ error: 'rate_limited', message: expect.stringMatching(/./) });
    expect(Number(limited?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect([...(limited?.headers.keys() ?? [])].some((name) => name.startsWith('ratelimit'))).toBe(true);
    expect([422, 429]).toContain(brokenBody.status);
    expect((await calm.client.request('GET', '/')).status).toBe(200);
  }, 60_000);

  it('is over soon: Retry-After tells when', async () => {
    const { client } = await accounts.open();
    let retryAfter = 0;
    await inParallel(Array.from({ length: 6000 }), 24, async () => {
      if (retryAfter > 0) return;
      const answer = await client.request('GET', '/');
      if (answer.status === 429) retryAfter = Number(answer.headers.get('retry-after'));
    });

    await new Promise((resolve) => setTimeout(resolve, retryAfter * 1000));

    expect((await client.request('GET', '/')).status).toBe(200);
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

import { eventually } from '@whetstone/platform/test-kit';
import { call } from '../../test-kit/call.js';
import { gatewaysOfATest } from '../../test-kit/gateways-of-a-test.js';
import { openRequest } from '../../test-kit/open-request.js';
import { createBytesInFlight } from './bytes-in-flight.js';

const start = gatewaysOfATest();
const kilobytes = (count: number) => count * 1024;

describe('bytes in flight', () => {
  it('are limited to a quarter for one account, and to the whole for all', () => {
    const refused: string[] = [];
    const inFlight = createBytesInFlight({ maxBytes: 100, onRefused: (limit) => refused.push(limit) });
    const holdings = ['a', 'b', 'c', 'd'].map((account) => inFlight.open(account));
    for (const holding of holdings) holding.take(24);

    expect(() => inFlight.open('a').take(2)).toThrow(expect.objectContaining({ status: 429, error: 'rate_limited' }));
    expect(() => inFlight.open('e').take(5)).toThrow(expect.objectContaining({ status: 503, error: 'overloaded' }));
    expect([inFlight.total, refused]).toEqual([96, ['account', 'process']]);

    for (const holding of holdings) holding.release();
    holdings[0]?.release();
    expect(inFlight.total).toBe(0);
    inFlight.open('a').take(25);
  });

  it('of stalled bodies are refused beyond the limit, before they are sent, and given back when the clients go', async () => {
    const config = { maxBytesInFlight: kilobytes(400) };
    const { url, key, issueKey, registry } = await start({ config });
    const other = await issueKey('other');
    const held = async () => /^whetstone_body_bytes_in_flight (\d+)$/m.exec(await registry.metrics())?.[1];
    const stalled = Array.from({ length: 3 }, () => openRequest(url, key, kilobytes(30)));
    for (const { write } of stalled) write('{');

    await eventually(async () => (await held()) === `${kilobytes(90)}`, 'three bodies are in flight');
    const refused = await call(url, 'POST', '/enhance_task', { key, body: 'x'.repeat(kilobytes(30)) });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect((await call(url, 'GET', '/', { key })).status).toBe(200);
    const fromElsewhere = await call(url, 'POST', '/enhance_task', { key: other.key, body: 'x'.repeat(kilobytes(30)) });
    expect(fromElsewhere.status).toBe(422);

    for (const { destroy } of stalled) destroy();
    await eventually(async () => (await held()) === '0', 'they are given back');
  });

  it('of a body that stops arriving are given back: it gets a 408', async () => {
    const { url, key, registry } = await start({ config: { stallTimeoutMs: 200 } });
    const { status, write, destroy } = openRequest(url, key, kilobytes(30));
    write('{');

    expect(await status).toBe(408);
    expect(await registry.metrics()).toContain('whetstone_body_bytes_in_flight 0\n');
    destroy();
  });
});

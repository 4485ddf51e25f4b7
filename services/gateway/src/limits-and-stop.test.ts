import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';

import { call } from './test-kit/call.js';
import { gatewaysOfATest } from './test-kit/gateways-of-a-test.js';

const start = gatewaysOfATest();

const input = { tenant_id: 'shop', input_text: 'x' };
const never = () => new Promise<never>(() => {});

describe('over the rate of a key', () => {
  it('is a 429 with Retry-After and RateLimit headers, before the body is read', async () => {
    const { url, key, issueKey, registry } = await start({ config: { rate: { perSecond: 0.01, burst: 2 } } });
    const other = await issueKey('acme');
    await call(url, 'GET', '/', { key });

    const { status, body, headers } = await call(url, 'POST', '/store_knowledge', {
      key,
      body: '{',
      headers: { 'content-type': 'text/plain' },
    });

    expect(status).toBe(429);
    expect(body).toEqual({
      error: 'rate_limited',
      message: expect.any(String),
      request_id: headers.get('x-request-id'),
    });
    // Less what has passed since the first request.
    expect(headers.get('retry-after')).toMatch(/^(?:100|9\d)$/);
    expect(headers.get('ratelimit')).toBe(`"key";r=0;t=${headers.get('retry-after')}`);
    expect((await call(url, 'GET', '/', { key: other.key })).status).toBe(200);
    expect((await call(url, 'GET', '/nowhere', { key })).status).toBe(404);
    expect(await registry.metrics()).toContain('whetstone_rate_limited_total{limit="requests"} 1');
  });
});

describe('over the work of a key', () => {
  it('is a 429 with Retry-After for bodies, not for the rest, and only for that key', async () => {
    const { url, key, issueKey, registry } = await start({ config: { work: { perSecond: 1000, burst: 5000 } } });
    const other = await issueKey('acme');
    const send = (given: string, text: string) =>
      call(url, 'POST', '/enhance_task', { key: given, body: { ...input, text } });
    // Costs 5 KB and the debt for the time that it took.
    expect((await send(key, 'x'.repeat(5000))).status).toBe(200);

    const { status, body, headers } = await send(key, '');

    expect([status, body.error]).toEqual([429, 'rate_limited']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(headers.get('ratelimit-remaining')).toMatch(/^\d+$/);
    expect((await call(url, 'GET', '/', { key })).status).toBe(200);
    expect((await send(other.key, '')).status).toBe(200);
    expect(await registry.metrics()).toContain('whetstone_rate_limited_total{limit="work"} 1');
  });
});

describe('a body in single bytes', () => {
  it('is read up to a number of chunks, and then refused', async () => {
    const { url, key } = await start();
    const send = async (text: string) => {
      const { hostname, port } = new URL(url);
      const socket = connect({ host: hostname, port: Number(port) });
      const chunks = [...text].map((letter) => `1\r\n${letter}\r\n`).join('');
      socket.write(`POST /enhance_task HTTP/1.1\r\nx-api-key: ${key}\r\nTransfer-Encoding: chunked\r\n\r\n`);
      socket.write(`${chunks}0\r\n\r\n`);
      const [answer] = await once(socket, 'data');
      socket.destroy();
      return String(answer).slice(9, 12);
    };

    expect(await send(JSON.stringify({ ...input, input_text: 'x'.repeat(10_000) }))).toBe('200');
    expect(await send(JSON.stringify({ ...input, input_text: 'x'.repeat(20_000) }))).toBe('413');
  });

  it('costs more than its bytes', async () => {
    const { url, key } = await start({ config: { work: { perSecond: 1000, burst: 100_000 } } });
    const sent = request(`${url}/enhance_task`, { method: 'POST', headers: { 'x-api-key': key } });
    sent.useChunkedEncodingByDefault = true;
    sent.setNoDelay(true);
    for (const letter of JSON.stringify({ ...input, text: 'x'.repeat(2000) })) sent.write(letter);
    sent.end();
    const [answer] = await once(sent, 'response');
    answer.resume();

    expect(answer.statusCode).toBe(200);
    expect((await call(url, 'POST', '/enhance_task', { key, body: input })).status).toBe(429);
  });
});

describe('requests sent ahead of their answers', () => {
  it.each([
    [10, 10],
    [5000, 16],
  ])('%d get %d answers in order; then the connection closes', async (sent, answered) => {
    const { url, key } = await start();
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) });
    const received: string[] = [];
    socket.on('data', (bytes) => received.push(String(bytes)));
    const requests = Array.from(
      { length: sent },
      (_, index) => `GET / HTTP/1.1\r\nx-api-key: ${key}\r\nx-request-id: r${index}\r\n`,
    );
    socket.write(`${requests.join('\r\n')}Connection: close\r\n\r\n`);
    await new Promise((resolve) => {
      // Closing while requests are on their way resets the connection.
      socket.on('error', resolve).on('close', resolve);
    });

    const expected = Array.from({ length: answered }, (_, index) => `X-Request-Id: r${index}`);
    expect(received.join('').match(/X-Request-Id: \S+/g)).toEqual(expected);
  });
});

describe('clients', () => {
  it('that go away abort what was called for them', async () => {
    let signal: AbortSignal | undefined;
    const called = new AbortController();
    const { url, key, printed } = await start({
      enhance: (_request, context) => {
        signal = context.signal;
        called.abort();
        return never();
      },
    });
    const answer = call(url, 'POST', '/enhance_task', { key, body: input, signal: called.signal });

    await expect(answer).rejects.toThrow();
    await aborted(signal as AbortSignal);

    expect(printed()).not.toContain('"level":"error"');
  });

  it('that wait before they send are told to go on only once they are known', async () => {
    const { url, key } = await start();
    const body = JSON.stringify(input);
    const headers = { expect: '100-continue', 'content-type': 'application/json', 'content-length': body.length };

    expect(await expectation(url, { ...headers, 'x-api-key': 'no' }, body)).toEqual({ status: 401, continued: false });
    expect(await expectation(url, { ...headers, 'x-api-key': key }, body)).toEqual({ status: 200, continued: true });
  });

  it('that stall are turned away in JSON', async () => {
    const { gateway } = await start({ config: { requestTimeoutMs: 300 } });
    const socket = connect(gateway.address?.port as number, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ');

    const answer = await everythingFrom(socket);

    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] as string)).toMatchObject({ error: 'request_timeout' });
  });

  it('that send what is no request are turned away in JSON, logged and counted', async () => {
    const { gateway, printed, registry } = await start();
    for (const [text, status] of [
      ['nonsense\r\n\r\n', 400],
      [`GET / HTTP/1.1\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`, 431],
    ] as const) {
      const socket = connect(gateway.address?.port as number, '127.0.0.1');
      socket.write(text);

      const answer = await everythingFrom(socket);

      expect(answer).toContain(`HTTP/1.1 ${status} `);
      expect(JSON.parse(answer.split('\r\n\r\n')[1] as string)).toEqual({
        error: expect.any(String),
        message: expect.any(String),
        request_id: expect.any(String),
      });
      const { request_id: requestId } = JSON.parse(answer.split('\r\n\r\n')[1] as string);
      expect(printed()).toContain(`"request_id":"${requestId}","status":${status}`);
      expect(await registry.metrics()).toContain(
        `http_server_request_duration_seconds_count{http_request_method="_OTHER",http_route="unmatched",http_response_status_code="${status}"} 1`,
      );
    }
  });
});

describe('stopping', () => {
  it('finishes what is in flight, closes what is idle, and is not ready meanwhile', async () => {
    const called = new AbortController();
    let release = () => {};
    const running = await start({
      enhance: ({ inputText }) => {
        called.abort();
        return new Promise((resolve) => {
          release = () =>
            resolve({
              response: inputText,
              confidenceScore: 0,
              enhancementId: 'e',
              recommendations: [],
              holdout: false,
            });
        });
      },
    });
    const { gateway, url, key } = running;
    expect(gateway.health()).toMatchObject({ live: true, ready: true, dependencies: [{ ok: true }] });
    const answer = call(url, 'POST', '/enhance_task', { key, body: input });
    await aborted(called.signal);

    const stopped = gateway.stop();
    expect(gateway.health().ready).toBe(false);
    release();

    expect((await answer).status).toBe(200);
    expect((await answer).headers.get('connection')).toBe('close');
    await stopped;
    await expect(call(url, 'GET', '/', { key })).rejects.toThrow();
  });

  it('does not wait longer than its grace', async () => {
    const called = new AbortController();
    const enhance = () => {
      called.abort();
      return never();
    };
    const { gateway, url, key } = await start({ enhance, config: { graceMs: 50 } });
    const answer = expect(call(url, 'POST', '/enhance_task', { key, body: input })).rejects.toThrow();
    await aborted(called.signal);

    await gateway.stop();

    await answer;
  });

  it('goes on answering while it drains, on connections that are not used again', async () => {
    const { gateway, url, key } = await start();
    expect((await call(url, 'GET', '/', { key })).headers.get('connection')).toBe('keep-alive');

    gateway.drain?.();
    const { status, headers } = await call(url, 'GET', '/', { key });

    expect([status, headers.get('connection')]).toEqual([200, 'close']);
  });

  it('does not wait for a connection that never asked for anything', async () => {
    const { gateway } = await start({ config: { graceMs: 60_000 } });
    const silent = connect(gateway.address?.port as number, '127.0.0.1');
    await once(silent, 'connect');
    // The server has seen the connection once it answers another one.
    await call(`http://127.0.0.1:${gateway.address?.port}`, 'GET', '/');

    await gateway.stop();

    expect(await everythingFrom(silent)).toBe('');
  });

  it('twice is once', async () => {
    const { gateway } = await start();

    await Promise.all([gateway.stop(), gateway.stop()]);
    await gateway.stop();
  });
});

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve());
  });
}

async function everythingFrom(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('latin1');
}

function expectation(url: string, headers: Record<string, string | number>, body: string) {
  return new Promise<{ status: number | undefined; continued: boolean }>((resolve, reject) => {
    let continued = false;
    const agent = new Agent();
    const sent = request(`${url}/enhance_task`, { method: 'POST', headers, agent });
    sent.on('error', reject);
    sent.on('continue', () => {
      continued = true;
      sent.end(body);
    });
    sent.on('response', (answer) => {
      answer.resume();
      resolve({ status: answer.statusCode, continued });
      agent.destroy();
    });
    sent.flushHeaders();
  });
}

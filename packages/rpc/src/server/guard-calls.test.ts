import { once } from 'node:events';
import { type ClientHttp2Stream, connect, type OutgoingHttpHeaders } from 'node:http2';

import { eventually } from '@whetstone/platform/test-kit';

import type { CallTokens, TokenProblem } from '../call-tokens.js';
import { aSearch, nothingFound } from '../test-kit/messages.js';
import { rpcSite, tokensOfTests } from '../test-kit/rpc-site.js';

const { serve, clientOf, ending } = rpcSite();

const unauthenticated = '16';
const search = '/whetstone.indexer.v1.IndexerService/Search';

/** An indexer that counts the searches it has begun. */
async function indexer(options: Parameters<typeof serve>[2] = {}) {
  let searches = 0;
  const Search = async () => {
    searches++;
    return nothingFound;
  };
  return { ...(await serve('indexer', { Search }, options)), searches: () => searches };
}

describe('a call', () => {
  it('with a valid token is served', async () => {
    const { target, searches } = await indexer();

    await clientOf('indexer', target).call('Search', aSearch, {});

    expect(searches()).toBe(1);
  });

  it('without a token is refused, counted and logged, and its message is not waited for', async () => {
    const { port, registry, lines, searches } = await indexer();

    const { headers } = await begin(port, search);

    expect(headers['grpc-status']).toBe(unauthenticated);
    expect(await registry.metrics()).toContain('whetstone_refused_calls_total{reason="missing"} 1\n');
    expect(lines()).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        msg: 'Refused a call without a token',
        rpc_method: search.slice(1),
        peer: expect.stringContaining('127.0.0.1'),
      }),
    );
    expect(searches()).toBe(0);
  });

  it.each([
    ['of another method', tokensOfTests.issue(`${search}s`)],
    ['that is empty', ''],
    ['of many bytes', 'x'.repeat(8000)],
  ])('with a token %s is refused, and the token is not logged', async (_, token) => {
    const { port, lines, searches } = await indexer();

    const { headers } = await begin(port, search, { 'whetstone-call-token': token });

    expect(headers['grpc-status']).toBe(unauthenticated);
    expect(lines()).toHaveLength(1);
    if (token !== '') expect(JSON.stringify([lines(), headers])).not.toContain(token);
    expect(searches()).toBe(0);
  });

  it('from a clock that is ten minutes off is refused with words that name the skew, on both sides', async () => {
    const late: CallTokens = { ...tokensOfTests, verify: () => ({ reason: 'expired', skewSeconds: 600 }) };
    const { target, lines } = await indexer({ tokens: late });

    const call = clientOf('indexer', target).call('Search', aSearch, {});

    // As for a service that is away: jobs wait until the clock is right.
    await expect(call).rejects.toMatchObject({
      code: 'store_unavailable',
      retryable: true,
      message: expect.stringContaining("check the clocks of both machines, the caller's is 600 s behind"),
    });
    expect(lines()).toContainEqual(expect.objectContaining({ reason: 'expired', clock_skew_seconds: 600 }));
  });

  it('without a token is served where tokens are optional, and with a bad one refused all the same', async () => {
    const { port, lines, searches } = await indexer({ tokensRequired: false });

    const { stream } = await begin(port, search, {}, { waitForHeaders: false });
    stream.end(Buffer.alloc(5));
    await eventually(() => searches() === 1);
    const { headers } = await begin(port, search, { 'whetstone-call-token': 'x' });

    expect(headers['grpc-status']).toBe(unauthenticated);
    expect(lines()).toContainEqual(
      expect.objectContaining({ msg: 'Accepting calls without a token (WHETSTONE_GRPC_TOKENS=optional)' }),
    );
  });
});

describe('a flood of calls without tokens', () => {
  it('writes one line, however many there are, and the next caller with a token is served', async () => {
    const { port, target, registry, lines } = await indexer();
    const session = await connection(port);

    await Promise.all(Array.from({ length: 500 }, () => headersOf(session.request(requestTo(search)))));

    expect(lines()).toHaveLength(1);
    expect(await registry.metrics()).toContain('whetstone_refused_calls_total{reason="missing"} 500\n');
    expect(await clientOf('indexer', target).call('Search', aSearch, {})).toEqual(nothingFound);
  });
});

describe('reasons', () => {
  it.each<TokenProblem['reason']>(['malformed', 'unknown_secret', 'invalid', 'expired'])(
    'are counted: %s',
    async (reason) => {
      const { target, registry } = await indexer({ tokens: { ...tokensOfTests, verify: () => ({ reason }) } });

      await expect(clientOf('indexer', target).call('Search', aSearch, {})).rejects.toThrow(
        'The indexer refuses calls',
      );

      expect(await registry.metrics()).toContain(`whetstone_refused_calls_total{reason="${reason}"} 1\n`);
    },
  );
});

async function connection(port: number) {
  const session = connect(`http://127.0.0.1:${port}`);
  ending({ close: () => session.destroy() });
  await once(session, 'connect');
  return session;
}

function requestTo(path: string, headers: OutgoingHttpHeaders = {}): OutgoingHttpHeaders {
  return { ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers', ...headers };
}

async function headersOf(stream: ClientHttp2Stream): Promise<Record<string, unknown>> {
  const [headers] = await once(stream, 'response');
  stream.resume();
  return headers;
}

/** Sends the headers of a call and not its message. */
async function begin(port: number, path: string, headers: OutgoingHttpHeaders = {}, { waitForHeaders = true } = {}) {
  const stream = (await connection(port)).request(requestTo(path, headers));
  return { stream, headers: waitForHeaders ? await headersOf(stream) : {} };
}

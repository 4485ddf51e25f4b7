import { once } from 'node:events';
import { connect } from 'node:http2';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@whetstone/platform/test-kit';

import { type AnyMethod, methodsOf } from '../rpc-services.js';
import { aDeletion, aReplacement, aSearch } from '../test-kit/messages.js';
import { rpcSite, tokensOfTests } from '../test-kit/rpc-site.js';

const { serve, clientOf } = rpcSite();

describe('a server that stops', () => {
  it('finishes what is in flight and takes nothing more', async () => {
    const gate = createGate();
    const Replace = async () => {
      await gate.pass();
      return { outcome: 'stored' as const, insightsStored: 7 };
    };
    const { target, server } = await serve('indexer', { Replace }, { graceMs: 60_000 });
    const client = clientOf('indexer', target, { arrivalMs: 500 });
    const call = client.call('Replace', aReplacement, {});
    await eventually(() => gate.waiting() === 1);

    const stopped = server.stop();
    await expect(client.call('DeleteByIntent', aDeletion, {})).rejects.toMatchObject({ code: 'store_unavailable' });
    gate.open();

    expect(await call).toMatchObject({ insightsStored: 7 });
    await stopped;
  });

  it('finishes also what had only begun to arrive', async () => {
    const { port, server } = await serve(
      'indexer',
      {
        async DeleteByIntent(_request, { signal }) {
          await pause(200, undefined, signal ? { signal } : {});
          return { deletedCount: 7, matches: [] };
        },
      },
      { graceMs: 60_000 },
    );
    const call = await beginCall(port);

    const stopped = server.stop();
    // Longer than the server waits for calls that it does not know of.
    await pause(300);
    call.finish();

    expect(await call.status).toBe('0');
    await stopped;
  });

  it('gives up after the grace what has not ended, and tells its caller to try again elsewhere', async () => {
    const reasons: unknown[] = [];
    const { target, server } = await serve(
      'indexer',
      {
        DeleteByIntent: (_request, { signal }) =>
          new Promise((_, reject) => {
            signal?.addEventListener('abort', () => {
              reasons.push(signal.reason);
              reject(signal.reason);
            });
          }),
      },
      { graceMs: 50 },
    );
    const call = clientOf('indexer', target).call('DeleteByIntent', aDeletion, {});
    const ended = expect(call).rejects.toMatchObject({ code: 'store_unavailable', retryable: true });
    await clientOf('indexer', target).call('Search', aSearch, {});

    await server.stop();

    await ended;
    expect(reasons).toHaveLength(1);
  });

  it('ends also with work that does not listen, and twice', async () => {
    let working = false;
    const { target, server } = await serve(
      'indexer',
      {
        DeleteByIntent: () => {
          working = true;
          return new Promise<never>(() => {});
        },
      },
      { graceMs: 50 },
    );
    const call = clientOf('indexer', target).call('DeleteByIntent', aDeletion, {});
    const ended = expect(call).rejects.toMatchObject({ code: 'store_unavailable', retryable: true });
    await eventually(() => working);

    await Promise.all([server.stop(), server.stop()]);

    await ended;
  });
});

describe('a server whose port is taken', () => {
  it('says so in one message that names the variables', async () => {
    const { port } = await serve('indexer');

    await expect(serve('status', {}, { port })).rejects.toMatchObject({
      code: 'invalid_argument',
      message: `Port ${port} on 127.0.0.1 is taken by another program; choose another (WHETSTONE_GRPC_PORT=${port + 1})`,
    });
  });

  it('names the host where the machine does not have it', async () => {
    await expect(serve('status', {}, { host: '203.0.113.7' })).rejects.toMatchObject({
      message: expect.stringContaining('WHETSTONE_GRPC_HOST'),
    });
  });
});

/** A call whose headers are there and whose message is not, as a slow network delivers it. */
async function beginCall(port: number) {
  const { path, requestSerialize } = methodsOf('indexer').get('DeleteByIntent') as AnyMethod;
  const message = requestSerialize(aDeletion);
  const frame = Buffer.concat([Buffer.alloc(5), message]);
  frame.writeUInt32BE(message.length, 1);
  const session = connect(`http://127.0.0.1:${port}`);
  await once(session, 'connect');
  const stream = session.request({
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc',
    te: 'trailers',
    'whetstone-call-token': tokensOfTests.issue(path),
  });
  const status = new Promise((resolve) => {
    // An error comes without a message, and so in the headers.
    for (const name of ['response', 'trailers']) {
      stream.on(name, ({ 'grpc-status': code }) => code !== undefined && resolve(code));
    }
  });
  stream.resume();
  // An answered ping has overtaken nothing: the headers are there.
  await new Promise<void>((resolve) => void session.ping(() => resolve()));
  return { status, finish: () => void stream.end(frame) };
}

function createGate() {
  let waiting = 0;
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    pass() {
      waiting++;
      return opened;
    },
    waiting: () => waiting,
    open: () => open(),
  };
}

import { createAuthority } from './test-kit/certificates.js';
import { aSearch, nothingFound } from './test-kit/messages.js';
import { rpcSite } from './test-kit/rpc-site.js';
import type { RpcTls } from './tls.js';

const { serve, clientOf } = rpcSite();

const authority = createAuthority();

/** By a name: an address is none that TLS asks a server for. */
async function serveHere(tls: RpcTls): Promise<string> {
  const { port } = await serve('indexer', {}, { tls, host: 'localhost' });
  return `dns:///localhost:${port}`;
}

describe('TLS between services', () => {
  it('works where each side has a certificate of the same authority', async () => {
    const target = await serveHere(authority.issue());

    expect(await clientOf('indexer', target, { tls: authority.issue() }).call('Search', aSearch, {})).toEqual(
      nothingFound,
    );
  });

  it('demands a certificate of callers where the server knows an authority', async () => {
    const target = await serveHere(authority.issue());
    const client = clientOf('indexer', target, { tls: { ca: authority.pem } });

    await expect(client.call('Search', aSearch, {})).rejects.toMatchObject({ code: 'store_unavailable' });
  });

  it('demands none where it does not', async () => {
    const { cert, key } = authority.issue();
    const target = await serveHere({ cert, key });
    const client = clientOf('indexer', target, { tls: { ca: authority.pem } });

    expect(await client.call('Search', aSearch, {})).toEqual(nothingFound);
  });

  it('refuses a server that another authority has signed', async () => {
    const target = await serveHere(createAuthority('Somebody else').issue());
    const client = clientOf('indexer', target, { tls: authority.issue() });

    await expect(client.call('Search', aSearch, {})).rejects.toMatchObject({ code: 'store_unavailable' });
  });

  it('lets nobody in who speaks in the clear', async () => {
    const target = await serveHere(authority.issue());

    await expect(clientOf('indexer', target).call('Search', aSearch, {})).rejects.toMatchObject({
      code: 'store_unavailable',
    });
  });

  it.each([
    ['a certificate without its key', { cert: 'x' }],
    ['only an authority', { ca: 'x' }],
    ['what is no certificate', { cert: 'x', key: 'y' }],
    ['a key that belongs to another certificate', { ...authority.issue(), key: authority.issue().key }],
  ])('refuses %s in a server with a message that names the variables', async (_, tls) => {
    await expect(serve('indexer', {}, { tls })).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringMatching(/WHETSTONE_GRPC_TLS_CERT.*WHETSTONE_GRPC_TLS_KEY/),
    });
  });

  it('refuses half a pair in a client', () => {
    const { cert } = authority.issue();

    expect(() => clientOf('indexer', 'ipv4:127.0.0.1:1', { tls: { cert } })).toThrow('WHETSTONE_GRPC_TLS_KEY');
  });
});

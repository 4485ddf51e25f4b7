import { loadMergedConfig } from '@whetstone/platform';

import { peerConfigSchemas, rpcServerConfigOf, rpcServerConfigSchema, rpcTlsConfigSchema } from './rpc-config.js';

const load = (env: Record<string, string>) =>
  loadMergedConfig<Parameters<typeof rpcServerConfigOf>[0]>(
    [rpcServerConfigSchema, rpcTlsConfigSchema, peerConfigSchemas.indexer],
    env,
  );

describe('the configuration of calls between services', () => {
  it.each([
    'dns:///indexer:9090',
    'dns:///indexer.ns.svc.cluster.local:9090',
    'dns://10.0.0.10/indexer:9090',
    'indexer:9090',
    'ipv4:10.0.0.1:9090,10.0.0.2:9090',
    'ipv6:[::1]:9090,[fd00::2]:9090',
  ])('takes the address %s', (address) => {
    expect(load({ WHETSTONE_INDEXER_ADDRESS: address })).toMatchObject({ WHETSTONE_INDEXER_ADDRESS: address });
  });

  it.each(['indexer', 'http://indexer:9090', 'dns:///indexer', 'ipv4:10.0.0.1', 'a:1,b:2', ' '])(
    'refuses the address "%s" and says how to write one',
    (address) => {
      expect(() => load({ WHETSTONE_INDEXER_ADDRESS: address })).toThrow(
        /WHETSTONE_INDEXER_ADDRESS.*dns:\/\/\/host:port/,
      );
    },
  );

  it('speaks in the clear unless a certificate or an authority is given', () => {
    const address = { WHETSTONE_INDEXER_ADDRESS: 'indexer:9090' };

    expect(rpcServerConfigOf(load(address)).tls).toBeUndefined();
    expect(rpcServerConfigOf(load({ ...address, WHETSTONE_GRPC_TLS_CA: 'pem' })).tls).toEqual({ ca: 'pem' });
  });
});

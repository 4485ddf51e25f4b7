import type { ConfigOf, Registry } from '@whetstone/platform';

import { type peerConfigSchemas, type rpcTlsConfigSchema, rpcTlsOf } from '../rpc-config.js';
import type { RpcServiceName } from '../rpc-services.js';
import { createRpcClient, type RpcClient } from './create-rpc-client.js';

/** A client of the service at the address that the configuration has for it. */
export function connectTo<Name extends RpcServiceName>(
  callee: Name,
  config: ConfigOf<(typeof peerConfigSchemas)[Name]> & ConfigOf<typeof rpcTlsConfigSchema>,
  registry: Registry,
): RpcClient<Name> {
  const addresses = config as unknown as Record<string, string>;
  const target = addresses[`WHETSTONE_${callee.toUpperCase()}_ADDRESS`] ?? '';
  return createRpcClient(callee, { target, tls: rpcTlsOf(config), registry });
}

import type { ConfigOf, ConfigSchema } from '@whetstone/platform';

import type { RpcServiceName } from './rpc-services.js';
import type { RpcServerConfig } from './server/create-rpc-server.js';
import type { RpcTls } from './tls.js';

export const rpcTlsConfigSchema = {
  type: 'object',
  properties: {
    WHETSTONE_GRPC_TLS_CA: {
      type: 'string',
      description:
        'Certificates (PEM) that sign those of the other services. With it, servers also demand a certificate of their callers.',
    },
    WHETSTONE_GRPC_TLS_CERT: {
      type: 'string',
      description: 'Certificate (PEM) that this process shows to other services.',
    },
    WHETSTONE_GRPC_TLS_KEY: {
      type: 'string',
      secret: true,
      description: 'Private key (PEM) of that certificate.',
    },
  },
} as const satisfies ConfigSchema;

export const rpcServerConfigSchema = {
  type: 'object',
  properties: {
    WHETSTONE_GRPC_HOST: {
      type: 'string',
      default: '127.0.0.1',
      description: 'Address to listen on for calls of other services. 0.0.0.0 for all of the machine.',
    },
    WHETSTONE_GRPC_PORT: {
      type: 'integer',
      minimum: 0,
      maximum: 65_535,
      default: 9090,
      description: 'Port to listen on for calls of other services. 0 takes a free one.',
    },
    WHETSTONE_GRPC_TOKENS: {
      type: 'string',
      enum: ['required', 'optional'],
      default: 'required',
      description:
        'Whether calls of other services need a token derived from the root secret. `optional` also accepts calls without one, for an upgrade from a version that sends none.',
    },
    WHETSTONE_GRPC_CONNECTION_AGE_MS: {
      type: 'integer',
      minimum: 1000,
      default: 300_000,
      description: 'Maximum connection age; connections close between calls so that load spreads to new replicas.',
    },
    WHETSTONE_GRPC_GRACE_MS: {
      type: 'integer',
      minimum: 0,
      default: 10_000,
      description: 'Time that calls in flight have to finish when the process stops.',
    },
  },
} as const satisfies ConfigSchema;

/** gRPC targets that we support; gRPC would take anything else for a host name. */
const target = String.raw`^(dns:(//[^/]*/)?)?[\w.-]+:\d+$|^ipv4:[\d.]+:\d+(,[\d.]+:\d+)*$|^ipv6:\[[^\]]+\]:\d+(,\[[^\]]+\]:\d+)*$`;

/** Addresses of the other services. */
export const peerConfigSchemas = {
  analyser: addressSchema('WHETSTONE_ANALYSER_ADDRESS', 'analysers'),
  indexer: addressSchema('WHETSTONE_INDEXER_ADDRESS', 'indexers'),
  status: addressSchema('WHETSTONE_STATUS_ADDRESS', 'status services'),
};

function addressSchema<const Name extends `WHETSTONE_${Uppercase<RpcServiceName>}_ADDRESS`>(name: Name, who: string) {
  const description = `Where the ${who} are: \`dns:///host:port\` for all addresses of a name, \`ipv4:a:port,b:port\` for a list.`;
  const property = { type: 'string', pattern: target, description } as const;
  const properties = { [name]: property } as { readonly [_ in Name]: typeof property };
  return { type: 'object', properties, required: [name] } as const satisfies ConfigSchema;
}

/** `undefined` without TLS. */
export function rpcTlsOf(values: ConfigOf<typeof rpcTlsConfigSchema>): RpcTls | undefined {
  const tls: RpcTls = {
    ...(values.WHETSTONE_GRPC_TLS_CA === undefined ? {} : { ca: values.WHETSTONE_GRPC_TLS_CA }),
    ...(values.WHETSTONE_GRPC_TLS_CERT === undefined ? {} : { cert: values.WHETSTONE_GRPC_TLS_CERT }),
    ...(values.WHETSTONE_GRPC_TLS_KEY === undefined ? {} : { key: values.WHETSTONE_GRPC_TLS_KEY }),
  };
  return Object.keys(tls).length === 0 ? undefined : tls;
}

export function rpcServerConfigOf(
  values: ConfigOf<typeof rpcServerConfigSchema> & ConfigOf<typeof rpcTlsConfigSchema>,
): RpcServerConfig {
  return {
    host: values.WHETSTONE_GRPC_HOST,
    port: values.WHETSTONE_GRPC_PORT,
    tls: rpcTlsOf(values),
    tokensRequired: values.WHETSTONE_GRPC_TOKENS === 'required',
    connectionAgeMs: values.WHETSTONE_GRPC_CONNECTION_AGE_MS,
    graceMs: values.WHETSTONE_GRPC_GRACE_MS,
  };
}

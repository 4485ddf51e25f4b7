import { kafkaConfigSchema } from '@whetstone/event-log/kafka';
import { rootSecretConfigSchema } from '@whetstone/identity';
import { peerConfigSchemas, rpcTlsConfigSchema } from '@whetstone/rpc';

import { gatewayConfigSchema } from './gateway-config.js';

/** The settings of a gateway in a cluster, besides those of every process. */
export const processSchemas = [
  gatewayConfigSchema,
  rootSecretConfigSchema,
  kafkaConfigSchema,
  peerConfigSchemas.analyser,
  peerConfigSchemas.indexer,
  peerConfigSchemas.status,
  rpcTlsConfigSchema,
] as const;

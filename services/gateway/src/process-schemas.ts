import { kafkaConfigSchema } from '@whetstone/event-log/kafka';
import { rootSecretConfigSchema } from '@whetstone/identity';
import { peerConfigSchemas, rpcTlsConfigSchema } from '@whetstone/rpc';

import { gatewayConfigSchema } from './gateway-config.js';

/** What a gateway of a cluster is told, besides what every process is. */
export const processSchemas = [
  gatewayConfigSchema,
  rootSecretConfigSchema,
  kafkaConfigSchema,
  peerConfigSchemas.analyser,
  peerConfigSchemas.indexer,
  peerConfigSchemas.status,
  rpcTlsConfigSchema,
] as const;

import { kafkaConfigSchema } from '@whetstone/event-log/kafka';
import { rootSecretConfigSchema } from '@whetstone/identity';
import { peerConfigSchemas, rpcServerConfigSchema, rpcTlsConfigSchema } from '@whetstone/rpc';

import { analyserConfigSchema } from './analyser-config.js';

/** What an analyser of a cluster is told, besides what every process is. */
export const processSchemas = [
  analyserConfigSchema,
  rootSecretConfigSchema,
  kafkaConfigSchema,
  peerConfigSchemas.indexer,
  peerConfigSchemas.status,
  rpcServerConfigSchema,
  rpcTlsConfigSchema,
] as const;

import { kafkaConfigSchema } from '@whetstone/event-log/kafka';
import { rootSecretConfigSchema } from '@whetstone/identity';
import { peerConfigSchemas, rpcServerConfigSchema, rpcTlsConfigSchema } from '@whetstone/rpc';

import { analyserConfigSchema } from './analyser-config.js';

/** Configuration of an analyser process in a cluster, besides what every process has. */
export const processSchemas = [
  analyserConfigSchema,
  rootSecretConfigSchema,
  kafkaConfigSchema,
  peerConfigSchemas.indexer,
  peerConfigSchemas.status,
  rpcServerConfigSchema,
  rpcTlsConfigSchema,
] as const;

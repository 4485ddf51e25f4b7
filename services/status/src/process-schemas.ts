import { kafkaConfigSchema } from '@whetstone/event-log/kafka';
import { rootSecretConfigSchema } from '@whetstone/identity';
import { rpcServerConfigSchema, rpcTlsConfigSchema } from '@whetstone/rpc';
import { statusConfigSchema, viewFolderConfigSchema } from './status-config.js';

/** What a status service of a cluster is told, besides what every process is. */
export const processSchemas = [
  statusConfigSchema,
  viewFolderConfigSchema,
  rootSecretConfigSchema,
  kafkaConfigSchema,
  rpcServerConfigSchema,
  rpcTlsConfigSchema,
] as const;

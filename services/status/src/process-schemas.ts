import { kafkaConfigSchema } from '@whetstone/event-log/kafka';
import { rootSecretConfigSchema } from '@whetstone/identity';
import { rpcServerConfigSchema, rpcTlsConfigSchema } from '@whetstone/rpc';

import { statusConfigSchema } from './status-config.js';
import { viewFolderConfigSchema } from './view-folder.js';

/** What a status service of a cluster is told, besides what every process is. */
export const processSchemas = [
  statusConfigSchema,
  viewFolderConfigSchema,
  rootSecretConfigSchema,
  kafkaConfigSchema,
  rpcServerConfigSchema,
  rpcTlsConfigSchema,
] as const;

import { kafkaConfigSchema } from '@whetstone/event-log/kafka';
import { rootSecretConfigSchema } from '@whetstone/identity';
import { rpcServerConfigSchema, rpcTlsConfigSchema } from '@whetstone/rpc';
import { statusConfigSchema, viewFolderConfigSchema } from './status-config.js';

/** Configuration of a status process, besides that of every process. */
export const processSchemas = [
  statusConfigSchema,
  viewFolderConfigSchema,
  rootSecretConfigSchema,
  kafkaConfigSchema,
  rpcServerConfigSchema,
  rpcTlsConfigSchema,
] as const;

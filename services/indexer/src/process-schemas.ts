import { rootSecretConfigSchema } from '@whetstone/identity';
import { rpcServerConfigSchema, rpcTlsConfigSchema } from '@whetstone/rpc';

import { milvusConfigSchema } from './adapters/milvus-vector-store/index.js';
import { indexerConfigSchema } from './indexer-config.js';

/** Configuration of an indexer process in a cluster, in addition to what every process has. */
export const processSchemas = [
  indexerConfigSchema,
  milvusConfigSchema,
  rootSecretConfigSchema,
  rpcServerConfigSchema,
  rpcTlsConfigSchema,
] as const;

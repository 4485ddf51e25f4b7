import { rpcServerConfigSchema, rpcTlsConfigSchema } from '@whetstone/rpc';

import { milvusConfigSchema } from './adapters/milvus-vector-store/index.js';
import { indexerConfigSchema } from './indexer-config.js';

/** What an indexer of a cluster is told, besides what every process is. */
export const processSchemas = [
  indexerConfigSchema,
  milvusConfigSchema,
  rpcServerConfigSchema,
  rpcTlsConfigSchema,
] as const;

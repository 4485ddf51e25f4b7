import type { ConfigOf, ConfigSchema } from '@whetstone/platform';

import { type EmbeddingConfig, embeddingConfigOf, embeddingConfigSchema } from './embedding-config.js';

export const indexerConfigSchema = {
  type: 'object',
  properties: {
    ...embeddingConfigSchema.properties,
    WHETSTONE_MAX_COLLECTIONS: {
      type: 'integer',
      minimum: 1,
      default: 200,
      description: 'Collections that one account may have. A job whose upload would need one more fails.',
    },
    WHETSTONE_VECTOR_CACHE_MB: {
      type: 'integer',
      minimum: 16,
      maximum: 3072,
      default: 512,
      description:
        'Memory for vectors and words of the local vector store (about 270 MB per 100,000 insights). Collections that do not fit are read from disk.',
    },
    WHETSTONE_AGENT_TYPE_BOOST: {
      type: 'number',
      minimum: 1,
      maximum: 10,
      default: 1.1,
      description: 'What the score of an insight of the same agent type is multiplied by; 1 means no preference.',
    },
  },
} as const satisfies ConfigSchema;

export interface IndexerConfig {
  maxCollectionsPerAccount: number;
  agentTypeBoost: number;
}

/** What the adapters behind it take; of a local store, where there is one. */
interface IndexerPartsConfig {
  vectorCacheBytes: number;
  embedding: EmbeddingConfig;
}

const mebibyte = 1 << 20;

export function indexerConfigOf(values: ConfigOf<typeof indexerConfigSchema>): IndexerConfig & IndexerPartsConfig {
  return {
    maxCollectionsPerAccount: values.WHETSTONE_MAX_COLLECTIONS,
    agentTypeBoost: values.WHETSTONE_AGENT_TYPE_BOOST,
    vectorCacheBytes: values.WHETSTONE_VECTOR_CACHE_MB * mebibyte,
    embedding: embeddingConfigOf(values),
  };
}

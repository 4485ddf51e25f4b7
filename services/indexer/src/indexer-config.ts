import { AppError, type ConfigOf, type ConfigSchema } from '@whetstone/platform';
import type { ConsolidationConfig } from './consolidator.js';

/** Also part of every command that embeds. */
export const embeddingConfigSchema = {
  type: 'object',
  properties: {
    WHETSTONE_EMBEDDING_MODEL: {
      type: 'string',
      // Becomes part of collection names in Milvus, which are limited in length.
      pattern: '^[!-~]{1,64}$',
      description:
        'Embedding model of an OpenAI-compatible endpoint, such as `text-embedding-3-small`. If unset, the bundled model embeds in process.',
    },
    WHETSTONE_EMBEDDING_DIMENSION: {
      type: 'integer',
      minimum: 2,
      maximum: 32_768,
      description: 'Vector length of `WHETSTONE_EMBEDDING_MODEL`; required with it.',
    },
    WHETSTONE_EMBEDDING_BASE_URL: {
      type: 'string',
      pattern: '^https?://\\S+$',
      description: 'Base URL of the embedding endpoint, such as `http://localhost:11434/v1`. If unset, OpenAI.',
    },
    WHETSTONE_EMBEDDING_API_KEY: {
      type: 'string',
      secret: true,
      description: 'API key for the embedding endpoint, if it requires one.',
    },
    WHETSTONE_EMBEDDING_CACHE_MB: {
      type: 'integer',
      minimum: 0,
      maximum: 4096,
      default: 32,
      description: 'Memory for the cache of text embeddings.',
    },
    WHETSTONE_EMBEDDING_THREADS: {
      type: 'integer',
      minimum: 1,
      maximum: 64,
      default: 1,
      description: 'Threads per inference of the bundled embedding model.',
    },
  },
} as const satisfies ConfigSchema;

export const indexerConfigSchema = {
  type: 'object',
  properties: {
    ...embeddingConfigSchema.properties,
    WHETSTONE_MAX_COLLECTIONS: {
      type: 'integer',
      minimum: 1,
      default: 200,
      description: 'Maximum number of collections per account. An upload that would need one more fails.',
    },
    WHETSTONE_MAX_DELETIONS: {
      type: 'integer',
      minimum: 1,
      maximum: 100_000,
      default: 1000,
      description:
        'Maximum number of deletions by intent that a collection remembers, each for 40 days; an account remembers ten times as many. Further ones are answered with 409.',
    },
    WHETSTONE_VECTOR_CACHE_MB: {
      type: 'integer',
      minimum: 16,
      maximum: 3072,
      default: 512,
      description:
        'Memory for the search indexes of the local vector store: about 250 MB per 100,000 insights, or 95 MB for a collection that does not fit otherwise. What does not fit even so is searched on disk, which takes seconds.',
    },
    WHETSTONE_AGENT_TYPE_BOOST: {
      type: 'number',
      minimum: 1,
      maximum: 10,
      default: 1.1,
      description: 'Factor applied to the score of insights from the same agent type; 1 means no preference.',
    },
    WHETSTONE_CONSOLIDATION_INTERVAL_MS: {
      type: 'integer',
      minimum: 0,
      maximum: 86_400_000,
      default: 60_000,
      description:
        'Pause between two passes that merge insights which teach the same at the same task; 0 switches them off.',
    },
    WHETSTONE_CONSOLIDATION_SETTLE_MS: {
      type: 'integer',
      minimum: 0,
      maximum: 86_400_000,
      default: 600_000,
      description:
        'Age from which insights are merged. Until then, an upload that is delivered again replaces its own.',
    },
    WHETSTONE_RETENTION_DAYS: {
      type: 'integer',
      minimum: 0,
      maximum: 36_500,
      default: 0,
      description:
        'Insights that no run has confirmed for so many days are deleted; 0 keeps them for ever. PATCH /collections sets it for one collection.',
    },
  },
} as const satisfies ConfigSchema;

/** A model behind an endpoint. */
export interface RemoteEmbeddingModel {
  name: string;
  dimension: number;
  baseUrl: string | undefined;
  apiKey: string | undefined;
}

export interface EmbeddingConfig {
  cacheBytes: number;
  /** Per inference of the bundled model. */
  threads: number;
  /** Absent: the bundled model. */
  remote?: RemoteEmbeddingModel;
}

export interface IndexerConfig {
  maxCollectionsPerAccount: number;
  maxDeletionsPerCollection: number;
  agentTypeBoost: number;
  consolidation: ConsolidationConfig;
}

/** Settings of the adapters; `vectorCacheBytes` only matters to a local store. */
interface AdapterConfig {
  vectorCacheBytes: number;
  embedding: EmbeddingConfig;
}

const mebibyte = 1 << 20;

export function indexerConfigOf(values: ConfigOf<typeof indexerConfigSchema>): IndexerConfig & AdapterConfig {
  return {
    maxCollectionsPerAccount: values.WHETSTONE_MAX_COLLECTIONS,
    maxDeletionsPerCollection: values.WHETSTONE_MAX_DELETIONS,
    agentTypeBoost: values.WHETSTONE_AGENT_TYPE_BOOST,
    consolidation: {
      intervalMs: values.WHETSTONE_CONSOLIDATION_INTERVAL_MS,
      settleMs: values.WHETSTONE_CONSOLIDATION_SETTLE_MS,
      retentionDays: values.WHETSTONE_RETENTION_DAYS,
    },
    vectorCacheBytes: values.WHETSTONE_VECTOR_CACHE_MB * mebibyte,
    embedding: embeddingConfigOf(values),
  };
}

/** Throws AppError `invalid_argument` if one variable requires another that is missing. */
export function embeddingConfigOf(values: ConfigOf<typeof embeddingConfigSchema>): EmbeddingConfig {
  const {
    WHETSTONE_EMBEDDING_MODEL: name,
    WHETSTONE_EMBEDDING_DIMENSION: dimension,
    WHETSTONE_EMBEDDING_BASE_URL: baseUrl,
    WHETSTONE_EMBEDDING_API_KEY: apiKey,
  } = values;
  const local = {
    cacheBytes: values.WHETSTONE_EMBEDDING_CACHE_MB * mebibyte,
    threads: values.WHETSTONE_EMBEDDING_THREADS,
  };
  if (name !== undefined && baseUrl === undefined && apiKey === undefined) {
    throw mistake(
      'WHETSTONE_EMBEDDING_MODEL needs WHETSTONE_EMBEDDING_API_KEY for OpenAI, or WHETSTONE_EMBEDDING_BASE_URL for another endpoint',
    );
  }
  if (name !== undefined && dimension !== undefined) return { ...local, remote: { name, dimension, baseUrl, apiKey } };
  if (name !== undefined) {
    throw mistake('WHETSTONE_EMBEDDING_MODEL needs WHETSTONE_EMBEDDING_DIMENSION: the length of its vectors');
  }
  for (const [variable, value] of Object.entries({ DIMENSION: dimension, BASE_URL: baseUrl, API_KEY: apiKey })) {
    if (value !== undefined) {
      throw mistake(`WHETSTONE_EMBEDDING_${variable} is set, but WHETSTONE_EMBEDDING_MODEL is not`);
    }
  }
  return local;
}

function mistake(text: string): AppError {
  return new AppError('invalid_argument', text);
}

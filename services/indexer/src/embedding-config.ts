import { AppError, type ConfigOf, type ConfigSchema } from '@whetstone/platform';

/** What makes the vectors: part of the indexer's configuration, and of every command that embeds. */
export const embeddingConfigSchema = {
  type: 'object',
  properties: {
    WHETSTONE_EMBEDDING_MODEL: {
      type: 'string',
      // Part of the names of collections in Milvus, which are short.
      pattern: '^[!-~]{1,64}$',
      description:
        'Embedding model of an OpenAI-compatible endpoint, such as `text-embedding-3-small`. Without it the model that comes with Whetstone embeds, in the process itself.',
    },
    WHETSTONE_EMBEDDING_DIMENSION: {
      type: 'integer',
      minimum: 2,
      maximum: 32_768,
      description: 'Length of the vectors that the embedding model of the endpoint makes. Needed with its name.',
    },
    WHETSTONE_EMBEDDING_BASE_URL: {
      type: 'string',
      pattern: '^https?://\\S+$',
      description:
        'Address of the endpoint of the embedding model, such as `http://localhost:11434/v1`. Without it that of OpenAI.',
    },
    WHETSTONE_EMBEDDING_API_KEY: {
      type: 'string',
      secret: true,
      description: 'Key for the endpoint of the embedding model, where it wants one.',
    },
    WHETSTONE_EMBEDDING_CACHE_MB: {
      type: 'integer',
      minimum: 0,
      maximum: 4096,
      default: 32,
      description: 'Memory for vectors of texts that were embedded before.',
    },
    WHETSTONE_EMBEDDING_THREADS: {
      type: 'integer',
      minimum: 1,
      maximum: 64,
      default: 1,
      description: 'Threads of one inference of the embedding model that comes with Whetstone.',
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
  /** Of one inference of the local model. */
  threads: number;
  /** Absent: the local model. */
  remote?: RemoteEmbeddingModel;
}

const mebibyte = 1 << 20;

/** Throws AppError `invalid_argument` where one variable lacks another. */
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
      throw mistake(`WHETSTONE_EMBEDDING_${variable} is set, but WHETSTONE_EMBEDDING_MODEL does not name a model`);
    }
  }
  return local;
}

function mistake(text: string): AppError {
  return new AppError('invalid_argument', text);
}

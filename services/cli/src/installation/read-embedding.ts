import { type EmbeddingConfig, embeddingConfigOf, embeddingConfigSchema } from '@whetstone/indexer';
import { type Environment, loadConfig } from '@whetstone/platform';

/** What the server makes its vectors by, from the same variables. Throws AppError `invalid_argument` with all mistakes. */
export function readEmbedding(env: Environment): EmbeddingConfig {
  const own = Object.entries(env).filter(([name]) => name.startsWith('WHETSTONE_EMBEDDING_'));
  return embeddingConfigOf(loadConfig(embeddingConfigSchema, Object.fromEntries(own)));
}

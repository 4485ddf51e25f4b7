import {
  type Embedder,
  type EmbeddingConfig,
  embeddingConfigOf,
  embeddingConfigSchema,
  embeddingModelOf,
  openEmbedder,
  type VectorStore,
} from '@whetstone/indexer';
import { type Environment, type Logger, loadConfig, Registry } from '@whetstone/platform';
import type { Knowledge, OpenPart } from './installation.js';

/** Opens a store together with its embedding model. */
export async function openKnowledge(
  logger: Logger,
  embedding: EmbeddingConfig,
  openStore: (model: Embedder['model']) => Promise<VectorStore>,
): Promise<OpenPart<Knowledge>> {
  const model = embeddingModelOf(embedding);
  const store = await openStore(model);
  let embedder: Promise<Embedder> | undefined;
  return {
    part: {
      store,
      model,
      embedder() {
        embedder ??= openEmbedder({ config: embedding, logger, registry: new Registry() });
        return embedder;
      },
    },
    async close() {
      await (await embedder)?.close();
      await store.close();
    },
  };
}

/** The server's embedding settings, from the same variables. Throws AppError `invalid_argument` with all mistakes. */
export function readEmbedding(env: Environment): EmbeddingConfig {
  const own = Object.entries(env).filter(([name]) => name.startsWith('WHETSTONE_EMBEDDING_'));
  return embeddingConfigOf(loadConfig(embeddingConfigSchema, Object.fromEntries(own)));
}

import {
  type Embedder,
  type EmbeddingConfig,
  embeddingModelOf,
  openEmbedder,
  type VectorStore,
} from '@whetstone/indexer';
import { type Logger, Registry } from '@whetstone/platform';

import type { Knowledge } from './installation.js';
import type { OpenPart } from './use-parts.js';

/** A store together with the model that its vectors are made by. */
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

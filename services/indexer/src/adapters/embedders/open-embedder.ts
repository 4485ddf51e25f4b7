import type { Logger, Registry } from '@whetstone/platform';

import type { Embedder, EmbeddingModel } from '../../domain/ports.js';
import type { EmbeddingConfig } from '../../indexer-config.js';
import { defaultModel, openLocalEmbedder } from './local-embedder.js';

interface OpenEmbedderOptions {
  config: EmbeddingConfig;
  logger: Logger;
  registry: Registry;
}

/** Opens the configured embedder. Loads the OpenAI SDK only for a remote model. */
export async function openEmbedder({ config, logger, registry }: OpenEmbedderOptions): Promise<Embedder> {
  const { remote, cacheBytes, threads } = config;
  if (!remote) return openLocalEmbedder({ cacheBytes, threads, logger });
  const { openOpenAiEmbedder } = await import('./openai-embedder.js');
  return openOpenAiEmbedder({ remote, cacheBytes, logger, registry });
}

export function embeddingModelOf({ remote }: EmbeddingConfig): EmbeddingModel {
  return remote ? { name: remote.name, dimension: remote.dimension } : defaultModel;
}

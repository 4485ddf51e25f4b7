import type { Logger, Registry } from '@whetstone/platform';

import { defaultModel, openLocalEmbedder } from './adapters/local-embedder/local-embedder.js';
import type { Embedder } from './domain/ports.js';
import type { EmbeddingConfig } from './embedding-config.js';

interface OpenEmbedderOptions {
  config: EmbeddingConfig;
  logger: Logger;
  registry: Registry;
}

/** The embedder that the configuration asks for. The SDK of the endpoint's is loaded only where that is it. */
export async function openEmbedder({ config, logger, registry }: OpenEmbedderOptions): Promise<Embedder> {
  const { remote, cacheBytes, threads } = config;
  if (!remote) return openLocalEmbedder({ cacheBytes, threads, logger });
  const { openOpenAiEmbedder } = await import('./adapters/openai-embedder/openai-embedder.js');
  return openOpenAiEmbedder({ remote, cacheBytes, logger, registry });
}

/** What its vectors will be made by, without opening it. */
export function embeddingModelOf({ remote }: EmbeddingConfig): Embedder['model'] {
  return remote ? { name: remote.name, dimension: remote.dimension } : defaultModel;
}

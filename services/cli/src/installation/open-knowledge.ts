import { defaultModel, type Embedder, openLocalEmbedder, type VectorStore } from '@whetstone/indexer';
import type { Logger } from '@whetstone/platform';

import type { Knowledge } from './installation.js';
import type { OpenPart } from './use-parts.js';

/** A store together with the model that its vectors are made by. */
export async function openKnowledge(
  logger: Logger,
  openStore: (model: Embedder['model']) => Promise<VectorStore>,
): Promise<OpenPart<Knowledge>> {
  const store = await openStore(defaultModel);
  let embedder: Promise<Embedder> | undefined;
  return {
    part: {
      store,
      model: defaultModel,
      embedder() {
        embedder ??= openLocalEmbedder({ logger });
        return embedder;
      },
    },
    async close() {
      await (await embedder)?.close();
      await store.close();
    },
  };
}

import { defaultModel, type Embedder, openLocalEmbedder, type VectorStore } from '@whetstone/indexer';
import { createLogger, type Logger } from '@whetstone/platform';

import type { Knowledge } from './installation.js';
import type { OpenPart } from './use-parts.js';

/** What a store is opened with: the model that its vectors are made by, and a log that says nothing. */
export interface StoreOptions {
  model: Embedder['model'];
  logger: Logger;
}

/** A store together with the model of its vectors. */
export async function openKnowledge(
  openStore: (options: StoreOptions) => Promise<VectorStore>,
): Promise<OpenPart<Knowledge>> {
  const logger = createLogger({ service: 'cli', level: 'silent', pretty: false });
  const store = await openStore({ model: defaultModel, logger });
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

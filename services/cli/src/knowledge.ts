import {
  defaultModel,
  type Embedder,
  openLocalEmbedder,
  openLocalVectorStore,
  type VectorStore,
} from '@whetstone/indexer';
import { createLogger } from '@whetstone/platform';

import { findInstallation } from './installation.js';

export interface Knowledge {
  store: VectorStore;
  /** What the vectors of this store are made by. */
  model: Embedder['model'];
  /** Loaded when it is first asked for: most exports and imports need no model. */
  embedder(): Promise<Embedder>;
}

/** Opens the vector store for as long as the work takes. */
export async function withKnowledge<Result>(
  dataPath: string,
  work: (knowledge: Knowledge) => Promise<Result>,
): Promise<Result> {
  const { folder } = await findInstallation(dataPath);
  const logger = createLogger({ service: 'cli', level: 'silent', pretty: false });
  const store = await openLocalVectorStore({ path: folder.knowledge, model: defaultModel, logger });
  let embedder: Promise<Embedder> | undefined;
  try {
    return await work({
      store,
      model: defaultModel,
      embedder() {
        embedder ??= openLocalEmbedder({ logger });
        return embedder;
      },
    });
  } finally {
    await (await embedder)?.close();
    await store.close();
  }
}

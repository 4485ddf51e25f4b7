import { fileURLToPath } from 'node:url';

import { AppError, createWorkerClient, type Logger } from '@whetstone/platform';

import type { Embedder } from '../../domain/ports.js';
import { InferenceQueue } from '../inference-queue.js';
import { createRevivingWorker } from '../reviving-worker.js';
import { VectorCache } from '../vector-cache.js';
import type { EmbeddingModelOptions } from './embedding-protocol.js';
import { silenceRuntime } from './silence-runtime.js';

interface LocalEmbedderOptions {
  logger: Logger;
  /** For vectors of texts that were embedded before. */
  cacheBytes?: number;
  /** Of one inference. */
  threads?: number;
}

/** The model that comes with the project. */
export const defaultModel = { name: 'all-MiniLM-L6-v2-int8', dimension: 384 } as const;

const bundledModel = fileURLToPath(new URL('../../../models/all-MiniLM-L6-v2', import.meta.url));

/**
 * Sentence embeddings by the model that comes with the project, in a thread of its own; resolves when the model is loaded.
 * A text that kills the thread is tried once more in a new one.
 */
export async function openLocalEmbedder(options: LocalEmbedderOptions): Promise<Embedder> {
  const { logger, cacheBytes = 32 << 20, threads = 1 } = options;
  const model: EmbeddingModelOptions = { modelFolder: bundledModel, threads };
  silenceRuntime();
  const worker = createRevivingWorker({
    start: () => createWorkerClient(new URL('./embedding-worker.js', import.meta.url), { name: 'embedder' }),
    prepare: (client) => client.call('load', model),
    onDeath: (error) => logger.warn({ err: error }, 'The embedding thread has ended; the next text restarts it'),
  });
  const cache = new VectorCache(cacheBytes);
  const queue = new InferenceQueue(async (text) => {
    const vector = await infer(text).catch(() => infer(text));
    cache.set(text, vector);
    return vector;
  });

  async function infer(text: string): Promise<Float32Array> {
    try {
      return await worker.call<Float32Array>('embed', { text });
    } catch (error) {
      throw new AppError('internal', 'The text could not be embedded', { retryable: true, cause: error });
    }
  }

  await worker.call('load', model);
  return {
    model: defaultModel,
    async embed(text, priority) {
      return cache.get(text) ?? queue.embed(text, priority);
    },
    close() {
      queue.close();
      return worker.close();
    },
  };
}

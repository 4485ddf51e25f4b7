import { fileURLToPath } from 'node:url';
import { SHARE_ENV } from 'node:worker_threads';

import { AppError, createWorkerClient, type Logger } from '@whetstone/platform';

import type { Embedder } from '../../domain/ports.js';
import { createRevivingWorker } from '../reviving-worker.js';
import type { EmbeddingModelOptions } from './embedding-thread/main.js';
import { InferenceQueue } from './inference-queue.js';

interface LocalEmbedderOptions {
  logger: Logger;
  /** Memory for vectors of texts embedded before. */
  cacheBytes?: number;
  /** Threads per inference. */
  threads?: number;
}

/** The bundled model. */
export const defaultModel = { name: 'all-MiniLM-L6-v2-int8', dimension: 384 } as const;

const script = new URL('./embedding-thread/main.js', import.meta.url);
const bundledModel = fileURLToPath(new URL('../../../models/all-MiniLM-L6-v2', import.meta.url));

/**
 * Embeds with the bundled model in a worker thread; resolves once the model is loaded. A text whose inference fails, for
 * example because the thread died, is tried once more.
 */
export async function openLocalEmbedder(options: LocalEmbedderOptions): Promise<Embedder> {
  const { logger, cacheBytes = 32 << 20, threads = 1 } = options;
  const model: EmbeddingModelOptions = { modelFolder: bundledModel, threads };
  const worker = createRevivingWorker({
    start: () => createWorkerClient(script, { name: 'embedder', env: SHARE_ENV }),
    prepare: (client) => client.call('load', model),
    onDeath: (error) => logger.warn({ err: error }, 'Embedding thread died; restarting it with the next text'),
  });
  const queue = new InferenceQueue((text) => infer(text).catch(() => infer(text)), { cacheBytes });

  async function infer(text: string): Promise<Float32Array> {
    try {
      return await worker.call<Float32Array>('embed', { text });
    } catch (error) {
      throw new AppError('internal', 'Embedding the text failed', { retryable: true, cause: error });
    }
  }

  await worker.call('load', model);
  return {
    model: defaultModel,
    embed: (text, priority) => queue.embed(text, priority),
    close() {
      queue.close();
      return worker.close();
    },
  };
}

import { fileURLToPath } from 'node:url';

import { AppError, createWorkerClient, type Logger } from '@whetstone/platform';

import type { Embedder } from '../../domain/ports.js';
import { createRevivingWorker } from '../reviving-worker.js';
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

const bundledModel = fileURLToPath(new URL('../../../models/all-MiniLM-L6-v2', import.meta.url));

/**
 * Embeds with the bundled model in a worker thread; resolves once the model is loaded. A text whose inference fails, for
 * example because the thread died, is tried once more.
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
  const queue = new InferenceQueue((text) => infer(text).catch(() => infer(text)), { cacheBytes });

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
    embed: (text, priority) => queue.embed(text, priority),
    close() {
      queue.close();
      return worker.close();
    },
  };
}

/** Settings of the embedding thread. */
export interface EmbeddingModelOptions {
  /** Folder with `model-int8.onnx` and `tokenizer.json`. */
  modelFolder: string;
  /** Per inference; more than one speeds up a single long text and slows down everything else. */
  threads: number;
}

/**
 * The inference runtime reports on its use to its maker, and keeps an identifier of the machine for that, unless the process
 * says no before it is loaded. It asks the environment of the process, which only the main thread can change.
 */
function silenceRuntime(): void {
  // biome-ignore lint/style/noProcessEnv: the runtime has no other way to be told
  process.env['ORT_DISABLE_TELEMETRY'] = '1';
}

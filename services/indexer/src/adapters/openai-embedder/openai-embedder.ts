import { AppError, type Logger, type Registry } from '@whetstone/platform';
import {
  type Complain,
  createModelEndpoint,
  createSparingComplaint,
  isModelFailure,
  toAppError,
} from '@whetstone/platform/openai';

import type { Embedder } from '../../domain/ports.js';
import type { RemoteEmbeddingModel } from '../../embedding-config.js';
import { InferenceQueue } from '../inference-queue.js';
import { VectorCache } from '../vector-cache.js';
import { unitVector } from './unit-vector.js';

export interface OpenAiEmbedderOptions {
  remote: RemoteEmbeddingModel;
  /** For vectors of texts that were embedded before. */
  cacheBytes: number;
  logger: Logger;
  registry: Registry;
  /** For one call. */
  timeoutMs?: number;
}

/** Requests at the same time; learning leaves room for tasks that somebody waits with. */
const limits = { atOnce: 8, background: 6 };
/** Shorter than callers of the indexer wait. */
const defaultTimeoutMs = 8_000;
/** Endpoints refuse to embed nothing. */
const nothing = '(empty)';

/**
 * Embeddings by a model behind an OpenAI-compatible endpoint, one text a request. Opens also while the endpoint is away, and
 * says so; rejects with AppError `invalid_argument` where its vectors have another length than was said.
 */
export async function openOpenAiEmbedder(options: OpenAiEmbedderOptions): Promise<Embedder> {
  const { remote, cacheBytes, logger, registry, timeoutMs = defaultTimeoutMs } = options;
  const { name, dimension, baseUrl, apiKey } = remote;
  const variables = 'WHETSTONE_EMBEDDING';
  const endpoint = createModelEndpoint({ baseUrl, apiKey, model: name, timeoutMs, variables, logger, registry });
  const closing = new AbortController();
  let complain: Complain = () => {};
  const cache = new VectorCache(cacheBytes);
  const queue = new InferenceQueue(async (text) => {
    const vector = await infer(text);
    cache.set(text, vector);
    return vector;
  }, limits);

  async function infer(text: string): Promise<Float32Array> {
    const values = await ask(text);
    if (values.length !== dimension) throw mismatch(values.length);
    const vector = unitVector(values);
    if (!vector) throw new AppError('model_unavailable', 'The endpoint gave no usable vector', { retryable: true });
    return vector;
  }

  async function ask(text: string): Promise<number[]> {
    try {
      return await endpoint.embed(text.trim() === '' ? nothing : text, closing.signal);
    } catch (error) {
      throw isModelFailure(error) ? toAppError(error, 'internal') : error;
    }
  }

  /** Found later than at the start, it is still a setting that is wrong: nothing of it is stored, and work waits. */
  function mismatch(length: number): AppError {
    const message = `The embedding model ${name} makes vectors of ${length} dimensions, and WHETSTONE_EMBEDDING_DIMENSION says ${dimension}`;
    complain({ model: name }, `Nothing can be embedded until this is put right: ${message}`);
    return new AppError('model_mismatch', message, { retryable: true });
  }

  try {
    await infer('What does this text mean?');
  } catch (error) {
    const { code, message } = error as AppError;
    if (code === 'model_mismatch') throw new AppError('invalid_argument', message);
    logger.warn({ err: error }, 'The endpoint for embeddings does not answer yet; what needs it waits');
  }

  complain = createSparingComplaint(logger);
  return {
    model: { name, dimension },
    async embed(text, priority) {
      closing.signal.throwIfAborted();
      return cache.get(text) ?? queue.embed(text, priority);
    },
    async close() {
      closing.abort(new AppError('model_unavailable', 'The embedder is closed', { retryable: true }));
      queue.close();
    },
  };
}

import { AppError, type Logger, type Registry } from '@whetstone/platform';
import {
  type Complain,
  createModelEndpoint,
  createSparingComplaint,
  isModelFailure,
  toAppError,
} from '@whetstone/platform/openai';

import type { Embedder } from '../../domain/ports.js';
import type { RemoteEmbeddingModel } from '../../indexer-config.js';
import { InferenceQueue } from './inference-queue.js';

export interface OpenAiEmbedderOptions {
  remote: RemoteEmbeddingModel;
  /** Memory for vectors of texts embedded before. */
  cacheBytes: number;
  logger: Logger;
  registry: Registry;
  /** Per call. */
  timeoutMs?: number;
}

/** Concurrent requests; background work leaves two free for interactive texts. */
const limits = { concurrency: 8, backgroundConcurrency: 6 };
/** Shorter than callers of the indexer wait. */
const defaultTimeoutMs = 8_000;
/** Endpoints reject empty input. */
const emptyInput = '(empty)';

/**
 * Embeds through an OpenAI-compatible endpoint, one text per request. Opens even if the endpoint is down, with a warning.
 * Rejects with AppError `invalid_argument` if the endpoint's vectors differ in length from the configured dimension.
 */
export async function openOpenAiEmbedder(options: OpenAiEmbedderOptions): Promise<Embedder> {
  const { remote, cacheBytes, logger, registry, timeoutMs = defaultTimeoutMs } = options;
  const { name, dimension, baseUrl, apiKey } = remote;
  const variables = 'WHETSTONE_EMBEDDING';
  const endpoint = createModelEndpoint({ baseUrl, apiKey, model: name, timeoutMs, variables, logger, registry });
  const closing = new AbortController();
  let complain: Complain = () => {};
  const queue = new InferenceQueue(infer, { cacheBytes, ...limits });

  async function infer(text: string): Promise<Float32Array> {
    const values = await request(text);
    if (values.length !== dimension) throw mismatch(values.length);
    const vector = unitVector(values);
    if (!vector) {
      throw new AppError('model_unavailable', 'The embedding endpoint returned an unusable vector', {
        retryable: true,
      });
    }
    return vector;
  }

  async function request(text: string): Promise<number[]> {
    try {
      return await endpoint.embed(text.trim() === '' ? emptyInput : text, closing.signal);
    } catch (error) {
      throw isModelFailure(error) ? toAppError(error, 'internal') : error;
    }
  }

  /** A configuration mistake, even if found after the start: nothing is stored, and work is retried until it is fixed. */
  function mismatch(length: number): AppError {
    const message = `The embedding model ${name} returns ${length} dimensions, but WHETSTONE_EMBEDDING_DIMENSION is ${dimension}`;
    complain({ model: name }, `Embedding is blocked until the configuration is fixed: ${message}`);
    return new AppError('model_mismatch', message, { retryable: true });
  }

  try {
    await infer('What does this text mean?');
  } catch (error) {
    const { code, message } = error as AppError;
    if (code === 'model_mismatch') throw new AppError('invalid_argument', message);
    logger.warn({ err: error }, 'The embedding endpoint is not responding; work that needs it is retried');
  }

  complain = createSparingComplaint(logger);
  return {
    model: { name, dimension },
    async embed(text, priority) {
      closing.signal.throwIfAborted();
      return queue.embed(text, priority);
    },
    async close() {
      closing.abort(new AppError('model_unavailable', 'The embedder is closed', { retryable: true }));
      queue.close();
    },
  };
}

/** Scales to length one; `undefined` for a zero vector or non-finite values. */
export function unitVector(values: readonly number[]): Float32Array | undefined {
  if (!values.every(Number.isFinite)) return undefined;
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (largest === 0) return undefined;
  // Divided by the largest value first: squares of very large or small numbers overflow or underflow.
  const length = Math.sqrt(values.reduce((sum, value) => sum + (value / largest) ** 2, 0));
  return Float32Array.from(values, (value) => value / largest / length);
}

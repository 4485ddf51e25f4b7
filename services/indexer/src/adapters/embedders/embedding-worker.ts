import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { AppError, moved, serveWorker } from '@whetstone/platform/worker';
import { InferenceSession, Tensor } from 'onnxruntime-node';

import type { EmbeddingModelOptions } from './local-embedder.js';

/** What the model was trained to read; the first and the last are its own marks. */
const maxTokens = 256;
/** More characters than that many tokens can have in any text worth reading: what lies behind is not tokenised at all. */
const maxCharacters = 16_384;

type Embed = (text: string) => Promise<Float32Array>;

/** The thread in which texts are embedded, one text an inference: in a batch the int8 model would let neighbours change a vector. */
let embed: Embed | undefined;

async function load({ modelFolder, threads }: EmbeddingModelOptions): Promise<Embed> {
  const [session, tokenizer] = await Promise.all([
    InferenceSession.create(join(modelFolder, 'model-int8.onnx'), {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      graphOptimizationLevel: 'all',
    }),
    readFile(join(modelFolder, 'tokenizer.json'), 'utf8').then((json) => new Tokenizer(JSON.parse(json), {})),
  ]);
  return async (text) => {
    const ids = truncated(tokenizer.encode(text.slice(0, maxCharacters)).ids);
    const shape = [1, ids.length];
    const output = await session.run({
      input_ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), shape),
      attention_mask: new Tensor('int64', new BigInt64Array(ids.length).fill(1n), shape),
    });
    return Float32Array.from(output['embedding']?.data as Float32Array);
  };
}

/** Keeps the closing mark, which the model expects at the end. */
function truncated(ids: number[]): number[] {
  return ids.length <= maxTokens ? ids : [...ids.slice(0, maxTokens - 1), ids.at(-1) as number];
}

serveWorker({
  async load(options: EmbeddingModelOptions) {
    embed ??= await load(options);
  },
  async embed({ text }: { text: string }) {
    if (!embed) throw new AppError('internal', 'The embedding model is not loaded', { retryable: true });
    const vector = await embed(text);
    return moved(vector, [vector.buffer as ArrayBuffer]);
  },
});

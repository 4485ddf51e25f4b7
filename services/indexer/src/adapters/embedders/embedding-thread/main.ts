import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Tokenizer } from '@huggingface/tokenizers';
import { AppError, moved, serveWorker } from '@whetstone/platform/worker';
import { InferenceSession, Tensor } from 'onnxruntime-node';

/** Settings of the embedding thread. */
export interface EmbeddingModelOptions {
  /** Folder with `model-int8.onnx` and `tokenizer.json`. */
  modelFolder: string;
  /** Per inference; more than one speeds up a single long text and slows down everything else. */
  threads: number;
}

/** The model's input length, including its start and end tokens. */
const maxTokens = 256;
/** Longer than 256 tokens of any meaningful text; the rest is not tokenised. */
const maxCharacters = 16_384;

type Embed = (text: string) => Promise<Float32Array>;

// ONNX Runtime sends usage telemetry and stores a machine id in the home folder unless the environment of the process
// forbids it before the first session. The thread shares that environment.
process.env['ORT_DISABLE_TELEMETRY'] = '1';

let embed: Embed | undefined;

/** One text per inference: in a batch, the int8 model lets neighbours change a vector. */
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

/** Keeps the end token, which the model expects. */
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

import { inGeneralWords } from './intent/general-words.js';
import type { Embedder, EmbeddingPriority } from './ports.js';

/** The vector of an intent, for finding and for deletion alike: of what is wanted, and not of where it lies. */
export function embedIntent(
  embedder: Pick<Embedder, 'embed'>,
  intent: string,
  priority: EmbeddingPriority,
): Promise<Float32Array> {
  return embedder.embed(inGeneralWords(intent), priority);
}

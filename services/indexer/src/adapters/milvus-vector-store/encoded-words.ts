import { splitWords } from '../../domain/words.js';

const plain = /^[a-z0-9]+$/;

/**
 * The words of a text for Milvus' analyzer: each as letters and digits only, so that any tokenizer leaves it whole, and a
 * cluster finds the same words as the local store. Separated by spaces; what does not fit is left out from the end.
 */
export function encodeWords(text: string, maxBytes: number): string {
  const encoded: string[] = [];
  let bytes = -1;
  for (const word of splitWords(text)) {
    const token = encodeWord(word);
    bytes += token.length + 1;
    if (bytes > maxBytes) break;
    encoded.push(token);
  }
  return encoded.join(' ');
}

/** The distinct words of a question, encoded; of a long one the first ones. */
export function queryWords(text: string, atMost: number): string[] {
  return [...new Set(splitWords(text))].slice(0, atMost).map(encodeWord);
}

function encodeWord(word: string): string {
  return plain.test(word) ? word : `x${Buffer.from(word).toString('hex')}`;
}

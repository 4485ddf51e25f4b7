import { splitWords } from '../../domain/words.js';

/**
 * The words of one text, counted, in the form that is stored and loaded without being read again. Numbers of 32 bits: how
 * many distinct terms, how many words, then two numbers a term: the low half of its hash; the high half's 24 bits with
 * the count in the last 8. With 56 bits two words of one collection practically never meet, and if ever, they rank alike.
 */
export type DocumentTerms = Uint32Array;

export const termsHeader = 2;
export const highestCount = 255;

export function documentTerms(text: string): DocumentTerms {
  const words = splitWords(text);
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const terms = new Uint32Array(termsHeader + 2 * counts.size);
  terms[0] = counts.size;
  terms[1] = words.length;
  let at = termsHeader;
  for (const [word, count] of counts) {
    hashInto(terms, at, word, Math.min(highestCount, count));
    at += 2;
  }
  return terms;
}

/** Two multiplicative hashes over the same characters, mixed at the end so that near words lie far apart. */
function hashInto(terms: Uint32Array, at: number, word: string, count: number): void {
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  for (let i = 0; i < word.length; i++) {
    const code = word.charCodeAt(i);
    low = Math.imul(low ^ code, 2654435761);
    high = Math.imul(high ^ code, 1597334677);
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  terms[at] = low;
  terms[at + 1] = (high & 0xffffff00) | count;
}

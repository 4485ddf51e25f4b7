import { inverseDocumentFrequency, type LengthNorm, rarestTerms, splitWords, termScore } from '../../domain/words.js';
import { enlarged, PostingLists, TermTable } from './posting-lists.js';

/** 24 bits: a posting packs slot and count into 32. */
export const maxSlots = 2 ** 24;

interface QueryTerm {
  term: number;
  documentFrequency: number;
  weight: number;
}

/**
 * The inverted index of one collection: per term, the slots that contain it, each packed with its count. Removed slots
 * stay in the lists until `compacted`, but the statistics always cover only live slots.
 */
export class WordIndex {
  readonly #table = new TermTable();
  readonly #lists: PostingLists;
  #documentsWith = new Uint32Array(128);

  /** `expectedTerms`: distinct terms per document, summed over all documents. */
  constructor(expectedTerms = 0) {
    this.#lists = new PostingLists(expectedTerms);
  }

  get bytes(): number {
    return this.#table.bytes + this.#lists.bytes + this.#documentsWith.byteLength;
  }

  add(slot: number, terms: DocumentTerms): void {
    for (let at = termsHeader; at < terms.length; at += 2) {
      const low = terms[at] as number;
      const highAndCount = terms[at + 1] as number;
      this.#addPosting(low, highAndCount >>> 8, (slot << 8) | (highAndCount & highestCount));
    }
  }

  remove(terms: DocumentTerms): void {
    for (let at = termsHeader; at < terms.length; at += 2) {
      const term = this.#table.find(terms[at] as number, (terms[at + 1] as number) >>> 8);
      if (term >= 0) this.#documentsWith[term] = (this.#documentsWith[term] as number) - 1;
    }
  }

  /** Adds each slot's score to `scores`, removed slots included; `documents` is the number of live ones. */
  score(query: DocumentTerms, documents: number, lengths: Uint32Array, norm: LengthNorm, scores: Float64Array): void {
    const { base, perWord } = norm;
    for (const { term, weight } of rarestTerms(this.#queryTerms(query, documents))) {
      const postings = this.#lists.read(term);
      for (let i = 0; i < postings.length; i++) {
        const posting = postings[i] as number;
        const slot = posting >>> 8;
        const score = termScore(weight, posting & highestCount, lengths[slot] as number, base, perWord);
        scores[slot] = (scores[slot] as number) + score;
      }
    }
  }

  /** Copies the index without removed slots; `newSlots` maps old slots to new ones, -1: removed. */
  compacted(newSlots: Int32Array): WordIndex {
    const compact = new WordIndex();
    for (let term = 0; term < this.#table.size; term++) {
      for (const posting of this.#lists.read(term)) {
        const slot = newSlots[posting >>> 8] as number;
        if (slot < 0) continue;
        compact.#addPosting(this.#table.low(term), this.#table.high(term), (slot << 8) | (posting & highestCount));
      }
    }
    return compact;
  }

  #addPosting(low: number, high: number, posting: number): void {
    const term = this.#table.number(low, high);
    if (term >= this.#documentsWith.length) this.#documentsWith = enlarged(this.#documentsWith, 2 * term);
    this.#documentsWith[term] = (this.#documentsWith[term] as number) + 1;
    this.#lists.append(term, posting >>> 0);
  }

  #queryTerms(query: DocumentTerms, documents: number): QueryTerm[] {
    const found: QueryTerm[] = [];
    for (let at = termsHeader; at < query.length; at += 2) {
      const term = this.#table.find(query[at] as number, (query[at + 1] as number) >>> 8);
      const documentFrequency = term < 0 ? 0 : (this.#documentsWith[term] as number);
      if (documentFrequency > 0)
        found.push({ term, documentFrequency, weight: inverseDocumentFrequency(documents, documentFrequency) });
    }
    return found;
  }
}

/**
 * The counted words of one text, in the format in which they are stored and loaded. 32-bit numbers: distinct terms,
 * total words, then two per term: the low half of its hash, and 24 bits of the high half with the count in the last 8.
 * With 56 bits, collisions within a collection are practically impossible, and would only affect ranking.
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

/** Two multiplicative hashes over the same characters, mixed at the end so that similar words spread out. */
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

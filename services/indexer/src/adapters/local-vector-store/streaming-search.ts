import { cosine } from '../../domain/intent/similarity.js';
import { inverseFrequency, lengthNorm, mostTelling, termScore } from '../../domain/words.js';
import type { IndexEntry, IndexHit } from './collection-index.js';
import { type DocumentTerms, highestCount, termsHeader } from './document-terms.js';
import { TopK } from './top-k.js';

/** The same answer as the index in memory gives, straight from disk: for a collection that does not fit into memory. */
export function searchByVectorStreaming(entries: Iterable<IndexEntry>, query: Float32Array, limit: number): IndexHit[] {
  const top = new TopK<IndexHit>(limit);
  for (const { n, key, vector } of entries) top.offer({ score: cosine(query, vector), key, n });
  return top.best();
}

interface Occurrence {
  query: number;
  count: number;
}

interface Candidate {
  n: number;
  key: string;
  length: number;
  occurrences: Occurrence[];
}

export function searchByWordsStreaming(entries: Iterable<IndexEntry>, query: DocumentTerms, limit: number): IndexHit[] {
  const wanted = termNumbers(query);
  const withTerm = new Map<number, number>();
  let documents = 0;
  let words = 0;
  const candidates: Candidate[] = [];
  for (const { n, key, terms } of entries) {
    const length = terms[1] as number;
    documents++;
    words += length;
    const occurrences = occurrencesIn(terms, wanted);
    if (occurrences.length === 0) continue;
    for (const { query: term } of occurrences) withTerm.set(term, (withTerm.get(term) ?? 0) + 1);
    candidates.push({ n, key, length, occurrences });
  }

  const found = [...withTerm].sort(([a], [b]) => a - b);
  const weighed = found.map(([term, count]) => ({
    term,
    withTerm: count,
    weight: inverseFrequency(documents, count),
  }));
  const telling = mostTelling(weighed);
  const { base, perWord } = lengthNorm(documents, words);
  const top = new TopK<IndexHit>(limit);
  for (const { n, key, length, occurrences } of candidates) {
    let score = 0;
    for (const { term, weight } of telling) {
      const count = occurrences.find((occurrence) => occurrence.query === term)?.count;
      if (count !== undefined) score += termScore(weight, count, length, base, perWord);
    }
    if (score > 0 && score >= top.floor) top.offer({ score, key, n });
  }
  return top.best();
}

/** The place of each term of the query, by the two halves of its hash. */
function termNumbers(query: DocumentTerms): Map<number, { high: number; query: number }[]> {
  const wanted = new Map<number, { high: number; query: number }[]>();
  for (let at = termsHeader; at < query.length; at += 2) {
    const low = query[at] as number;
    const same = wanted.get(low) ?? [];
    same.push({ high: (query[at + 1] as number) >>> 8, query: at });
    wanted.set(low, same);
  }
  return wanted;
}

function occurrencesIn(terms: DocumentTerms, wanted: Map<number, { high: number; query: number }[]>): Occurrence[] {
  const found: Occurrence[] = [];
  for (let at = termsHeader; at < terms.length; at += 2) {
    const highAndCount = terms[at + 1] as number;
    const match = wanted.get(terms[at] as number)?.find(({ high }) => high === highAndCount >>> 8);
    if (match) found.push({ query: match.query, count: highAndCount & highestCount });
  }
  return found;
}

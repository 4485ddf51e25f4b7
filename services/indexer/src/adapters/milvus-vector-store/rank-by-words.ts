import { inverseFrequency, lengthNorm, mostTelling, termScore } from '../../domain/words.js';

/** An insight that shares words with a question. */
export interface WordCandidate {
  id: string;
  /** Encoded, separated by spaces. */
  words: string;
}

/**
 * The candidates by BM25, best first, equal ones by id; those without any of the words are left out.
 *
 * Milvus weighs a word by how rare it is among everything that lies in the same Milvus collection, other accounts' texts
 * included, or in the same segment. So its scores only choose the candidates, and words are counted again among those,
 * which are all of one collection: where fewer insights share a word with the question than are chosen, these are all that
 * have the word, and what other collections hold changes nothing.
 */
export function rankByWords<Candidate extends WordCandidate>(question: string[], candidates: Candidate[]): Candidate[] {
  const asked = new Set(question);
  const documents = candidates.map((candidate) => countWords(candidate, asked));
  const norm = lengthNorm(
    documents.length,
    documents.reduce((sum, { length }) => sum + length, 0),
  );
  const terms = question.map((word) => {
    const withTerm = documents.filter(({ counts }) => counts.has(word)).length;
    return { word, withTerm, weight: inverseFrequency(documents.length, withTerm) };
  });
  const telling = mostTelling(terms.filter(({ withTerm }) => withTerm > 0));
  const score = ({ counts, length }: CountedWords<Candidate>) =>
    telling.reduce((sum, { word, weight }) => {
      const count = counts.get(word);
      return count === undefined ? sum : sum + termScore(weight, count, length, norm.base, norm.perWord);
    }, 0);
  return documents
    .map((document) => ({ candidate: document.candidate, score: score(document) }))
    .filter((ranked) => ranked.score > 0)
    .sort((a, b) => b.score - a.score || (a.candidate.id < b.candidate.id ? -1 : 1))
    .map(({ candidate }) => candidate);
}

interface CountedWords<Candidate> {
  candidate: Candidate;
  /** How often each word of the question occurs that does. */
  counts: Map<string, number>;
  /** In words. */
  length: number;
}

function countWords<Candidate extends WordCandidate>(
  candidate: Candidate,
  asked: Set<string>,
): CountedWords<Candidate> {
  const words = candidate.words.split(' ');
  const counts = new Map<string, number>();
  for (const word of words) {
    if (asked.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return { candidate, counts, length: words.length };
}

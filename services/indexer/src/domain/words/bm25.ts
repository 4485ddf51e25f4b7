/** Okapi BM25's usual constants: how soon repetition stops counting, how much length counts. */
const saturation = 1.2;
const lengthWeight = 0.75;
/**
 * A query is bounded, in words and in the places that are looked at for them: the rarest words decide, and what a word
 * says that stands in every other document is next to nothing.
 */
const longestQuery = 64;
const mostPlaces = 20_000;

/** How much one occurrence says, by how few documents have it. */
export function inverseFrequency(documents: number, withTerm: number): number {
  return Math.log(1 + (documents - withTerm + 0.5) / (withTerm + 0.5));
}

/** What BM25 adds to a count below the line: `base` + `perWord` × the document's length. */
export interface LengthNorm {
  base: number;
  perWord: number;
}

export function lengthNorm(documents: number, words: number): LengthNorm {
  return {
    base: saturation * (1 - lengthWeight),
    perWord: words === 0 ? 0 : (saturation * lengthWeight * documents) / words,
  };
}

export function termScore(weight: number, count: number, length: number, base: number, perWord: number): number {
  return (weight * (saturation + 1) * count) / (count + base + perWord * length);
}

/** Of the terms that occur, the rarest ones within the bounds, at least one; equal ones in the order of the query. */
export function mostTelling<Term extends { withTerm: number }>(terms: Term[]): Term[] {
  let places = 0;
  return terms
    .toSorted((a, b) => a.withTerm - b.withTerm)
    .slice(0, longestQuery)
    .filter(({ withTerm }, rank) => {
      places += withTerm;
      return rank === 0 || places <= mostPlaces;
    });
}

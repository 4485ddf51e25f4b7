/** A word or identifier, with the leading dashes of a command-line option. */
const run = /(?:(?<![\p{L}\p{N}_-])--?(?=\p{L}))?[\p{L}\p{N}\p{M}_]+/gu;
const ascii = /^[\0-\x7f]*$/;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const partOfName = /[\p{Lu}]+(?![\p{Ll}])|[\p{Lu}]?[\p{Ll}\p{M}\p{Lo}]+|\p{N}+/gu;
const maxWordLength = 64;

/**
 * The words of a text for BM25: lower case, plural endings removed. Identifiers count whole and in parts (`file_name`:
 * file_name, file, name; `getUser`: getuser, get, user), options with and without dashes, scripts without spaces as
 * character pairs.
 */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  for (const match of (ascii.test(text) ? text : text.normalize('NFKC')).matchAll(run)) addRun(words, match[0]);
  return words;
}

function addRun(words: string[], found: string): void {
  const name = found.replace(/^--?/, '');
  if (name !== found) words.push(found.slice(0, maxWordLength).toLowerCase());
  if (!ascii.test(name) && unspaced.test(name)) addPairs(words, name.toLowerCase());
  else addName(words, name.slice(0, maxWordLength));
}

function addName(words: string[], name: string): void {
  words.push(singular(name.toLowerCase()));
  if (!isCompound(name)) return;
  for (const part of name.match(partOfName) ?? []) {
    if (part.length < name.length) words.push(singular(part.toLowerCase()));
  }
}

function isCompound(name: string): boolean {
  return /_|\p{Ll}\p{Lu}|\p{L}\p{N}|\p{N}\p{L}/u.test(name);
}

function addPairs(words: string[], name: string): void {
  const characters = [...name];
  if (characters.length === 1) words.push(name);
  for (let i = 0; i + 1 < characters.length; i++) words.push(`${characters[i]}${characters[i + 1]}`);
}

/** Harman's S stemmer: only merges plural and singular. */
function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || word.endsWith('us') || word.endsWith('ss')) return word;
  return word.endsWith('ies') && !/[ae]ies$/.test(word) ? `${word.slice(0, -3)}y` : word.slice(0, -1);
}

/** The usual constants of Okapi BM25: saturation of repeated terms, and weight of document length. */
const saturation = 1.2;
const lengthWeight = 0.75;
/**
 * Limits on the words of a query and the postings read for them: rare words decide, and very common ones add almost
 * nothing.
 */
const maxQueryTerms = 64;
const maxPostings = 20_000;

export function inverseDocumentFrequency(documents: number, documentFrequency: number): number {
  return Math.log(1 + (documents - documentFrequency + 0.5) / (documentFrequency + 0.5));
}

/** BM25's length normalisation: `base` + `perWord` × document length. */
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

/** The rarest terms within the limits, at least one; ties keep the order of the query. */
export function rarestTerms<Term extends { documentFrequency: number }>(terms: Term[]): Term[] {
  let postings = 0;
  return terms
    .toSorted((a, b) => a.documentFrequency - b.documentFrequency)
    .slice(0, maxQueryTerms)
    .filter(({ documentFrequency }, rank) => {
      postings += documentFrequency;
      return rank === 0 || postings <= maxPostings;
    });
}

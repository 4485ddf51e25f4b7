/** Runs of what belongs together in code and prose, with the dashes of an option in front. */
const run = /(?:(?<![\p{L}\p{N}_-])--?(?=\p{L}))?[\p{L}\p{N}\p{M}_]+/gu;
const ascii = /^[\0-\x7f]*$/;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const partOfName = /[\p{Lu}]+(?![\p{Ll}])|[\p{Lu}]?[\p{Ll}\p{M}\p{Lo}]+|\p{N}+/gu;
const longestWord = 64;

/**
 * The words of a text, as BM25 counts them: case folded, plural endings dropped. Names are found whole and by their parts
 * (`file_name`: file_name, file, name; `getUser`: getuser, get, user), options with and without their dashes, scripts
 * without spaces by pairs of characters.
 */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  for (const match of (ascii.test(text) ? text : text.normalize('NFKC')).matchAll(run)) addRun(words, match[0]);
  return words;
}

function addRun(words: string[], found: string): void {
  const name = found.replace(/^--?/, '');
  if (name !== found) words.push(found.slice(0, longestWord).toLowerCase());
  if (!ascii.test(name) && unspaced.test(name)) addPairs(words, name.toLowerCase());
  else addName(words, name.slice(0, longestWord));
}

function addName(words: string[], name: string): void {
  words.push(singular(name.toLowerCase()));
  if (!isCompound(name)) return;
  for (const part of name.match(partOfName) ?? []) {
    if (part.length < name.length) words.push(singular(part.toLowerCase()));
  }
}

/** An underscore, a letter after a digit or the reverse, or a capital after a small letter. */
function isCompound(name: string): boolean {
  return /_|\p{Ll}\p{Lu}|\p{L}\p{N}|\p{N}\p{L}/u.test(name);
}

function addPairs(words: string[], name: string): void {
  const characters = [...name];
  if (characters.length === 1) words.push(name);
  for (let i = 0; i + 1 < characters.length; i++) words.push(`${characters[i]}${characters[i + 1]}`);
}

/** Harman's S stemmer: plural and singular meet, nothing else changes. */
function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || word.endsWith('us') || word.endsWith('ss')) return word;
  return word.endsWith('ies') && !/[ae]ies$/.test(word) ? `${word.slice(0, -3)}y` : word.slice(0, -1);
}

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

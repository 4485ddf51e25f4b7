import { memoizeByText } from './memoize-by-text.js';

const stopWords = new Set(
  (
    'a about above all also am an and any are as at be because been before being below between both but by can could did do does doing down during each every following ' +
    'few for from further get give had has have having he help her here hers hi hello him his how i if in into is it its itself just let like ll make me ' +
    'more most my need needed no nor not now of off on once one only or other our out over own please re same she should so some such task than that the their them ' +
    'then there these they this those through to too under until up us use using ve very want was way we were what when where which while who why will ' +
    'with would you your'
  ).split(' '),
);
const inOrder = (words: string, first: number, step: number) =>
  words.split(' ').map((word, at) => [word, String(first + at * step)] as const);
const numbers = new Map([
  ...inOrder('two three four five six seven eight nine ten eleven twelve', 2, 1),
  ...inOrder('thirteen fourteen fifteen sixteen seventeen eighteen nineteen', 13, 1),
  ...inOrder('twenty thirty forty fifty sixty seventy eighty ninety', 20, 10),
]);
/** Longest first. */
const endings = 'ations ation ings ing ers er ed es ly s e'.split(' ');
const shortEndings = ['e', 's'];
/** Particles and endings of Japanese: `を`, `ください`. */
const grammatical = /^\p{Script=Hiragana}{1,5}$/u;
const scanLimit = 4_000;
const sameTaskShare = 0.8;

/** Distinct content words as stems in lower case; numbers as digits. */
export function contentWords(text: string): Set<string> {
  return new Set(countContentWords(text).keys());
}

/** The same, with how often each occurs. */
export function countContentWords(text: string): Map<string, number> {
  const words =
    text
      .slice(0, scanLimit)
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]{2,40}|\p{N}/gu) ?? [];
  const counts = new Map<string, number>();
  for (const word of words) {
    const known = contentOf(word);
    if (known !== '') counts.set(known, (counts.get(known) ?? 0) + 1);
  }
  return counts;
}

/** The stem of a word, or its digits; empty if it carries no meaning. */
const contentOf = memoizeByText((word) =>
  stopWords.has(word) || grammatical.test(word) ? '' : (numbers.get(word) ?? stem(word)),
);

export function isStopWord(word: string): boolean {
  return stopWords.has(word);
}

/** "two" is "2". */
export function inDigits(word: string): string | undefined {
  return numbers.get(word);
}

/** Crude stemming that maps "files", "filing" and "file" to one stem; it only has to be consistent. */
function stem(word: string): string {
  const ending = word.length <= 4 ? shortEndings : endings;
  return word.slice(0, word.length - (ending.find((end) => word.endsWith(end))?.length ?? 0));
}

export function sharedWords(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [few, many] = a.size < b.size ? [a, b] : [b, a];
  let shared = 0;
  for (const word of few) if (many.has(word)) shared++;
  return shared;
}

/** Shared words divided by all words. */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = sharedWords(a, b);
  const all = a.size + b.size - shared;
  return all === 0 ? 0 : shared / all;
}

/**
 * Whether two tasks differ in wording only: an extra word on one side is wording, different words on both sides make another
 * task. So do "orders in the table orders" and "items in the table orders", where each has a word more often than the other.
 */
export function agree(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): boolean {
  const hasMore = (these: typeof a, those: typeof a) =>
    [...these].some(([word, count]) => count > (those.get(word) ?? 0));
  const isAlike = jaccard(new Set(a.keys()), new Set(b.keys())) >= sameTaskShare;
  return isAlike && !(hasMore(a, b) && hasMore(b, a));
}

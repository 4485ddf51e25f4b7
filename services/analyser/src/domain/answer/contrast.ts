import { sharedWords } from '@whetstone/reading';

import type { Swap } from './swap-values.js';
import { isSynonym, meaningWords, type Task } from './task-words.js';

/** Words of the new and of the past task. */
export interface Difference {
  here: readonly string[];
  there: readonly string[];
  /** Names and values likewise. */
  values?: { here: readonly string[]; there: readonly string[] };
}

/** Tasks that differ in one word: minimum similarity, and minimum share of equal words. */
const oneWord = { similarity: 0.85, shared: 0.75 };

/** The one word in which two near tasks differ. */
export function differenceOf(task: Task, past: Task, similarity: number): Difference | undefined {
  const minShared = oneWord.shared * Math.max(task.words.size, past.words.size);
  if (similarity < oneWord.similarity || sharedWords(task.words, past.words) < minShared) return undefined;
  const [[here, ...more], [there, ...others]] = [onlyIn(task, past), onlyIn(past, task)];
  if (here === undefined || there === undefined || more.length + others.length > 0) return undefined;
  return { here: [here], there: [there] };
}

/** As written; a word of a phrase, such as "look for", counts only if the phrase does. */
function onlyIn({ tokens, words: own }: Task, { words }: Task): string[] {
  const isOnlyHere = (word: string) => own.has(word) && !words.has(word);
  const texts = tokens.filter(({ text }) => [...meaningWords(text)].some(isOnlyHere));
  return [...new Set(texts.map(({ text }) => text.toLowerCase()))];
}

const mostContrasted = 4;
const fewContrasted = 2;
const mostReplaced = 3;

/** Longer lists, and those of tasks that share less than that, say nothing. */
export function contrastOf(task: Task, past: Task): Difference | undefined {
  const { here, there } = differenceIn(task, past, ownWordsIn) ?? { here: [], there: [] };
  const most = Math.max(here.length, there.length);
  if (most > Math.min(mostContrasted, Math.max(fewContrasted, sharedWords(task.words, past.words)))) return undefined;
  const values = differenceIn(task, past, valuesOnlyIn);
  const areFew = values && Math.max(values.here.length, values.there.length) <= mostContrasted;
  return most > 0 || areFew ? { here, there, ...(areFew && { values }) } : undefined;
}

/** Of the same task in other words: what only one of them adds, and small words that may turn it round. */
export function contrastInOtherWords(task: Task, past: Task): Difference | undefined {
  if (areReplacedInPlace(task, past)) return contrastOf(task, past);
  const adds = (own: Task, other: Task) => own.plainWords.some((word) => !other.words.has(word));
  return differenceIn(task, past, adds(task, past) && adds(past, task) ? smallWordsOnlyIn : ownWordsIn);
}

/** “yield on rain and heat”, “yield on sun and soil”: whoever says the same in other words changes more than that. */
function areReplacedInPlace({ tokens: now }: Task, { tokens: then }: Task): boolean {
  if (now.length !== then.length) return false;
  const replaced = now.filter(({ word }, at) => word !== then[at]?.word);
  return replaced.length <= mostReplaced && replaced.length * 2 < now.length;
}

function differenceIn(
  task: Task,
  past: Task,
  onlyIn: (own: Task, other: Task) => readonly string[],
): Difference | undefined {
  const [here, there] = [[...new Set(onlyIn(task, past))], [...new Set(onlyIn(past, task))]];
  return here.length + there.length > 0 ? { here, there } : undefined;
}

/** Of two tasks that have other values in the same places. */
export function contrastOfSwaps(swaps: readonly Swap[]): Difference | undefined {
  const pairs = (isWord: boolean) => swaps.filter(([, , form]) => (form === 'named') === isWord);
  const [words, values] = [pairs(true), pairs(false)];
  const sides = (some: readonly Swap[]) => ({ here: some.map(([, now]) => now), there: some.map(([past]) => past) });
  if (values.length === 0) return sides(words);
  return values.length > mostContrasted ? undefined : { ...sides(words), values: sides(values) };
}

function valuesOnlyIn({ things }: Task, { texts }: Task): string[] {
  const known = new Set([...texts].map(withoutGenitive));
  return things.flatMap(({ text }) => (known.has(withoutGenitive(text)) ? [] : text));
}

function withoutGenitive(text: string): string {
  return text.replace(/['’]s$/, '').toLowerCase();
}

function ownWordsIn(own: Task, other: Task): string[] {
  const plain = { ...own, tokens: own.tokens.filter(({ kind }) => kind === 'word') };
  const words = onlyIn(plain, other).filter((word) => !negation.test(word));
  return [...words, ...smallWordsOnlyIn(own, other)];
}

/** Small words that a paraphrase hardly exchanges: “in stock”, “out of stock”; “A and B”, “A or B”; “column x”. */
const telling = new Set(
  (
    'out off without not no never nor or neither either both before after least most more less fewer first last next previous only ' +
    'also except but other another again'
  ).split(' '),
);

function smallWordsOnlyIn({ tokens, things }: Task, { tokenWords }: Task): string[] {
  const letters = new Set(things.map(({ text }) => text.toLowerCase()));
  const tells = (word: string, before = '') => {
    if (negation.test(word)) return ![...tokenWords].some((other) => negation.test(other));
    const isAlone = !isSynonym(`${before} ${word}`);
    return (telling.has(word) && isAlone) || (/^[b-hj-z]$/.test(word) && !letters.has(word));
  };
  return tokens.flatMap(({ text, word }, at) =>
    !tokenWords.has(word) && tells(word, tokens[at - 1]?.word) ? text.toLowerCase() : [],
  );
}

/** “Not”, “cannot”, “isn’t” */
const negation = /^(?:not|cannot)$|n['’]t$/;

import { agree, compareReadings, jaccard, remembered, sharedWords } from '@whetstone/reading';

import { fewestWords, type Swap, swapsBetween } from './swap-values.js';
import { meaningWords, prepare, type Task, type Token } from './task-words.js';

export interface Related {
  /** `variant`: the same wording with other values. `alike`: near, and another task. `none`: what it teaches could do harm. */
  relation: 'same' | 'variant' | 'alike' | 'none';
  /** Of a variant. */
  swaps: readonly Swap[];
  /** The very text, but for case, space and punctuation. */
  verbatim: boolean;
  /** No word that could mean another thing stands on one side alone. */
  wordForWord: boolean;
  /** Both plainly ask for the same kind of thing. */
  agrees: boolean;
  /** Both begin with a word of their own, as orders do with their verb, and the other does not have it. */
  leadsOtherwise: boolean;
  /** Of tasks that are alike: the one word in the place of another by which they differ. */
  difference?: Difference;
}

export interface Difference {
  here: string;
  there: string;
}

export interface TaskRelations {
  /** Words that both share, as a part of all. Cheap, as is the next: to be asked before the relation is. */
  overlapWith(past: string): number;
  /** Whether it can be the task itself, or the same with other values. */
  isOwn(past: string, similarity: number): boolean;
  relate(past: string, similarity: number): Related;
}

/** Other words for the same task: as near as this, with so many of the fewer words on both sides. */
const paraphrase = { similarity: 0.8, fewest: 0.5 };
/** One word in the place of another is another task or other words for it: to be told with the difference, all else must be the same. */
const oneWord = { similarity: 0.85, fewest: 0.75 };

/** Compares the tasks of past runs with a new one, each text once. */
export function createRelateTasks(): (text: string) => TaskRelations {
  const prepared = remembered(prepare);
  return (text) => {
    const task = prepare(text);
    const comparisons = new Map<string, Comparison>();
    const compared = (past: string, similarity: number) => {
      let comparison = comparisons.get(past);
      if (!comparison) {
        comparison = compare(task, prepared(past), similarity);
        comparisons.set(past, comparison);
      }
      return comparison;
    };
    return {
      overlapWith: (past) => jaccard(task.words, prepared(past).words),
      isOwn: (past, similarity) => compared(past, similarity).relation !== 'alike',
      relate(past, similarity) {
        const comparison = compared(past, similarity);
        comparison.related ??= relate(task, prepared(past), comparison);
        return comparison.related;
      },
    };
  };
}

/** What the words and values of two tasks make likely, before it is asked whether they want the same. */
interface Comparison {
  relation: 'same' | 'variant' | 'alike';
  swaps: readonly Swap[];
  verbatim: boolean;
  wordForWord: boolean;
  isExchanged: boolean;
  leadsOtherwise: boolean;
  difference?: Difference;
  related?: Related;
}

function compare(task: Task, past: Task, similarity: number): Comparison {
  const leadsOtherwise = leads(task, past) && leads(past, task);
  const plainly = { swaps: [], verbatim: true, wordForWord: true, isExchanged: false, leadsOtherwise };
  if (task.plain === past.plain) return { ...plainly, relation: 'same' };
  const swaps = swapsBetween(past.tokens, task.tokens);
  if (Array.isArray(swaps)) return { ...plainly, relation: 'variant', swaps };
  const otherwise = { ...plainly, verbatim: false, isExchanged: swaps === 'exchanged' };
  if (!giveTheSame(task.tokens, past.tokens)) return { ...otherwise, relation: 'alike', wordForWord: false };
  if (agree(task.words, past.words) || isParaphrase(task, past, similarity))
    return { ...otherwise, relation: 'same', wordForWord: jaccard(task.words, past.words) === 1 };
  const difference = differenceOf(task, past, similarity);
  return { ...otherwise, relation: 'alike', wordForWord: false, ...(difference && { difference }) };
}

function relate(task: Task, past: Task, { isExchanged, ...likely }: Comparison): Related {
  if (task.plain === past.plain) return { ...likely, agrees: true };
  const senses = isExchanged ? 'opposed' : compareReadings(task.senses(), past.senses());
  if (senses === 'opposed' || senses === 'excepts') return { ...likely, relation: 'none', agrees: false };
  const agrees = senses === 'agree';
  if (likely.relation === 'variant') return { ...likely, agrees: true };
  return agrees ? { ...likely, agrees } : { ...likely, agrees, relation: 'alike', wordForWord: false };
}

function leads({ lead }: Task, { words }: Task): boolean {
  return lead !== undefined && !words.has(lead);
}

function isParaphrase(task: Task, past: Task, similarity: number): boolean {
  const [a, b] = [task.words, past.words];
  const shared = sharedWords(a, b);
  const fewer = Math.min(a.size, b.size);
  if (similarity < paraphrase.similarity || shared < Math.max(fewestWords, fewer * paraphrase.fewest)) return false;
  // What only one of them asks for makes two tasks, and so does one word in the place of another: changed files, read files.
  const [onlyHere, onlyThere] = [a.size - shared, b.size - shared];
  return onlyHere > 0 && onlyThere > 0 && onlyHere + onlyThere > 2;
}

function differenceOf(task: Task, past: Task, similarity: number): Difference | undefined {
  const fewest = oneWord.fewest * Math.max(task.words.size, past.words.size);
  if (similarity < oneWord.similarity || sharedWords(task.words, past.words) < fewest) return undefined;
  const [[here, ...more], [there, ...others]] = [onlyIn(task, past), onlyIn(past, task)];
  return here === undefined || there === undefined || more.length + others.length > 0 ? undefined : { here, there };
}

function onlyIn({ tokens }: Task, { words }: Task): string[] {
  const texts = tokens.filter(({ text }) => [...meaningWords(text)].some((word) => !words.has(word)));
  return [...new Set(texts.map(({ text }) => text.toLowerCase()))];
}

/** Whether each value of the one task is given in the other too. */
function giveTheSame(a: readonly Token[], b: readonly Token[]): boolean {
  return hasAll(a, b) && hasAll(b, a);
}

function hasAll(these: readonly Token[], others: readonly Token[]): boolean {
  const texts = new Set(others.map(({ text }) => text));
  const words = new Set(others.map(({ word }) => word));
  return these.every(
    ({ kind, text, word }) => kind === 'word' || texts.has(text) || (kind === 'name' && words.has(word)),
  );
}

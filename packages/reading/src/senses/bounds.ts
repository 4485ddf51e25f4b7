import { monthOf } from '../values/dates.js';
import { afterWords, beforeWords } from './relations.js';
import { stemOf, type TaskWord } from './task-words.js';

/** How a task limits a value: "before 2024", "since 2024", "in 2024". */
export type Bound = 'up to' | 'from' | 'at';

const words = (text: string) => text.split(' ');
const orders = new Map<string, Bound>([
  ...[...beforeWords, 'hasta'].map((word) => [word, 'up to'] as const),
  ...[...afterWords, 'nach', 'depuis'].map((word) => [word, 'from'] as const),
]);
/** Of numbers and dates; a path stands behind "under" as well. */
const amounts = new Map<string, Bound>([
  ...orders,
  ...words('below under within last past letzten derniers dernieres ultimos ultimas ultimi ultime').map(
    (word) => [word, 'up to'] as const,
  ),
  ...words('above over exceeding').map((word) => [word, 'from'] as const),
  ...words('in of on at during for exactly im am en').map((word) => [word, 'at'] as const),
]);
/** "Up to 5", "prior to 5", "at least 5", "older than 5" */
const pairs = new Map<string, Bound>([
  ['up to', 'up to'],
  ['prior to', 'up to'],
  ['at most', 'up to'],
  ['at least', 'from'],
  ...words('less fewer smaller shorter lower younger newer').map((word) => [`${word} than`, 'up to'] as const),
  ...words('more greater larger bigger longer higher older').map((word) => [`${word} than`, 'from'] as const),
  ...words('weniger kleiner kurzer junger neuer').map((word) => [`${word} als`, 'up to'] as const),
  ...words('mehr grosser langer alter').map((word) => [`${word} als`, 'from'] as const),
  ...words('moins menos').map((word) => [`${word} de`, 'up to'] as const),
  ...words('plus mas').map((word) => [`${word} de`, 'from'] as const),
]);
const turnsRound = new Set(words('no not'));
const goesOn = new Set(words('to on onward onwards until till through bis'));
/** These may stand between: "before the end of March 2024". */
const between = new Set(words('the a an year month day week end start beginning'));
const mostBetween = 5;

export interface Bounded {
  /** Undefined if no preposition stands before the value. */
  bound: Bound | undefined;
  /** Stem of the word before the value and its preposition. */
  behind: string;
}

/** Of each month, and each value with a digit. */
export function boundsOf(task: readonly TaskWord[]): Map<string, Bounded> {
  const values = [...task.entries()].filter(([, { word, isValue }]) => (isValue ? /\d/.test(word) : monthOf(word)));
  return new Map(values.map(([at, { stem }]) => [stem, boundedAt(task, at)]));
}

function boundedAt(task: readonly TaskWord[], at: number): Bounded {
  const wordAt = (place: number) => (task[place]?.isValue || task[place]?.ends ? '' : (task[place]?.word ?? ''));
  let place = at - 1;
  const skips = () =>
    between.has(wordAt(place)) || monthOf(wordAt(place)) || (wordAt(place) === 'of' && between.has(wordAt(place - 1)));
  while (place > at - mostBetween && skips()) place--;
  const word = wordAt(place);
  const pair = pairs.get(`${wordAt(place - 1)} ${word}`);
  if (pair && turnsRound.has(wordAt(place - 2)))
    return { bound: pair === 'from' ? 'up to' : 'from', behind: stemOf(wordAt(place - 3)) };
  if (pair) return { bound: pair, behind: stemOf(wordAt(place - 2)) };
  const bound = isAmount(task[at]) ? (word === 'from' ? fromAt(task, at) : amounts.get(word)) : orders.get(word);
  return { bound, behind: stemOf(bound ? wordAt(place - 1) : word) };
}

function isAmount(word: TaskWord | undefined): boolean {
  return !word?.isValue || /^\d/.test(word.word);
}

/** "From 2023" is a date, "from 2023 to 2024" the start of a range. */
function fromAt(task: readonly TaskWord[], at: number): Bound {
  return goesOn.has(task[at + 1]?.word ?? '') ? 'from' : 'at';
}

type Bounds = ReadonlyMap<string, Bounded>;

/** Whether the same value, or the values in its place, are limited in different ways. */
export function boundsDiffer(a: Bounds, b: Bounds): boolean {
  if ([...a].some(([value, one]) => differ(one, b.get(value) ?? one))) return true;
  const [own, other] = [left(a, b), left(b, a)];
  return own.length === other.length && own.join() !== other.join();
}

/** Without a preposition, another word may say the same: "exceeding 5", "over 5". Not in "pay 5", "pay up to 5". */
function differ(one: Bounded, other: Bounded): boolean {
  if (one.bound === other.bound) return false;
  return (one.bound !== undefined && other.bound !== undefined) || (one.behind !== '' && one.behind === other.behind);
}

function left(these: Bounds, those: Bounds): string[] {
  return [...these].flatMap(([value, { bound }]) => (those.has(value) ? [] : (bound ?? []))).sort();
}

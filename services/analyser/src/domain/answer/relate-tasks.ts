import {
  agree,
  compareReadings,
  directionsDiffer,
  jaccard,
  memoizeByText,
  rolesDiffer,
  type Senses,
  sharedWords,
} from '@whetstone/reading';

import { contrastInOtherWords, contrastOf, contrastOfSwaps, type Difference, differenceOf } from './contrast.js';
import { isSlot } from './slots.js';
import { minSharedWords, type Swap, swapsBetween } from './swap-values.js';
import { type Clause, meaningWords, once, prepare, type Task, type Token } from './task-words.js';

export interface Related {
  /** `variant`: same wording, other values. `similar`: a related task. `none`: its lessons could do harm. */
  relation: 'same' | 'variant' | 'similar' | 'none';
  /** For a variant. */
  swaps: readonly Swap[];
  /** The same text except for case, whitespace and punctuation. */
  verbatim: boolean;
  /** Both texts contain the same words that carry meaning, equally often, and none has changed places. */
  wordForWord: boolean;
  /** Both clearly ask for the same kind of thing. */
  sameIntent: boolean;
  /** One asks about, or reports, what the other wants to be done: "Who deleted it?", "Delete it". */
  isAboutOther(): boolean;
  /** In another language than English they have other words or names, or a number is that of another kind of thing. */
  isReworded(): boolean;
  /** How many of the two texts start with a verb that the other lacks. */
  ownVerbs: number;
  /** The new task is a single clause that has the past one's verb under one of its own: "reverse the refund". */
  isGoverned: boolean;
  /** Plain words of the past task that the new one lacks. */
  lost: readonly string[];
  /** Plain words of the new task that the past one lacks. */
  added: readonly string[];
  /** Both have a clause with the same plain words, two or more. */
  sharesClause(): boolean;
  /** All that the past task says and more, or one of its clauses and a further wish: "as a draft". */
  saysMore(): boolean;
  /** It may want only a part of what the past task is about: "one message", for "all messages". */
  isPart(): boolean;
  /** Both are a single clause, and the new one has more words or values: "the comments of user 7", "user 7". */
  more: 'words' | 'values' | undefined;
  /** Both name the same thing: "order 7", "Ann". */
  namesSame(): boolean;
  /** Each has the words that the other's clauses begin with: both "block the card and post another". */
  wishesSame(): boolean;
  /** One has a particle that the other lacks: "scale to 5", "scale up by 5". */
  particlesDiffer(): boolean;
  /** "To Norway", "from Norway" */
  directionsDiffer(): boolean;
  /** They name the same things, and these tell: a path, a pattern, two numbers, but not a single short number. */
  sharesThings: boolean;
  /** For similar tasks that differ in a single word. */
  difference?: Difference;
  /**
   * What either task says alone, if that is little. Where they are the same in other words, only what the longer one adds, and
   * small words that may turn it round.
   */
  contrast(): Difference | undefined;
}

export interface TaskRelations {
  /** Whether the new task is in another language than English. */
  isForeign(): boolean;
  /** Whether it has small words of English. */
  isEnglish(): boolean;
  /** How many things it may ask for. */
  wishes(): number;
  /** Jaccard overlap of the words. Cheaper than `relate`, as is `isSameOrVariant`. */
  overlapWith(past: string): number;
  /** Before intents are compared, so `relate` may still say `similar` or `none`. */
  isSameOrVariant(past: string, similarity: number): boolean;
  relate(past: string, similarity: number): Related;
}

/** A paraphrase has at least this similarity, and shares this part of the shorter text's words. */
const paraphrase = { similarity: 0.8, shared: 0.5 };
/** Least similarity of tasks that may want the same because they name the same things; and if one names more of them. */
const sameThings = { all: 0.7, some: 0.85 };
/** Shorter values, such as a number of days, are in many tasks. */
const tellingChars = 3;

/** A new task, to be compared with those of past runs. */
export interface AskedTask {
  /** Reads what most comparisons need. Otherwise it is read on first use. */
  read(): void;
  relationsTo(found?: readonly string[]): TaskRelations;
}

/** Compares the tasks of past runs with a new one; parsed texts and comparisons are cached. */
export function createRelateTasks(): (text: string) => AskedTask {
  const prepared = memoizeByText(prepare);

  function relationsOf(text: string, task: () => Task, found: readonly string[]): TaskRelations {
    const asLong = once(() => [...new Set(found)].filter((other) => piecesIn(other) === piecesIn(text)).map(prepared));
    const comparisons = new Map<string, Comparison>();
    const compared = (past: string, similarity: number) => {
      let comparison = comparisons.get(past);
      if (!comparison) {
        comparison = compare(task(), prepared(past), similarity, asLong);
        comparisons.set(past, comparison);
      }
      return comparison;
    };
    return {
      isForeign: () => task().isForeign,
      isEnglish: () => task().isEnglish,
      wishes: () => task().wishes().size,
      overlapWith: (past) => jaccard(task().words, prepared(past).words),
      isSameOrVariant: (past, similarity) => compared(past, similarity).relation !== 'similar',
      relate(past, similarity) {
        const comparison = compared(past, similarity);
        comparison.related ??= relate(task(), prepared(past), comparison);
        return comparison.related;
      },
    };
  }

  return (text) => {
    const task = once(() => prepare(text));
    return {
      read: () => void task().senses(),
      relationsTo: (found = []) => relationsOf(text, task, found),
    };
  };
}

function piecesIn(text: string): number {
  return text.trim().split(/\s+/).length;
}

/** What the words and values of two tasks suggest, before their intents are compared. */
interface Comparison extends Omit<Related, 'relation' | 'sameIntent'> {
  relation: Exclude<Related['relation'], 'none'>;
  isExchanged: boolean;
  related?: Related;
}

function compare(task: Task, past: Task, similarity: number, asLong: () => readonly Task[]): Comparison {
  const added = task.plainWords.filter((word) => !past.words.has(word));
  const lost = past.plainWords.filter((word) => !task.words.has(word));
  const isForeign = task.isForeign || past.isForeign;
  const words = {
    isAboutOther: once(() => task.plain !== past.plain && isAboutOther(task, past)),
    ownVerbs: Number(hasOwnVerb(task, past)) + Number(hasOwnVerb(past, task)),
    isGoverned: task.isOneClause && hasOwnVerb(task, past) && !hasOwnVerb(past, task),
    isReworded: () => isForeign && task.spelling() !== past.spelling(),
    lost,
    added,
    sharesClause: once(() => sharesClause(task, past)),
    saysMore: once(
      () => (lost.length === 0 && asksMore(task, past)) || (sharesClause(task, past) && hasOwnWish(task, past)),
    ),
    isPart: once(() => isPart(task, past)),
    more: task.isOneClause && past.isOneClause ? moreIn(task, past, added) : undefined,
    directionsDiffer: () => directionsDiffer(task.senses().roles, past.senses().roles),
    particlesDiffer: () => particlesDiffer(task.senses(), past.senses()),
    contrast: () => undefined,
    wishesSame: once(() => hasWishes(task, past) && hasWishes(past, task)),
    namesSame: () => [...valuesOf(task)].some((value) => /^\p{Lu}|\p{N}/u.test(value) && valuesOf(past).has(value)),
  };
  const equal = { ...words, swaps: [], verbatim: true, wordForWord: true, isExchanged: false, sharesThings: false };
  if (task.plain === past.plain) return { ...equal, relation: 'same' };
  const found = swapsBetween(past.tokens, task.tokens, (at) => isSlot(at, { task, past, others: asLong }));
  const swaps = Array.isArray(found) ? found : [];
  if (swaps.length > 0 && !namesOther(swaps))
    return { ...equal, relation: 'variant', swaps, contrast: () => contrastOfSwaps(swaps) };
  const [inPast, inTask] = [hasAll(task, past), hasAll(past, task)];
  const sharesThings = areSameThings(inPast ? task : past, {
    all: inPast && inTask,
    some: inPast || inTask,
    similarity,
  });
  const isReordered = agree(task.counts, past.counts);
  const different = {
    ...equal,
    swaps,
    verbatim: false,
    isExchanged: found === 'exchanged' || (isReordered && orderOf(task, past) === 'exchanged'),
    sharesThings,
  };
  const relation = swaps.length > 0 ? 'variant' : 'similar';
  const contrast = () => (swaps.length > 0 && !hasSlots(swaps) ? contrastOfSwaps(swaps) : contrastOf(task, past));
  if (!(inPast && inTask))
    return {
      ...different,
      contrast,
      relation,
      wordForWord: false,
      isReworded: () => words.isReworded() || (swaps.length === 0 && (isForeign || kindsDiffer(task, past))),
    };
  if (isReordered || isParaphrase(task, past, similarity)) {
    const contrast = () => contrastInOtherWords(task, past);
    return { ...different, relation: 'same', wordForWord: areWordForWord(task, past), contrast };
  }
  const difference = differenceOf(task, past, similarity);
  return { ...different, contrast, relation, wordForWord: false, ...(difference && { difference }) };
}

/** Whether a plain word is swapped, which might be no name after all, or hardly matter to the action. */
export function namesOther(swaps: readonly Swap[]): boolean {
  return swaps.some(([, , form]) => form === 'named') || hasSlots(swaps);
}

function hasSlots(swaps: readonly Swap[]): boolean {
  return swaps.some(([, , form]) => form === 'slot');
}

function relate(task: Task, past: Task, { isExchanged, ...likely }: Comparison): Related {
  if (task.plain === past.plain) return { ...likely, sameIntent: true };
  const senses = isExchanged ? 'opposed' : compareReadings(task.senses(), past.senses());
  if (senses === 'opposed' || senses === 'excepts') return { ...likely, relation: 'none', sameIntent: false };
  const sameIntent = senses === 'agree';
  if (likely.relation === 'variant' && !namesOther(likely.swaps)) return { ...likely, sameIntent: true };
  return sameIntent ? { ...likely, sameIntent } : { ...likely, sameIntent, relation: 'similar', wordForWord: false };
}

function areWordForWord(task: Task, past: Task): boolean {
  const isAsOften = [...task.counts].every(([word, count]) => past.counts.get(word) === count);
  if (!isAsOften || task.counts.size !== past.counts.size) return false;
  const [now, then] = [task.senses(), past.senses()];
  return !areMoved(task, past) && !rolesDiffer(now.roles, then.roles) && !particlesDiffer(now, then);
}

function particlesDiffer({ particles: a }: Senses, { particles: b }: Senses): boolean {
  return a.size !== b.size || [...a].some((particle) => !b.has(particle));
}

/** More words that differ are another wording. */
const mostMoved = 3;

/**
 * Whether words have changed places, or small words are others: "above", "below"; "ours", "theirs". Items of a list may
 * change places.
 */
function areMoved(task: Task, past: Task): boolean {
  const order = orderOf(task, past);
  return order === 'exchanged' || order === 'moved';
}

/** `exchanged`: two words or phrases, as in "divide costs by heads". */
function orderOf({ tokens: task }: Task, { tokens: past }: Task): 'exchanged' | 'moved' | 'list' | 'reworded' | 'same' {
  const [now, then] = [meaningsOf(task), meaningsOf(past)];
  if (now.length !== then.length) return 'same';
  const moved = now.flatMap((word, at) => (word === then[at] ? [] : at));
  if (moved.length === 0) return 'same';
  const half = moved.length / 2;
  const [first, second] = [moved.slice(0, half), moved.slice(half)];
  const between = now.slice((first.at(-1) ?? 0) + 1, second[0]);
  if (between.length > 0 && first.length === second.length && areSwapped(first, second, now, then))
    return between.every((word) => joins.has(word)) ? 'list' : 'exchanged';
  return moved.length > mostMoved ? 'reworded' : 'moved';
}

function areSwapped(
  first: readonly number[],
  second: readonly number[],
  now: readonly string[],
  then: readonly string[],
): boolean {
  return first.every((at, index) => {
    const other = second[index] ?? at;
    return now[at] === then[other] && now[other] === then[at];
  });
}

function meaningsOf(tokens: readonly Token[]): string[] {
  return tokens.flatMap(({ text, word }) => (grammatical.has(word) ? [] : ([...meaningWords(text)][0] ?? word)));
}

/** Which of them stands before a noun hardly matters, nor whether it "is owned" or "being owned". */
const grammatical = new Set('a an the this that these those which all any each every is are being'.split(' '));
const joins = new Set(['and', 'or', 'und', 'oder', 'et', 'ou', 'y', 'o']);

function hasWishes({ words, tokenWords }: Task, other: Task): boolean {
  return [...other.wishes()].every((wish) => words.has(wish) || tokenWords.has(wish));
}

function sharesClause(task: Task, past: Task): boolean {
  const [now, then] = [task, past].map((one) =>
    one.clauses().flatMap(({ words }) => (words.length > 1 ? words.join(' ') : [])),
  );
  return sharedWords(new Set(now), new Set(then)) > 0;
}

function asksMore(task: Task, { words: known }: Task): boolean {
  return task.clauses().some(({ words, isStatement }) => !isStatement && words.some((word) => !known.has(word)));
}

function hasOwnWish(task: Task, { words: known, clauses }: Task): boolean {
  const isOwn = ({ words, isStatement }: Clause) => !isStatement && !words.some((word) => known.has(word));
  return task.clauses().length > clauses().length && task.clauses().some(isOwn);
}

const whole = new Set(
  'all every each everything everyone entire whole alle allen aller alles jede jeden jedes jeder sämtliche tous tout toute toutes chaque todo toda todos todas cada tutti tutte tutto ogni'.split(
    ' ',
  ),
);
const partial = new Set(
  'one some several few half certain these those einige manche quelques certains certaines unos unas algunos algunas alcuni alcune alguns algumas'.split(
    ' ',
  ),
);

function isPart(task: Task, past: Task): boolean {
  const says = ({ tokenWords }: Task, words: ReadonlySet<string>) => [...words].some((word) => tokenWords.has(word));
  if (!says(past, whole) || says(task, whole)) return false;
  return says(task, partial) || task.things.length > past.things.length || task.words.size > past.words.size;
}

function hasOwnVerb({ verb }: Task, { words }: Task): boolean {
  return verb !== undefined && !words.has(verb);
}

/** "Rechnung 900", "Mahnung 900" */
function kindsDiffer({ tokens: now }: Task, { tokens: then }: Task): boolean {
  const kindOf = (tokens: readonly Token[], number: string) => {
    const before = tokens[tokens.findIndex(({ text }) => text === number) - 1];
    return before?.kind === 'name' ? before.word : undefined;
  };
  const shared = now.filter(({ text }) => /^\d+$/.test(text) && then.some((other) => other.text === text));
  return shared.some(({ text }) => kindOf(now, text) !== kindOf(then, text));
}

function moreIn(task: Task, past: Task, added: readonly string[]): Related['more'] {
  if (added.length > 0) return 'words';
  return task.things.length > past.things.length ? 'values' : undefined;
}

function valuesOf({ things }: Task): Set<string> {
  return new Set(things.map(({ text }) => text));
}

function isAboutOther(task: Task, past: Task): boolean {
  return task.isQuestion() !== past.isQuestion() || reports(task, past) || reports(past, task);
}

const reporting = new Set('was were been got i we he she they someone somebody'.split(' '));
const pastForm = /ed$/;

/** "It was deleted", "we have deleted it": the verb of the other task in the past. */
function reports({ tokens }: Task, { verb }: Task): boolean {
  return tokens.some(
    ({ text, word }, at) =>
      pastForm.test(word) &&
      meaningWords(text).has(verb ?? '') &&
      tokens.slice(Math.max(0, at - 2), at).some((before) => reporting.has(before.word)),
  );
}

function isParaphrase(task: Task, past: Task, similarity: number): boolean {
  const [a, b] = [task.words, past.words];
  const shared = sharedWords(a, b);
  const fewer = Math.min(a.size, b.size);
  if (similarity < paraphrase.similarity || shared < Math.max(minSharedWords, fewer * paraphrase.shared)) return false;
  // An extra wish makes another task, and so does a single replaced word: changed files, read files.
  const [onlyHere, onlyThere] = [a.size - shared, b.size - shared];
  return onlyHere > 0 && onlyThere > 0 && onlyHere + onlyThere > 2;
}

interface SharedThings {
  all: boolean;
  /** One of the tasks names all of the other's. */
  some: boolean;
  similarity: number;
}

/** Whether the tasks may want the same because of what the one with fewer things names. */
function areSameThings({ things }: Task, { all, some, similarity }: SharedThings): boolean {
  if (!some || similarity < (all ? sameThings.all : sameThings.some)) return false;
  const values = new Set(things.flatMap(({ kind, text }) => (kind === 'value' ? text : [])));
  return values.size > 1 || [...values].some(({ length }) => length >= tellingChars);
}

/** Whether the other task has all names and values of this one. */
function hasAll({ things }: Task, { texts, tokenWords }: Task): boolean {
  return things.every(({ kind, text, word }) => texts.has(text) || (kind === 'name' && tokenWords.has(word)));
}

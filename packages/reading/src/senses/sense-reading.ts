import { type Taking, takingOf } from './exceptions.js';
import { type Counts, opposites, otherSide, type Sense, type Side, sensesOfRoot } from './opposites.js';
import { type Relation, relationsOf } from './relations.js';
import {
  isContent,
  isJoin,
  isLink,
  phraseBefore,
  phraseFrom,
  rootOfWritten,
  type TaskWord,
  taskWords,
} from './task-words.js';

/** What a task says about one row of opposites. */
export interface Sides {
  row: number;
  /** Objects of each side; undefined if that side is not mentioned. */
  one?: Set<string>;
  other?: Set<string>;
  leads: Side;
  /** The stems that express it. */
  said: Set<string>;
}

export interface Exception {
  taking: Taking;
  roots: Set<string>;
  hasValue: boolean;
  /** A statement of fact that excludes nothing: "I do not know", "it does not open". */
  isStatement: boolean;
}

/** A task read for comparison. */
export interface Senses {
  /** Normalised wording, to detect identical tasks. */
  spelling: string;
  length: number;
  /** Mostly Latin script; other scripts cannot be compared. */
  isReadable: boolean;
  /** Stems it is about, minus what it excludes. */
  about: Set<string>;
  values: Set<string>;
  /** Negated stems. */
  denied: Set<string>;
  sides: Map<string, Sides>;
  exceptions: Exception[];
  relations: Relation[];
}

const nearby = 5;
const longestException = 8;
/** Tasks with more exceptions count as unreadable. */
const mostExceptions = 60;
/** Words allowed between "not" and the word it negates. */
const fillers = new Set(
  'be been being is are was were have has had do does did to a an the any yet already currently longer also really ever get'.split(
    ' ',
  ),
);
/** "Not only", "do not forget": phrases that negate nothing. */
const idle = new Set('only forget hesitate matter problem sure worry just necessarily'.split(' ').map(rootOfWritten));
const speakers = new Set(['i', 'we', 'it', 'ich', 'wir', 'es', 'je', 'nous', 'yo']);
const wholes = new Set(['all', 'every', 'each', 'any', 'everything', 'anything', 'everyone', 'anyone']);
const conditions = new Set(['if', 'when', 'where', 'wenn', 'falls', 'si', 'quand', 'cuando']);
const untouched = new Set(['alone', 'untouched', 'intact', 'unchanged', 'as', 'out']);
const articles = new Set('the a an my your his her its our their this that these those'.split(' '));
const nounEndings = ['ing', 'ion', 'al'];
const keeping: Sense = { row: 0, side: 'other' };

export function readSenses(text: string): Senses {
  const words = taskWords(text);
  const reading = createReading(words);
  for (let at = 0; at < words.length; at++) at = reading.at(at);
  const found = reading.found();
  return {
    spelling: words.map(({ word }) => word).join(' '),
    length: words.length,
    isReadable: isReadable(text) && found.exceptions.length <= mostExceptions,
    ...found,
    relations: relationsOf(words),
  };
}

function isReadable(text: string): boolean {
  const read = text.slice(0, 2_000);
  const letters = read.match(/\p{L}/gu)?.length ?? 0;
  const latin = read.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return latin * 2 >= letters;
}

function isNumber(word: TaskWord | undefined): boolean {
  return word?.isValue === true && /\d/.test(word.word);
}

function createReading(words: readonly TaskWord[]) {
  const sides = new Map<string, Sides>();
  const exceptions: Exception[] = [];
  const about = new Set<string>();
  const values = new Set<string>();
  /** Indexes of words that are negated, excluded, or whose sense is ignored. */
  const denied = new Set<number>();
  const leftOut = new Set<number>();
  const unsaid = new Set<number>();

  return { at: readAt, found };

  function found() {
    const kept = exceptions.filter(({ taking }) => taking === 'except');
    // Deleting all but some means keeping those.
    if (sides.get(String(keeping.row))?.one && kept.length > 0)
      for (const { roots } of kept) addSide(String(keeping.row), keeping.row, keeping.side, roots, '');
    return { sides, exceptions, about, values, denied: new Set([...denied].map(rootAt)) };
  }

  /** Returns the index of the last word read. */
  function readAt(at: number): number {
    const word = words[at] as TaskWord;
    if (!word.isValue) {
      const two = word.ends ? '' : `${word.root} ${rootAt(at + 1)}`;
      const taken = takingAt(at);
      if (taken) return takeOut(taken.taking, at, taken.length);
      if (word.root === 'leav' && leaveAlone(at)) return at;
      if (sensesOfRoot(two).length > 0) {
        addSenses(sensesOfRoot(two), at, 2);
        return at + 1;
      }
      addSenses(sensesOfRoot(word.root), at, 1);
    }
    if (!isContent(word) || isLink(word) || leftOut.has(at) || denied.has(at)) return at;
    about.add(word.root);
    if (word.isValue) values.add(word.root);
    return at;
  }

  function takingAt(at: number): { taking: Taking; length: number } | undefined {
    const word = words[at];
    if (!word || word.isValue) return undefined;
    if (word.word === 'but' && followsAll(at)) return { taking: 'except', length: 1 };
    const byTwo = word.ends ? undefined : takingOf('', `${word.root} ${rootAt(at + 1)}`);
    const taking = byTwo ?? takingOf(word.word, word.root);
    return taking && { taking, length: byTwo ? 2 : 1 };
  }

  /** "All users but root": "but" excludes only after a word for all. */
  function followsAll(at: number): boolean {
    for (let before = at - 1; before >= at - nearby && !words[before]?.ends; before--)
      if (wholes.has(words[before]?.word ?? '')) return true;
    return false;
  }

  function rootAt(at: number): string {
    const word = words[at];
    return word && !word.isValue ? word.root : '';
  }

  function takeOut(taking: Taking, at: number, length: number): number {
    const last = at + length - 1;
    if (words[last]?.ends) return takeOutBefore(taking, at, last);
    if (taking === 'not') {
      const next = afterFillers(last + 1);
      if (idle.has(rootAt(next))) return last;
      if (isSense(next)) {
        denied.add(next);
        return last;
      }
    }
    const most = words[at]?.word === 'non' ? 1 : longestException;
    const object = phraseFrom(words, last + 1, { most, overLinks: true, endsAt: beginsAnother });
    if (object.roots.size === 0) return takeOutBefore(taking, at, last);
    addException(taking, at, object.roots, last + 1, object.end);
    return last;
  }

  /** "Admins excluded", "die Dateien nicht": the exclusion follows its object. */
  function takeOutBefore(taking: Taking, at: number, last: number): number {
    const object = phraseBefore(words, at, nearby);
    if (words[at]?.word !== 'no' && object.roots.size > 0) addException(taking, at, object.roots, at, at);
    return last;
  }

  function addException(
    taking: Taking,
    at: number,
    roots: Set<string>,
    from: number,
    end: number,
    isKept = false,
  ): void {
    const isStatement = taking === 'not' && clauseBefore(at, 3, speakers) && !clauseBefore(at, 4, conditions);
    const hasValue = words.slice(from, end).some(({ isValue, root }) => isValue && roots.has(root));
    exceptions.push({ taking, roots, hasValue, isStatement });
    for (let place = from; place < end; place++) {
      leftOut.add(place);
      // Keeping something is also a request about it.
      if (!isKept) unsaid.add(place);
    }
  }

  /** "Leave the cache alone" */
  function leaveAlone(at: number): boolean {
    const object = phraseFrom(words, at + 1, {
      most: longestException,
      endsAt: (place) => untouched.has(words[place]?.word ?? ''),
    });
    if (object.roots.size === 0 || !untouched.has(words[object.end]?.word ?? '')) return false;
    addException('except', at, object.roots, at + 1, object.end);
    return true;
  }

  function afterFillers(from: number): number {
    let at = from;
    while (at < from + 3 && fillers.has(words[at]?.word ?? '') && !words[at]?.ends) at++;
    return at;
  }

  function isSense(at: number): boolean {
    const root = rootAt(at);
    return sensesAt(root, at).length > 0 || sensesAt(`${root} ${rootAt(at + 1)}`, at).length > 0;
  }

  function sensesAt(root: string, at: number): readonly Sense[] {
    return sensesOfRoot(root).filter(({ row }) => {
      const counts = opposites[row]?.counts;
      return counts === undefined || counts === 'with its verb' || stands(counts, at, root.includes(' ') ? 2 : 1);
    });
  }

  /** "… except a and restart b": the exception ends where another request begins. */
  function beginsAnother(at: number): boolean {
    const before = words[at - 1];
    return before !== undefined && isJoin(before) && isSense(at);
  }

  function stands(counts: Counts | undefined, at: number, length: number): boolean {
    if (counts === 'before a number') return isNumber(words[at + length]);
    if (counts === 'at the end') return words[at]?.ends === true || at === words.length - 1;
    return true;
  }

  function addSenses(found: readonly Sense[], at: number, length: number): void {
    if (found.length === 0 || unsaid.has(at) || isNoun(at, length) || isTold(at)) return;
    for (const sense of found) {
      const { counts, things } = opposites[sense.row] ?? {};
      if (!stands(counts, at, length) || things?.includes(words[at]?.word ?? '')) continue;
      const side = denied.has(at) ? otherSide(sense.side) : sense.side;
      const object = objectAt(at, length);
      if (sense.row === keeping.row && side === keeping.side) keep(at, length);
      for (const key of keysOf(sense.row, counts, at)) addSide(key, sense.row, side, object, rootAt(at));
    }
  }

  /** "Turn on" counts for "turn" only. */
  function keysOf(row: number, counts: Counts | undefined, at: number): string[] {
    if (counts !== 'with its verb') return [String(row)];
    return [...phraseBefore(words, at, 3).roots].map((root) => `${row} ${root}`);
  }

  function addSide(key: string, row: number, side: Side, object: ReadonlySet<string>, said: string): void {
    const known: Sides = sides.get(key) ?? { row, leads: side, said: new Set() };
    known.said.add(said);
    const of = known[side] ?? new Set<string>();
    for (const root of object) of.add(root);
    known[side] = of;
    sides.set(key, known);
  }

  function objectAt(at: number, length: number): Set<string> {
    const after = phraseFrom(words, at + length, { most: nearby, endsAt: (place) => takingAt(place) !== undefined });
    return words[at + length - 1]?.ends || after.roots.size === 0 ? phraseBefore(words, at, 3).roots : after.roots;
  }

  /** Whatever is kept is excluded from the rest of the task. */
  function keep(at: number, length: number): void {
    if (words[at + length - 1]?.ends) return;
    const object = phraseFrom(words, at + length, { most: longestException, overLinks: true, endsAt: beginsAnother });
    if (object.roots.size > 0) addException('except', at, object.roots, at + length, object.end, true);
  }

  /** "I booked a room": past events are not requests. */
  function isTold(at: number): boolean {
    const { word = '' } = words[at] ?? {};
    return ['ed', 'ought', 'old'].some((ending) => word.endsWith(ending)) && clauseBefore(at, 3, speakers);
  }

  function clauseBefore(at: number, most: number, those: ReadonlySet<string>): boolean {
    for (let place = at - 1; place >= 0 && place >= at - most && !words[place]?.ends; place--) {
      if (those.has(words[place]?.word ?? '')) return true;
    }
    return false;
  }

  /** "The deletion" is a noun; "deleting the room" is an action. */
  function isNoun(at: number, length: number): boolean {
    const word = words[at + length - 1];
    if (!nounEndings.some((ending) => word?.word.endsWith(ending)) || !articles.has(words[at - 1]?.word ?? ''))
      return false;
    const next = words[at + length];
    return word?.ends || next === undefined || !isContent(next) || isLink(next);
  }
}

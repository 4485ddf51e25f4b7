import { type Bounded, boundsOf } from './bounds.js';
import { type ExceptionKind, exceptionKindOf } from './exceptions.js';
import { type Counts, opposites, otherSide, type Sense, type Side, sensesOfStem } from './opposites.js';
import { particlesOf } from './particles.js';
import { type Relation, relationsOf } from './relations.js';
import { rolesOf } from './roles.js';
import {
  isContent,
  isJoin,
  isLink,
  phraseBefore,
  phraseFrom,
  stemOfWritten,
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
  /** "Do not cancel it": there is no telling what it has to do with a task that is about something else. */
  isForbidden?: boolean;
  /** The stems that express it. */
  said: Set<string>;
}

export interface Exception {
  kind: ExceptionKind;
  stems: Set<string>;
  hasValue: boolean;
  /** A statement of fact that excludes nothing: "I do not know", "it does not open". */
  isStatement: boolean;
}

/** A task read for comparison. */
export interface Senses {
  /** In lower case. */
  written: string;
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
  /** Of its months, and its values with a digit. */
  bounds: Map<string, Bounded>;
  roles: ReturnType<typeof rolesOf>;
  particles: Set<string>;
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
const emptyNegations = new Set(
  'only forget hesitate matter problem sure worry just necessarily'.split(' ').map(stemOfWritten),
);
const statementSubjects = new Set(['i', 'we', 'it', 'ich', 'wir', 'es', 'je', 'nous', 'yo']);
const quantifiers = new Set(
  'all every each any everything anything everyone anyone todo todos toda todas tudo'.split(' '),
);
const butWords = new Set(['but', 'menos']);
const conditions = new Set(['if', 'when', 'where', 'wenn', 'falls', 'si', 'quand', 'cuando']);
const untouched = new Set(['alone', 'untouched', 'intact', 'unchanged', 'as', 'out']);
const articles = new Set('the a an my your his her its our their this that these those'.split(' '));
const nounEndings = ['ing', 'ion', 'al'];
const keepSense: Sense = { row: 0, side: 'other' };

export function readSenses(text: string): Senses {
  const words = taskWords(text);
  const reading = createReading(words);
  for (let at = 0; at < words.length; at++) at = reading.at(at);
  const found = reading.found();
  return {
    written: text.toLowerCase(),
    spelling: words.map(({ word }) => word).join(' '),
    length: words.length,
    isReadable: isReadable(text) && found.exceptions.length <= mostExceptions,
    ...found,
    relations: relationsOf(words),
    bounds: boundsOf(words),
    roles: rolesOf(words),
    particles: particlesOf(words),
  };
}

function isReadable(text: string): boolean {
  const read = text.slice(0, 2_000);
  const letters = read.match(/\p{L}/gu)?.length ?? 0;
  const latin = read.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return latin * 2 >= letters;
}

function createReading(words: readonly TaskWord[]) {
  const sides = new Map<string, Sides>();
  const exceptions: Exception[] = [];
  const about = new Set<string>();
  const values = new Set<string>();
  /** Indexes of words that are negated, excluded, or whose sense is ignored. */
  const denied = new Set<number>();
  const forbidden = new Set<number>();
  const leftOut = new Set<number>();
  const unsaid = new Set<number>();

  return { at: readAt, found };

  function found() {
    const kept = exceptions.filter(({ kind }) => kind === 'except');
    // Deleting all but some means keeping those.
    if (sides.get(String(keepSense.row))?.one && kept.length > 0)
      for (const { stems } of kept) addSide(String(keepSense.row), keepSense.row, keepSense.side, stems, '');
    return { sides, exceptions, about, values, denied: new Set([...denied].map(stemAt)) };
  }

  /** Returns the index of the last word read. */
  function readAt(at: number): number {
    const word = words[at] as TaskWord;
    if (!word.isValue) {
      const two = word.ends ? '' : `${word.stem} ${stemAt(at + 1)}`;
      const taken = exceptionAt(at);
      if (taken) return exclude(taken.kind, at, taken.length);
      if (word.stem === 'leav' && leaveAlone(at)) return at;
      if (sensesOfStem(two).length > 0) {
        addSenses(sensesOfStem(two), at, 2);
        return at + 1;
      }
      addSenses(sensesOfStem(word.stem), at, 1);
    }
    if (!isContent(word) || isLink(word) || leftOut.has(at) || denied.has(at)) return at;
    about.add(word.stem);
    if (word.isValue) values.add(word.stem);
    return at;
  }

  function exceptionAt(at: number): { kind: ExceptionKind; length: number } | undefined {
    const word = words[at];
    if (!word || word.isValue) return undefined;
    if (butWords.has(word.word) && followsAll(at)) return { kind: 'except', length: 1 };
    const byTwo = word.ends ? undefined : exceptionKindOf('', `${word.stem} ${stemAt(at + 1)}`);
    const kind = byTwo ?? exceptionKindOf(word.word, word.stem);
    return kind && { kind, length: byTwo ? 2 : 1 };
  }

  /** "All users but root": "but" excludes only after a word for all. */
  function followsAll(at: number): boolean {
    for (let before = at - 1; before >= at - nearby && !words[before]?.ends; before--)
      if (quantifiers.has(words[before]?.word ?? '')) return true;
    return false;
  }

  function stemAt(at: number): string {
    const word = words[at];
    return word && !word.isValue ? word.stem : '';
  }

  function exclude(kind: ExceptionKind, at: number, length: number): number {
    const last = at + length - 1;
    if (words[last]?.ends) return excludeBefore(kind, at, last);
    if (kind === 'not') {
      const next = afterFillers(last + 1);
      if (emptyNegations.has(stemAt(next))) return last;
      if (isSense(next)) {
        denied.add(next);
        if (words[at - 1]?.word === 'do' && !isStatementAt(at)) forbidden.add(next);
        return last;
      }
    }
    const most = words[at]?.word === 'non' ? 1 : longestException;
    const object = phraseFrom(words, last + 1, { most, overLinks: true, endsAt: beginsAnother });
    if (object.stems.size === 0) return excludeBefore(kind, at, last);
    addException(kind, at, object.stems, last + 1, object.end);
    return last;
  }

  /** "Admins excluded", "die Dateien nicht": the exclusion follows its object. */
  function excludeBefore(kind: ExceptionKind, at: number, last: number): number {
    const object = phraseBefore(words, at, nearby);
    if (words[at]?.word !== 'no' && object.stems.size > 0) addException(kind, at, object.stems, at, at);
    return last;
  }

  function addException(
    kind: ExceptionKind,
    at: number,
    stems: Set<string>,
    from: number,
    end: number,
    isKept = false,
  ): void {
    const isStatement = kind === 'not' && isStatementAt(at);
    const hasValue = words.slice(from, end).some(({ isValue, stem }) => isValue && stems.has(stem));
    exceptions.push({ kind, stems, hasValue, isStatement });
    for (let place = from; place < end; place++) {
      leftOut.add(place);
      // Keeping something is also a request about it.
      if (!isKept) unsaid.add(place);
    }
  }

  function isStatementAt(at: number): boolean {
    return clauseBefore(at, 3, statementSubjects) && !clauseBefore(at, 4, conditions);
  }

  /** "Leave the cache alone" */
  function leaveAlone(at: number): boolean {
    const object = phraseFrom(words, at + 1, {
      most: longestException,
      endsAt: (place) => untouched.has(words[place]?.word ?? ''),
    });
    if (object.stems.size === 0 || !untouched.has(words[object.end]?.word ?? '')) return false;
    addException('except', at, object.stems, at + 1, object.end);
    return true;
  }

  function afterFillers(from: number): number {
    let at = from;
    while (at < from + 3 && fillers.has(words[at]?.word ?? '') && !words[at]?.ends) at++;
    return at;
  }

  function isSense(at: number): boolean {
    const stem = stemAt(at);
    return sensesAt(stem, at).length > 0 || sensesAt(`${stem} ${stemAt(at + 1)}`, at).length > 0;
  }

  function sensesAt(stem: string, at: number): readonly Sense[] {
    return sensesOfStem(stem).filter(({ row }) => {
      const counts = opposites[row]?.counts;
      return counts === undefined || counts === 'with its verb' || stands(counts, at);
    });
  }

  /** "… except a and restart b": the exception ends where another request begins. */
  function beginsAnother(at: number): boolean {
    const before = words[at - 1];
    return before !== undefined && isJoin(before) && isSense(at);
  }

  function stands(counts: Counts | undefined, at: number): boolean {
    if (counts === 'at the end') return words[at]?.ends === true || at === words.length - 1;
    return true;
  }

  function addSenses(found: readonly Sense[], at: number, length: number): void {
    if (found.length === 0 || unsaid.has(at) || isNoun(at, length) || isPastEvent(at)) return;
    for (const sense of found) {
      const { counts, things } = opposites[sense.row] ?? {};
      if (!stands(counts, at) || things?.includes(words[at]?.word ?? '')) continue;
      const side = denied.has(at) ? otherSide(sense.side) : sense.side;
      const object = objectAt(at, length);
      if (sense.row === keepSense.row && side === keepSense.side) keep(at, length);
      for (const key of keysOf(sense.row, counts, at)) {
        const added = addSide(key, sense.row, side, object, stemAt(at));
        if (forbidden.has(at)) added.isForbidden = true;
      }
    }
  }

  /** "Turn on" counts for "turn" only. */
  function keysOf(row: number, counts: Counts | undefined, at: number): string[] {
    if (counts !== 'with its verb') return [String(row)];
    return [...phraseBefore(words, at, 3).stems].map((stem) => `${row} ${stem}`);
  }

  function addSide(key: string, row: number, side: Side, object: ReadonlySet<string>, said: string): Sides {
    const known: Sides = sides.get(key) ?? { row, leads: side, said: new Set() };
    known.said.add(said);
    const of = known[side] ?? new Set<string>();
    for (const stem of object) of.add(stem);
    known[side] = of;
    sides.set(key, known);
    return known;
  }

  function objectAt(at: number, length: number): Set<string> {
    const after = phraseFrom(words, at + length, { most: nearby, endsAt: (place) => exceptionAt(place) !== undefined });
    return words[at + length - 1]?.ends || after.stems.size === 0 ? phraseBefore(words, at, 3).stems : after.stems;
  }

  /** Whatever is kept is excluded from the rest of the task. */
  function keep(at: number, length: number): void {
    if (words[at + length - 1]?.ends) return;
    const object = phraseFrom(words, at + length, { most: longestException, overLinks: true, endsAt: beginsAnother });
    if (object.stems.size > 0) addException('except', at, object.stems, at + length, object.end, true);
  }

  /** "I booked a room": past events are not requests. */
  function isPastEvent(at: number): boolean {
    const { word = '' } = words[at] ?? {};
    return ['ed', 'ought', 'old'].some((ending) => word.endsWith(ending)) && clauseBefore(at, 3, statementSubjects);
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

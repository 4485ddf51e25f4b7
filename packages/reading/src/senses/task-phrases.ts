import { isStopWord } from '../words.js';
import { isSmallLetter, rootOfWritten, type TaskWord } from './task-words.js';

/** Of other languages what English stop words are: a handful of articles and links is enough to see what a phrase is about. */
const smallWords = new Set(
  'der die das den dem des ein eine einen einer und oder le la les un une et ou el los las una il lo gli os um uma ne se qui que'.split(
    ' ',
  ),
);
const links = new Set(
  (
    'from to into onto -> in on at under inside within for with by using via as when while before after until where if so ' +
    'because then but that which who nach von mit zu aus fur unter im vom avec dans pour vers depuis con para por desde hasta en'
  ).split(' '),
);
const joins = new Set(['and', 'nor', 'und', 'oder', 'et', 'ou', 'y', 'o', 'e', 'ni']);
/** Says that there are things, not which. */
const generics = new Set(
  'file folder directory thing one item line row record entry rest everything anything every else datei alles tout todo tutto'
    .split(' ')
    .map(rootOfWritten),
);

export function isContent({ word, isValue }: TaskWord): boolean {
  return isValue || (!isStopWord(word) && !smallWords.has(word) && !(word.length === 1 && isSmallLetter(word)));
}

export function isGeneric(root: string): boolean {
  return generics.has(root);
}

/** A preposition or the like: what follows is another part of the sentence. */
export function isLink({ word, isValue }: TaskWord): boolean {
  return !isValue && links.has(word);
}

export function isJoin({ word, isValue }: TaskWord): boolean {
  return !isValue && joins.has(word);
}

export interface Phrase {
  roots: Set<string>;
  /** The place behind its last word. */
  end: number;
}

export interface PhraseLimits {
  /** How many words are looked at. */
  most: number;
  /** A link ends it only after something that says which. */
  overLinks?: boolean;
  /** Ends it besides. */
  endsAt?: (at: number) => boolean;
}

/** What the words from here on are about, up to the end of the clause or to the next part of it. */
export function phraseFrom(words: readonly TaskWord[], from: number, limits: PhraseLimits): Phrase {
  const roots = new Set<string>();
  let tells = false;
  let at = from;
  for (; at < words.length && at < from + limits.most; at++) {
    const word = words[at] as TaskWord;
    if ((isLink(word) && (tells || !limits.overLinks)) || limits.endsAt?.(at)) break;
    if (isContent(word) ? !isLink(word) && !isJoin(word) : isLoneLetter(words, at)) {
      roots.add(word.root);
      tells ||= !isGeneric(word.root);
    }
    if (word.ends) {
      at++;
      break;
    }
  }
  return { roots, end: at };
}

/** The same backwards: what stands before a place in its clause. */
export function phraseBefore(words: readonly TaskWord[], end: number, most: number, overEnd = false): Phrase {
  const roots = new Set<string>();
  for (let at = end - 1; at >= 0 && at >= end - most; at--) {
    const word = words[at] as TaskWord;
    if ((word.ends && !(overEnd && at === end - 1)) || isLink(word)) break;
    if (isContent(word) || isLoneLetter(words, at)) roots.add(word.root);
  }
  return { roots, end };
}

/** "From a to b": a letter that nothing follows is no article. */
function isLoneLetter(words: readonly TaskWord[], at: number): boolean {
  const word = words[at] as TaskWord;
  const next = words[at + 1];
  return word.word.length === 1 && (word.ends || next === undefined || isLink(next));
}

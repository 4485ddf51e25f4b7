import { inDigits, isStopWord } from '../words.js';

/** A word of a task, or a value in it: what stands in quotes, a path, an identifier, a number. */
export interface TaskWord {
  /** In lower case, without accents; a value without its quotes. */
  word: string;
  /** The word without its ending, for comparing; the value itself. */
  root: string;
  isValue: boolean;
  /** A clause ends behind it. */
  ends: boolean;
}

const scanLimit = 20_000;
const mostWords = 3_000;
const quotes: Readonly<Record<string, string>> = {
  '"': '"',
  '“': '”',
  '„': '“',
  '«': '»',
  '`': '`',
  "'": "'",
  '‘': '’',
};
const longestQuote = 200;
/** Marks that make a word a value: digits, separators of paths and identifiers, wildcards, assignments. */
const markOfValue = /[\d/\\_=*$#@<>|~%^+]|\p{Ll}\p{Lu}|^-|\p{L}\.\p{L}|^\.\p{L}/u;
const arrows = new Set(['->', '=>', '→']);

/** Reads a task word by word; what is cut off is not read. */
export function taskWords(text: string): TaskWord[] {
  const words: TaskWord[] = [];
  const read = text.slice(0, scanLimit);
  let at = 0;
  while (at < read.length && words.length < mostWords) {
    const quoted = quotedAt(read, at);
    if (quoted !== undefined) {
      words.push(asValue(quoted.trim()));
      at += quoted.length + 2;
      continue;
    }
    const end = endOfWord(read, at);
    if (end > at) addWord(words, read.slice(at, end));
    else endClause(words, read.charAt(at));
    at = Math.max(end, at + 1);
  }
  return words;
}

/** Whether a letter by itself is an article or a link in one of the languages that are read, and no name of something. */
export function isSmallLetter(word: string): boolean {
  return 'aeioy'.includes(word);
}

/** The text in quotes that begins here; an apostrophe inside of a word begins none. */
function quotedAt(text: string, at: number): string | undefined {
  const close = quotes[text.charAt(at)];
  if (close === undefined || isLetter(text.charAt(at - 1))) return undefined;
  const end = text.slice(at + 1, at + longestQuote).indexOf(close);
  if (end < 1 || (close === "'" && isLetter(text.charAt(at + end + 2)))) return undefined;
  const inner = text.slice(at + 1, at + 1 + end);
  return inner.includes('\n') ? undefined : inner;
}

function isLetter(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character);
}

const separators = new Set(' \t\r\n\v\f\u00a0,;!?()[]{}"“”„«»`。、，；！？');

function endOfWord(text: string, from: number): number {
  let at = from;
  while (at < text.length && !separators.has(text.charAt(at))) at++;
  return at;
}

function endClause(words: TaskWord[], mark: string): void {
  const last = words.at(-1);
  if (last && !' \t\r\v\f\u00a0"“”„«»`'.includes(mark)) last.ends = true;
}

function addWord(words: TaskWord[], raw: string): void {
  if (arrows.has(raw)) {
    words.push({ word: '->', root: '->', isValue: false, ends: false });
    return;
  }
  const bare = raw.replace(/^['‘’]+|[.:…'’]+$/g, '');
  const tail = raw.slice(raw.lastIndexOf(bare) + bare.length);
  const ends = [...'.:…'].some((mark) => tail.includes(mark));
  if (bare === '') {
    if (ends) endClause(words, '.');
    return;
  }
  if (markOfValue.test(bare)) words.push(asValue(bare));
  else for (const part of bare.split(/[-–—]/)) for (const word of contracted(plain(part))) words.push(wordOf(word));
  const last = words.at(-1);
  if (last && ends) last.ends = true;
}

/** "don't" is two words; what is shortened of others says nothing. */
function contracted(word: string): string[] {
  if (word === 'cannot') return ['can', 'not'];
  const [head = '', tail] = word.replaceAll('’', "'").split("'");
  if (tail === undefined) return head === '' ? [] : [head];
  if (tail === 't' && head.endsWith('n')) return [head.slice(0, -1), 'not'];
  // French and Italian put the short part first: l'accès, n'est.
  return head.length <= 2 && tail.length > 2 ? [tail] : [head];
}

/** In lower case and without accents. */
export function plain(text: string): string {
  return text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss');
}

function asValue(text: string): TaskWord {
  const value = text.toLowerCase();
  return { word: value, root: value, isValue: true, ends: false };
}

function wordOf(word: string): TaskWord {
  const digits = inDigits(word);
  return digits === undefined ? { word, root: rootOf(word), isValue: false, ends: false } : asValue(digits);
}

const endings: readonly [ending: string, leaves: number][] = [
  ['ions', 4],
  ['ion', 4],
  ['ings', 3],
  ['ing', 3],
  ['ied', 3],
  ['ies', 3],
  ['ed', 3],
  ['es', 3],
  ['en', 4],
  ['er', 4],
  ['s', 3],
  ['e', 3],
];

/** Lets "delete" and "deletion" meet, "stop" and "stopped", "deny" and "denied", "install" and "installation". */
export function rootOf(word: string): string {
  const found = endings.find(
    ([ending, leaves]) => word.endsWith(ending) && word.length - ending.length >= leaves && !word.endsWith('ss'),
  );
  const [ending = ''] = found ?? [];
  const rest = word.slice(0, word.length - ending.length);
  if (ending.startsWith('ie')) return `${rest}y`;
  if (ending !== '' && rest.endsWith('at') && rest.length > 5) return undoubled(rest.slice(0, -2));
  return undoubled(rest);
}

function undoubled(rest: string): string {
  const last = rest.slice(-1);
  return rest.at(-2) === last && !'aeious'.includes(last) ? rest.slice(0, -1) : rest;
}

/** The root of a word as a person writes it, in a table for instance. */
export function rootOfWritten(word: string): string {
  return rootOf(plain(word));
}

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

import { inDigits, isStopWord } from '../words.js';

/** A word of a task, or a value: quoted text, a path, an identifier, a number. */
export interface TaskWord {
  /** Lower case, without accents or quotes. */
  word: string;
  /** The stem of a word; for a value, the value itself. */
  stem: string;
  isValue: boolean;
  /** The clause ends after it. */
  ends: boolean;
  /** "The vault's" */
  owns?: true;
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
/** Characters that make a word a value: digits, separators of paths and identifiers, wildcards, assignments. */
const markOfValue = /[\d/\\_=*$#@<>|~%^+]|\p{Ll}\p{Lu}|^-|\p{L}\.\p{L}|^\.\p{L}/u;
const arrows = new Set(['->', '=>', '→']);

/** Splits a task into words. Text beyond the limit is ignored. */
export function taskWords(text: string): TaskWord[] {
  const words: TaskWord[] = [];
  const read = text.slice(0, scanLimit);
  let at = 0;
  while (at < read.length && words.length < mostWords) {
    const quoted = quotedAt(read, at);
    if (quoted !== undefined) {
      words.push(valueWord(quoted.trim()));
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

/** Single letters that are articles or conjunctions in one of the supported languages. */
export function isOneLetterWord(word: string): boolean {
  return 'aeioy'.includes(word);
}

/** Quoted text starting here. An apostrophe inside a word opens no quote. */
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
    words.push({ word: '->', stem: '->', isValue: false, ends: false });
    return;
  }
  const bare = raw.replace(/^['‘’]+|[.:…'’]+$/g, '');
  const tail = raw.slice(raw.lastIndexOf(bare) + bare.length);
  const ends = [...'.:…'].some((mark) => tail.includes(mark));
  if (bare === '') {
    if (ends) endClause(words, '.');
    return;
  }
  if (markOfValue.test(bare)) words.push(valueWord(bare));
  else
    for (const part of bare.split(/[-–—]/))
      for (const word of expandContraction(plain(part)))
        words.push({ ...plainWord(word), ...(/\p{L}['’]s$/u.test(part) && { owns: true as const }) });
  const last = words.at(-1);
  if (last && ends) last.ends = true;
}

/** "don't" becomes two words; other contractions keep only their main part. */
function expandContraction(word: string): string[] {
  if (word === 'cannot') return ['can', 'not'];
  const [head = '', tail] = word.replaceAll('’', "'").split("'");
  if (tail === undefined) return head === '' ? [] : [head];
  if (tail === 't' && head.endsWith('n')) return [head.slice(0, -1), 'not'];
  // French and Italian contract the first part: l'accès, n'est.
  return head.length <= 2 && tail.length > 2 ? [tail] : [head];
}

export function plain(text: string): string {
  return text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss');
}

function valueWord(text: string): TaskWord {
  const value = text.toLowerCase();
  return { word: value, stem: value, isValue: true, ends: false };
}

function plainWord(word: string): TaskWord {
  const digits = inDigits(word);
  return digits === undefined ? { word, stem: stemOf(word), isValue: false, ends: false } : valueWord(digits);
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

/** Gives related words one stem: "delete" and "deletion", "stop" and "stopped", "deny" and "denied". */
export function stemOf(word: string): string {
  const found = endings.find(
    ([ending, leaves]) => word.endsWith(ending) && word.length - ending.length >= leaves && !word.endsWith('ss'),
  );
  const [ending = ''] = found ?? [];
  const rest = word.slice(0, word.length - ending.length);
  if (ending.startsWith('ie')) return `${rest}y`;
  if (ending !== '' && rest.endsWith('at') && rest.length > 5) return withoutDoubledEnd(rest.slice(0, -2));
  return withoutDoubledEnd(rest);
}

/** Not in words of three letters: "off" is not "of". */
function withoutDoubledEnd(rest: string): string {
  const last = rest.slice(-1);
  return rest.length > 3 && rest.at(-2) === last && !'aeious'.includes(last) ? rest.slice(0, -1) : rest;
}

export function stemOfWritten(word: string): string {
  return stemOf(plain(word));
}

/** Articles and conjunctions of the other supported languages. */
const foreignStopWords = new Set(
  'der die das den dem des ein eine einen einer und oder le la les un une et ou el los las una il lo gli os um uma ne se qui que'.split(
    ' ',
  ),
);
/** Small words of the other supported languages that are no words of English. */
const foreignWords = new Set(
  (
    'der das dem des ein eine einen einer und oder von mit zu aus vom zum zur ob ich wir ihn sie er du ist wird nicht nur aber bitte herr frau ' +
    'le la les une et ou il qui que avec dans vers depuis je nous vous elle ne pas sont votre notre mme ' +
    'el los las una que para por desde hasta del al ella solo lo gli uma'
  ).split(' '),
);

export function isForeignWord(word: string): boolean {
  return foreignWords.has(word);
}

const links = new Set(
  (
    'from to into onto -> in on at under inside within for with by using via as when while before after until where if so ' +
    'because then but that which who nach von mit zu aus fur unter im vom avec dans pour vers depuis con para por desde hasta en'
  ).split(' '),
);
const joins = new Set(['and', 'nor', 'und', 'oder', 'et', 'ou', 'y', 'o', 'e', 'ni']);
/** Words for things in general. */
const generics = new Set(
  'file folder directory thing one item line row record entry rest everything anything every else datei alles tout todo tutto'
    .split(' ')
    .map(stemOfWritten),
);

export function isContent({ word, isValue }: TaskWord): boolean {
  return isValue || (!isStopWord(word) && !foreignStopWords.has(word) && !(word.length === 1 && isOneLetterWord(word)));
}

export function isGeneric(stem: string): boolean {
  return generics.has(stem);
}

/** A preposition or conjunction that starts another part of the sentence. */
export function isLink({ word, isValue }: TaskWord): boolean {
  return !isValue && links.has(word);
}

export function isJoin({ word, isValue }: TaskWord): boolean {
  return !isValue && joins.has(word);
}

export interface Phrase {
  stems: Set<string>;
  /** Index after its last word. */
  end: number;
}

export interface PhraseLimits {
  /** Maximum number of words. */
  most: number;
  /** Continue past a link until a specific word was found. */
  overLinks?: boolean;
  /** Additional stop condition. */
  endsAt?: (at: number) => boolean;
}

/** Stems from here to the end of the clause or its next part. */
export function phraseFrom(words: readonly TaskWord[], from: number, limits: PhraseLimits): Phrase {
  const stems = new Set<string>();
  let tells = false;
  let at = from;
  for (; at < words.length && at < from + limits.most; at++) {
    const word = words[at] as TaskWord;
    if ((isLink(word) && (tells || !limits.overLinks)) || limits.endsAt?.(at)) break;
    if (isContent(word) ? !isLink(word) && !isJoin(word) : isLoneLetter(words, at)) {
      stems.add(word.stem);
      tells ||= !isGeneric(word.stem);
    }
    if (word.ends) {
      at++;
      break;
    }
  }
  return { stems, end: at };
}

/** Stems before an index, within its clause. */
export function phraseBefore(words: readonly TaskWord[], end: number, most: number, overEnd = false): Phrase {
  const stems = new Set<string>();
  for (let at = end - 1; at >= 0 && at >= end - most; at--) {
    const word = words[at] as TaskWord;
    if ((word.ends && !(overEnd && at === end - 1)) || isLink(word)) break;
    if (isContent(word) || isLoneLetter(words, at)) stems.add(word.stem);
  }
  return { stems, end };
}

/** "From a to b": a letter before a link or an end is a name, not an article. */
function isLoneLetter(words: readonly TaskWord[], at: number): boolean {
  const word = words[at] as TaskWord;
  const next = words[at + 1];
  return word.word.length === 1 && (word.ends || next === undefined || isLink(next));
}

import { isProgram } from '../shell/known-programs.js';
import { isFlag } from '../shell/shell-words.js';
import { isCommonVerb, isToolName } from './call-names.js';

const longestOrder = 200;
const mostWords = 16;

/** Words typical of talk, and words that start it; an order has neither. */
const personal = new Set(
  'i im ive ill you your youre we our us he she they it its this that these those there my me mine'.split(' '),
);
const opening = new Set(
  (
    'the a an yes no not and or but so ok okay hi hello hey thanks thank please sorry sure well very what who ' +
    'where when why how is are was were do does did can could would should will if as for to of in on at'
  ).split(' '),
);
const between = new Set('to from in into on onto with at under up off'.split(' '));
const plainVerb = /^[\p{Ll}_][\p{Ll}_-]{1,39}$/u;

/** "to" in `go to shelf 1`. */
export function isOrderLink(word: string): boolean {
  return between.has(word);
}

export interface Order {
  verb: string;
  /** By name or by place. */
  args: { [place: string]: string };
}

/** Calls of this form on lines of their own, or the one that the text begins with. */
export function readBracketedLines(text: string): (Order & { text: string })[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const each = lines.flatMap((line) => (line.trimEnd().endsWith(']') ? (readBracketed(line.trim()) ?? []) : []));
  if (each.length > 1 && each.length === lines.length) return each;
  return [readBracketed(text) ?? []].flat();
}

/** `search[green tea]`, also if truncated or followed by invented output. */
function readBracketed(text: string): (Order & { text: string }) | undefined {
  const open = text.indexOf('[');
  const verb = text.slice(0, Math.max(open, 0));
  if (verb.length < 2 || !isToolName(verb) || ['.', ':', '/'].some((sign) => verb.includes(sign))) return undefined;
  const [first = ''] = text.split('\n', 1);
  const close = first.trimEnd().endsWith(']') ? first.lastIndexOf(']') : text.lastIndexOf(']');
  const end = close < open ? text.length : close;
  if (
    text
      .slice(end + 1)
      .split('\n', 1)[0]
      ?.trim() !== ''
  )
    return undefined;
  const given = text.slice(open + 1, end).trim();
  return { verb, args: given === '' ? {} : { 0: given }, text: text.slice(0, end + 1) };
}

const pair = /\s+([\p{L}_][\p{L}\p{N}_-]*)=("[^"\n]*"|'[^'\n]*'|[^\s"'|;&<>$`(){}]+)/gu;
const joinedName = /^\p{Ll}[\p{L}\p{N}.]*(?:_|(?<=\p{Ll})(?=\p{Lu}))[\p{L}\p{N}_.]*/u;

/** `set_lamp room=attic level=3`, one per line; few programs have such names. */
export function readKeyedLines(text: string): (Order & { text: string })[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const orders = lines.flatMap((line) => readKeyed(line.trim()) ?? []);
  return orders.length === lines.length ? orders : [];
}

export function readKeyed(text: string): (Order & { text: string }) | undefined {
  if (text.length > longestOrder) return undefined;
  const [verb] = joinedName.exec(text) ?? [];
  if (verb === undefined || !isToolName(verb) || isProgram(verb)) return undefined;
  const pairs = [...text.slice(verb.length).matchAll(pair)];
  if (pairs.length === 0 || verb + pairs.map(([whole]) => whole).join('') !== text) return undefined;
  const args = Object.fromEntries(
    pairs.map(([, name = '', value = '']) => [name, value.replace(/^(["'])(.*)\1$/, '$2')]),
  );
  return { verb, args, text };
}

/** Orders in plain words: `go to shelf 1`, `click [12]`, `type [3] [hello]`. */
export function readOrder(text: string): Order | undefined {
  return text.length > longestOrder ? undefined : (inBrackets(text) ?? inWords(text));
}

/** The verb is in lower case: `Note [1]` is a reference. */
function inBrackets(text: string): Order | undefined {
  const open = text.indexOf(' [');
  if (!text.endsWith(']') || !plainVerb.test(text.slice(0, Math.max(open, 0)))) return undefined;
  const given = text.slice(open + 2, -1).replaceAll('] [', '][');
  return { verb: text.slice(0, open), args: byPlace(given.split('][')) };
}

function inWords(text: string): Order | undefined {
  const [verb = '', ...words] = (text.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));
  if (!plainVerb.test(verb) || opening.has(verb) || words.length === 0 || words.length > mostWords) return undefined;
  if (!words.every((word) => /^[\w'./#@:[\] -]+$/.test(word)) || isTalk(text)) return undefined;
  const [first = '', ...others] = words;
  const relates = others.some((word) => between.has(word) || Number(word) >= 0);
  const isPlaced = others.length > 0 && between.has(first);
  return relates || isPlaced || isCommonVerb(verb) || verb.includes('_') ? { verb, args: byPlace(words) } : undefined;
}

function byPlace(values: readonly string[]): { [place: string]: string } {
  return Object.fromEntries(values.map((value, place) => [String(place), value.trim()]));
}

const sentenceEnd = /[\p{L}\d)"'”»][.?!…。！？؟।:,]$/u;

/** Whether a text is or starts with a sentence for a person, in any language. */
export function isTalk(text: string): boolean {
  const start = text.slice(0, 400).trim();
  const words = start.split(/\s+/);
  const letters = words.map((word) => word.toLowerCase().replace(/\P{L}/gu, ''));
  if (words.length > 2 && sentenceEnd.test(text.trimEnd().slice(-4))) return true;
  const isWord = (at: number) => words[at] !== undefined && words[at].toLowerCase() === letters[at];
  if (!isAscii(start) && words.some((_, at) => isWord(at) && isWord(at + 1))) return true;
  if (hasShellSigns(start)) return false;
  if (opening.has(letters[0] ?? '') && isWord(1)) return true;
  if (words.length > 1 && isCapitalised(words[0] ?? '') && isWord(0)) return true;
  return letters.some((word) => personal.has(word));
}

function isCapitalised(word: string): boolean {
  return word.charAt(0) !== word.charAt(0).toLowerCase() && word.slice(1) === word.slice(1).toLowerCase();
}

function isAscii(text: string): boolean {
  return [...text].every((letter) => letter <= '~');
}

function hasShellSigns(text: string): boolean {
  return [...'|;$`>', '&&'].some((sign) => text.includes(sign)) || text.split(' ').some(isFlag);
}

/** For shell agents: text that starts and looks like a command, even with syntax errors. */
export function isBrokenCommand(text: string): boolean {
  const start = text.slice(0, 2_000);
  const begins = /^(?:[a-z_.~/][\w.+/=~-]*(?=[\s;=]|$)|[({#"$!`])/.test(start);
  const [, second = ''] = start.split(' ', 2);
  return begins && hasShellSigns(start) && !['you', 'we', 'the', 'it'].includes(second);
}

/** A line in the form of a command: a program in lower case, then words, with or without options. */
export function isCommandLine(text: string, usesShell: boolean): boolean {
  if (usesShell && isBrokenCommand(text)) return true;
  if (text.length > 2_000 || text.includes('\n') || isTalk(text)) return false;
  const [program = '', ...words] = text.split(' ');
  if (!/^(?:[.~]{0,2}\/)?[a-z][\w.+/-]*$/.test(program)) return false;
  const hasOption = words.some((word) => /^--?[A-Za-z][\w-]*(?:=.*)?$/.test(word));
  return hasOption || (usesShell && (words.length > 0 || program.includes('/')));
}

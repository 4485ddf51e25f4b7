import { isCommonVerb } from './call-names.js';

const longestOrder = 200;
const mostWords = 16;

/** Words that talk begins with or is about; what is told to do something is neither. */
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

export interface Order {
  verb: string;
  /** By place. */
  args: { [place: string]: string };
}

/** `search[green tea]`, also where the end is missing or something made up follows on the next line. */
export function readBracketed(text: string): (Order & { text: string }) | undefined {
  const [opening, verb] = /^(\p{L}[\p{L}\p{N}_-]{1,40})\[/u.exec(text.slice(0, 60)) ?? [];
  if (opening === undefined || verb === undefined) return undefined;
  const close = text.lastIndexOf(']');
  const end = close < opening.length ? text.length : close;
  if (!/^\]?\s*(?:$|\n)/.test(text.slice(end, end + 40))) return undefined;
  const given = text.slice(opening.length, end).trim();
  return { verb, args: given === '' ? {} : { 0: given }, text: text.slice(0, end + 1) };
}

/** `go to shelf 1`, `click [12]`, `type [3] [hello]`: an order in bare words. */
export function readOrder(text: string): Order | undefined {
  return text.length > longestOrder ? undefined : (inBrackets(text) ?? inWords(text));
}

/** In small letters: `Note [1]` is a reference. */
function inBrackets(text: string): Order | undefined {
  const [, verb, given] = /^([\p{Ll}_]{2,40}) \[(.*)\]$/u.exec(text) ?? [];
  return verb === undefined || given === undefined ? undefined : { verb, args: byPlace(given.split(/\] ?\[/)) };
}

function inWords(text: string): Order | undefined {
  const [verb = '', ...words] = (text.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));
  if (!/^[a-z][a-z_-]+$/.test(verb) || opening.has(verb) || words.length === 0 || words.length > mostWords)
    return undefined;
  if (!words.every((word) => /^[\w'./#@:[\] -]+$/.test(word)) || isTalk(text)) return undefined;
  const hasNumber = words.slice(1).some((word) => /^\d+$/.test(word));
  const relates = words.slice(1).some((word) => between.has(word)) || (words.length > 1 && between.has(words[0] ?? ''));
  return hasNumber || relates || isCommonVerb(verb) || verb.includes('_') ? { verb, args: byPlace(words) } : undefined;
}

function byPlace(values: readonly string[]): { [place: string]: string } {
  return Object.fromEntries(values.map((value, place) => [String(place), value.trim()]));
}

/** Whether a text is a sentence, or begins like one: words for a person, in any language. */
export function isTalk(text: string): boolean {
  const start = text.slice(0, 400).trim();
  const words = start.split(/\s+/);
  if (words.length > 2 && /[\p{L}\d)"'”»][.?!…。！？؟।:,]$/u.test(text.trimEnd().slice(-4))) return true;
  if (/[^\p{ASCII}]/u.test(start) && /[\p{L}]{2} [\p{L}]{2}/u.test(start)) return true;
  const bare = words.map((word) => word.toLowerCase().replace(/[^a-z]/g, ''));
  if (hasShellSigns(start)) return false;
  if (opening.has(bare[0] ?? '') && /^\p{L}+$/u.test(words[1] ?? '')) return true;
  if (/^\p{Lu}\p{Ll}*$/u.test(words[0] ?? '') && words.length > 1) return true;
  return bare.some((word) => personal.has(word));
}

function hasShellSigns(text: string): boolean {
  return /[|;$`>]|&&|(?:^|\s)--?[A-Za-z]/.test(text);
}

/** Of an agent in a shell: what begins as a command and has the signs of one is one, though it has mistakes. */
export function isBrokenCommand(text: string): boolean {
  const start = text.slice(0, 2_000);
  const begins = /^(?:[a-z_.~/][\w.+/=~-]*(?=[\s;=]|$)|[({#"$!`])/.test(start);
  return begins && hasShellSigns(start) && !/^[a-z]+,? (?:you|we|the|it) /.test(start);
}

/** A line that is written as commands are: a program in small letters, then words, with options or without. */
export function isCommandLine(text: string, usesShell: boolean): boolean {
  if (usesShell && isBrokenCommand(text)) return true;
  if (text.length > 2_000 || text.includes('\n') || isTalk(text)) return false;
  const [program = '', ...words] = text.split(/\s+/);
  if (!/^(?:[.~]{0,2}\/)?[a-z][\w.+/-]*$/.test(program)) return false;
  const hasOption = words.some((word) => /^--?[A-Za-z][\w-]*(?:=.*)?$/.test(word));
  return hasOption || (usesShell && (words.length > 0 || program.includes('/')));
}

import { fieldsIn } from './fields.js';
import { isId, isLongId } from './ids.js';
import { looksLikeName, namesIn } from './names.js';
import { type ValueKind, valueRows } from './value-kinds.js';

export interface FoundValue {
  kind: ValueKind;
  from: number;
  to: number;
}

/** In words everything counts that identifies a case; commands, queries and code have to keep their literals. */
export type Style = 'words' | 'code';

const scanLimit = 20_000;
const mostKnown = 2_000;
const codeSpan = /`[^`\n]{1,400}`/g;
const url = /\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s'"<>`]{1,600}/gi;
const token = /[#\p{L}\p{N}][\p{L}\p{N}_./\\:@%*=~+-]*/gu;
/** What stands between two quotes, whichever of them opens. */
const betweenQuotes = /(?<=["'`“])[^"'`“”\n]{2,80}(?=["'`”])/gu;
/** Behind these words stands the number of one case, however short it is. */
const numberOf =
  /(?<![\p{L}\p{N}_])(?:order|ticket|reservation|booking|invoice|account|customer|card|case|passport|member(?:ship)?|policy|flight|confirmation|tracking|reference|user ?name|user ?id|login|ending in|ending with|last four|bestellung|rechnung|kunde|buchung|commande|facture|pedido|factura)(?: with)?(?: the)?(?: (?:number|no|nr|id|code|num[eé]ro|nummer))?(?![\p{L}\p{N}])\.?[*_]{0,2}(?: is| are| with|:|,| =|=)?[*_]{0,2} ?[#"'*_(]{0,3}(?=[\p{L}\p{N}])(?=[\p{L}\p{N}_.-]{2,60})/giu;
const said =
  /(?<!\p{L})(?:said|says|wrote|typed|replied|message|comment|note|reason|feedback|subject)[:,]? ["“]([^"“”\n]{8,400})["”]/giu;

/** What identifies a past case or somebody in it: ids, names, contact and payment data, dates, addresses, what was typed. */
export function identifyingValues(text: string): string[] {
  const read = text.slice(0, scanLimit);
  return [...new Set(findValues(read, 'words', []).map(({ from, to }) => read.slice(from, to)))];
}

/**
 * With a placeholder of its kind for each value that identifies and may not be shown. `known` are values that have been found
 * elsewhere: a first name alone, for instance, that only a record tells to be one.
 */
export function maskText(text: string, mayShow: (value: string) => boolean, known: readonly string[] = []): string {
  return mask(text, 'words', mayShow, known);
}

/** The same for a command, a query, code: paths, sizes and patterns stay, what belongs to people goes. */
export function maskCode(text: string, mayShow: (value: string) => boolean, known: readonly string[] = []): string {
  return mask(text, 'code', mayShow, known);
}

function mask(text: string, style: Style, mayShow: (value: string) => boolean, known: readonly string[]): string {
  const read = text.slice(0, scanLimit);
  const parts: string[] = [];
  let done = 0;
  for (const { kind, from, to } of findValues(read, style, known)) {
    const value = read.slice(from, to);
    if (mayShow(value) || isPlaceholder(value)) continue;
    parts.push(read.slice(done, from), `<${kind}>`);
    done = to;
  }
  // What has not been looked at is not told.
  return parts.join('') + read.slice(done) + (text.length > scanLimit ? '…' : '');
}

function isPlaceholder(value: string): boolean {
  return /^(?:…|<[^<>]{0,40}>|\{.{0,40}\}|\[.{0,40}\]|\$\{?\w{0,40}[A-Za-z_]\}?|%\w)$/.test(value);
}

/** In their order, none within another. */
function findValues(text: string, style: Style, known: readonly string[]): FoundValue[] {
  const found: FoundValue[] = [];
  const taken = new Uint8Array(text.length);
  const add = (kind: ValueKind, from: number, to: number) => {
    if (to <= from || taken[from] === 1 || taken[to - 1] === 1) return;
    taken.fill(1, from, to);
    found.push({ kind, from, to });
  };
  for (const value of known.slice(0, mostKnown)) addKnown(text, value, add);
  if (style === 'code') findInCode(text, add);
  else {
    // What a sentence quotes as code is read as code.
    const spans = [...text.matchAll(codeSpan)].map(({ 0: span, index }) => ({ from: index, to: index + span.length }));
    findInWords(blanked(text, spans), add);
    for (const { from, to } of spans) findInCode(text.slice(from, to), (kind, a, b) => add(kind, from + a, from + b));
  }
  return found.sort((a, b) => a.from - b.from);
}

type Add = (kind: ValueKind, from: number, to: number) => void;

function blanked(text: string, spans: readonly { from: number; to: number }[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const { from, to } of spans) {
    parts.push(text.slice(done, from), '|'.repeat(to - from));
    done = to;
  }
  return parts.join('') + text.slice(done);
}

function findInWords(text: string, add: Add): void {
  for (const { kind, from, to, isQuoted } of fieldsIn(text)) {
    const value = text.slice(from, to);
    if (holds(kind, value, isQuoted)) add(kind, from, to);
  }
  addMatches(text, said, 1, 'text', add);
  addUrls(text, add);
  addRows(text, add, 'words');
  for (const { 0: cue, index } of text.matchAll(numberOf)) addNumberOf(text, cue, index + cue.length, add);
  addTokens(text, isId, add);
  addCodesLike(text, add);
  for (const { from, to } of namesIn(text)) add('name', from, to);
}

function findInCode(text: string, add: Add): void {
  for (const { kind, from, to, isQuoted } of fieldsIn(text)) {
    const value = text.slice(from, to);
    if (isQuoted && kind !== 'text' && holds(kind, value, true) && isPersonal(kind, value)) add(kind, from, to);
  }
  addUrls(text, add);
  addRows(text, add, 'code');
  for (const { 0: value, index } of text.matchAll(betweenQuotes)) {
    if (looksLikeName(value)) add('name', index, index + value.length);
    else if (isId(value) && !/^\d{1,5}$/.test(value)) add('id', index, index + value.length);
  }
  addTokens(text, isLongId, add);
}

/** Whether what a field holds is what its name says. */
function holds(kind: ValueKind, value: string, isQuoted: boolean): boolean {
  if (kind === 'text') return isQuoted && value.trim().includes(' ');
  if (kind === 'name') return isQuoted ? /\p{L}/u.test(value) : looksLikeName(value, 1);
  if (kind === 'address') return isQuoted || /^\p{Lu}|\d/u.test(value);
  if (kind === 'email') return value.includes('@');
  return /\d/.test(value) && value.length <= 60;
}

/** In code a column "name" may hold anything; capitals, or a field of a person, tell. */
function isPersonal(kind: ValueKind, value: string): boolean {
  if (kind === 'name') return looksLikeName(value, 1) || isId(value);
  if (kind === 'id') return isId(value);
  return kind === 'address' ? /\d/.test(value) && !/[/*%$(]/.test(value) : true;
}

function addRows(text: string, add: Add, style: Style): void {
  for (const { kind, pattern, check, everywhere } of valueRows) {
    if (style === 'code' && !everywhere) continue;
    for (const { 0: found, index } of text.matchAll(pattern)) {
      if (!check || check(found)) add(kind, index, index + found.length);
    }
  }
}

function addMatches(text: string, pattern: RegExp, group: number, kind: ValueKind, add: Add): void {
  for (const match of text.matchAll(pattern)) {
    const value = match[group] ?? '';
    const from = match.index + match[0].indexOf(value);
    if (value.includes(' ')) add(kind, from, from + value.length);
  }
}

/** Codes of one text have one form: beside "ZX81QT" a word of six capitals is such a code too. */
function addCodesLike(text: string, add: Add): void {
  const words = [...text.matchAll(/(?<![\p{L}\p{N}_])[A-Z\d]{5,8}(?![\p{L}\p{N}_])/gu)];
  const lengths = new Set(
    words.filter(([found]) => /[A-Z]\d|\d[A-Z]/.test(found) && isId(found)).map(([found]) => found.length),
  );
  for (const { 0: found, index } of words)
    if (lengths.has(found.length) && !/\d/.test(found)) add('id', index, index + found.length);
}

function addNumberOf(text: string, cue: string, from: number, add: Add): void {
  const [value = ''] = /^[\p{L}\p{N}_.-]{2,60}/u.exec(text.slice(from, from + 60)) ?? [];
  const bare = value.replace(/[.-]+$/, '');
  const isCode = /^[A-Z]{5,7}$/.test(bare) && /^(?:res|boo|con|tic|fli|tra|ref)/i.test(cue);
  if (isCode || (/\d/.test(bare) && !/^\d{1,2}$/.test(bare))) add('id', from, from + bare.length);
}

const edge = /[\p{L}\p{N}_]/u;

function addKnown(text: string, value: string, add: Add): void {
  if (value.length < 2) return;
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length)) {
    const to = at + value.length;
    if (!edge.test(text.charAt(at - 1)) && !edge.test(text.charAt(to))) add(/\d/.test(value) ? 'id' : 'name', at, to);
  }
}

/** Words by themselves: no part of a path, of the name of a file, of a version. */
function addTokens(text: string, isOne: (word: string) => boolean, add: Add): void {
  for (const { 0: found, index } of text.matchAll(token)) {
    const word = found.replace(/[.:=~+*%-]+$/, '');
    const before = text.charAt(index - 1);
    if (before !== '/' && before !== '\\' && before !== '.' && isOne(word)) add('id', index, index + word.length);
    else if (/[=:@]/.test(word)) addParts(word, index, isOne, add);
  }
}

/** `order:10223`, `id=99881`: the value behind the sign. */
function addParts(word: string, index: number, isOne: (word: string) => boolean, add: Add): void {
  let at = index;
  for (const part of word.split(/([=:@])/)) {
    if (isOne(part)) add('id', at, at + part.length);
    at += part.length;
  }
}

function addUrls(text: string, add: Add): void {
  for (const { 0: found, index } of text.matchAll(url)) {
    let at = index;
    for (const part of found.split(/([/?&=#])/)) {
      if (isIdInPath(part)) add('id', at, at + part.length);
      at += part.length;
    }
  }
}

/** Whether a part of a path or of a query in an address names one thing of many. */
export function isIdInPath(part: string): boolean {
  return (
    /^\d{3,}$/.test(part) || isId(part) || /^[\da-f]{8}-[\da-f-]{27}$/i.test(part) || /^[^/]{1,60}(?:@|%40)/.test(part)
  );
}

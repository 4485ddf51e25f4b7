import { fieldsIn } from './fields.js';
import { caseNumbersIn, isId, isIdInPath, isLongId } from './ids.js';
import { looksLikeName, namesIn } from './names.js';
import { hasDigit, isCapitalised, isCapitals, isDigits, tokenize } from './tokens.js';
import { type FoundValue, formsIn, type ValueKind } from './value-forms.js';

type MayShow = (value: string) => boolean;
type Add = (kind: ValueKind, from: number, to: number) => void;

const scanLimit = 20_000;
const codeSpan = /`[^`\n]{1,400}`/g;
const url = /\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s'"<>`]{1,600}/gi;
const email =
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,4}\.\p{L}{2,24}(?![\p{L}\p{N}-]|\.[\p{L}\p{N}]|:[\w/~])/gu;
/** Chinese, Japanese and Korean write no spaces, but a title behind a name. */
const titledName = /[\p{Script=Han}\p{Script=Katakana}\p{Script=Hangul}]{1,5}(?=さん|様|先生|女士|氏|님|씨)/gu;
/** A word with what ties it to others: a path, the name of a file, a version. */
const chunk = /[#\p{L}\p{N}](?:[\p{L}\p{N}_./\\%*~+-]*[\p{L}\p{N}_/\\])?/gu;
/** What stands between two quotes, whichever of them opens. */
const betweenQuotes = /(?<=["'`“])[^"'`“”\n]{2,80}(?=["'`”])/gu;

/** What identifies a past case or somebody in it: ids, names, contact and payment data, dates, addresses, what was typed. */
export function identifyingValues(text: string): string[] {
  const read = text.slice(0, scanLimit);
  return [...new Set(valuesInWords(read).map(({ from, to }) => read.slice(from, to)))];
}

/** With a placeholder of its kind for each value that identifies and may not be shown. */
export function maskText(text: string, mayShow: MayShow): string {
  return mask(text, valuesInWords, mayShow);
}

/** The same for a command, a query, code: paths, sizes and patterns stay, what belongs to people goes. */
export function maskCode(text: string, mayShow: MayShow): string {
  return mask(text, (read) => collect(read, (add) => findInCode(read, add)), mayShow);
}

function mask(text: string, find: (text: string) => FoundValue[], mayShow: MayShow): string {
  const read = text.slice(0, scanLimit);
  const parts: string[] = [];
  let done = 0;
  for (const { kind, from, to } of find(read)) {
    const value = read.slice(from, to);
    if (isPlaceholder(value) || mayShow(value)) continue;
    parts.push(read.slice(done, from), `<${kind}>`);
    done = to;
  }
  // What has not been looked at is not told.
  return parts.join('') + read.slice(done) + (text.length > scanLimit ? '…' : '');
}

/** `<id>`, `{name}`, `[name]`, `$USER`, `%s`, `…` */
function isPlaceholder(value: string): boolean {
  if (value.startsWith('$')) return value.toUpperCase() !== value.toLowerCase();
  return ['<>', '{}', '[]', '……', '%s', '%d'].includes(value.charAt(0) + value.at(-1));
}

/** In their order, none within another: what is found first stays. */
function collect(text: string, find: (add: Add) => void): FoundValue[] {
  const found: FoundValue[] = [];
  const taken = new Uint8Array(text.length);
  find((kind, from, to) => {
    if (to <= from || taken[from] === 1 || taken[to - 1] === 1) return;
    taken.fill(1, from, to);
    found.push({ kind, from, to });
  });
  return found.sort((a, b) => a.from - b.from);
}

/** What a sentence quotes as code is read as code. */
function valuesInWords(text: string): FoundValue[] {
  return collect(text, (add) => {
    findInWords(
      text.replace(codeSpan, (span) => '|'.repeat(span.length)),
      add,
    );
    for (const { 0: span, index } of text.matchAll(codeSpan))
      findInCode(span, (kind, from, to) => add(kind, index + from, index + to));
  });
}

/** Everything counts that identifies a case. */
function findInWords(text: string, add: Add): void {
  const tokens = tokenize(text);
  for (const { kind, from, to, isQuoted } of fieldsIn(text))
    if (holds(kind, text.slice(from, to), isQuoted)) add(kind, from, to);
  addUrls(text, add);
  addMatches(text, email, 'email', add);
  for (const { kind, from, to } of formsIn(tokens, false)) add(kind, from, to);
  addMatches(text, titledName, 'name', add);
  for (const { from, to } of caseNumbersIn(tokens)) add('id', from, to);
  addIds(text, isId, add);
  addCodesLike(text, add);
  for (const { from, to } of namesIn(text, tokens)) add('name', from, to);
}

/** Commands, queries and code have to keep their literals. */
function findInCode(text: string, add: Add): void {
  for (const { kind, from, to, isQuoted } of fieldsIn(text)) {
    const value = text.slice(from, to);
    if (isQuoted && kind !== 'text' && holds(kind, value, true) && isPersonal(kind, value)) add(kind, from, to);
  }
  addUrls(text, add);
  addMatches(text, email, 'email', add);
  for (const { kind, from, to } of formsIn(tokenize(text), true)) add(kind, from, to);
  for (const { 0: value, index } of text.matchAll(betweenQuotes)) {
    if (looksLikeName(value)) add('name', index, index + value.length);
    else if (isId(value) && !(isDigits(value) && value.length <= 5)) add('id', index, index + value.length);
  }
  addIds(text, isLongId, add);
}

/** Whether what a field holds is what its name says. */
function holds(kind: ValueKind, value: string, isQuoted: boolean): boolean {
  if (kind === 'text') return isQuoted && value.trim().includes(' ');
  if (kind === 'name') return isQuoted ? value.toUpperCase() !== value.toLowerCase() : looksLikeName(value, 1);
  if (kind === 'address') return isQuoted || isCapitalised(value) || hasDigit(value);
  if (kind === 'email') return value.includes('@');
  return hasDigit(value) && value.length <= 60;
}

/** In code a column "name" may hold anything; capitals, or a field of a person, tell. */
function isPersonal(kind: ValueKind, value: string): boolean {
  if (kind === 'name') return looksLikeName(value, 1) || isId(value);
  if (kind === 'id') return isId(value);
  return kind !== 'address' || (hasDigit(value) && !/[/*%$(]/.test(value));
}

function addMatches(text: string, pattern: RegExp, kind: ValueKind, add: Add): void {
  for (const { 0: found, index } of text.matchAll(pattern)) add(kind, index, index + found.length);
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

/** Words by themselves: no part of a path, of the name of a file, of a version. */
function addIds(text: string, isOne: (word: string) => boolean, add: Add): void {
  for (const { 0: found, index } of text.matchAll(chunk))
    if (isOne(found) && !['/', '\\', '.'].includes(text.charAt(index - 1))) add('id', index, index + found.length);
}

/** Codes of one text have one form: beside "ZX81QT" a word of six capitals is such a code too. */
function addCodesLike(text: string, add: Add): void {
  const chunks = [...text.matchAll(chunk)].filter(([{ length }]) => length >= 5 && length <= 8);
  const isCode = (found: string) => found === found.toUpperCase() && !isDigits(found) && isId(found);
  const lengths = new Set(chunks.flatMap(([found]) => (isCode(found) ? found.length : [])));
  for (const { 0: found, index } of chunks)
    if (lengths.has(found.length) && isCapitals(found)) add('id', index, index + found.length);
}

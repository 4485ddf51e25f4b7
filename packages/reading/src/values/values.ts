import { forLargeResults, memoizeByText } from '../memoize-by-text.js';
import { separateScripts } from '../text.js';
import { dataIn } from './data-literals.js';
import { fieldsIn, namesPerson } from './fields.js';
import { isId, isIdInPath, isLongId } from './ids.js';
import { looksLikeName, namesIn } from './names.js';
import { hasDigit, isCapitalised, isCapitals, isDigits, tokenize } from './tokens.js';
import { type FoundValue, formsIn, type ValueKind } from './value-forms.js';

type MayShow = (value: string) => boolean;

const scanLimit = 20_000;
const codeSpan = /`[^`\n]{1,400}`/g;
const url = /\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s'"<>`]{1,600}/gi;
const email =
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,4}\.\p{L}{2,24}(?![\p{L}\p{N}-]|\.[\p{L}\p{N}]|:[\w/~])/gu;
const uuid = /(?<![\w-])[\da-f]{8}-[\da-f-]{27}(?![\w-])/gi;
/** Chinese, Japanese and Korean put the title right after the name. `날씨` is the weather. */
const nameBeforeTitle =
  /[\p{Script=Han}\p{Script=Katakana}]{1,5}(?=さん|様|先生|女士)|\p{Script=Hangul}{2,5}(?= ?님| ?씨(?!\p{L}))/gu;
const optionWithValue = /(?<!\S)--?([\p{L}_-]{1,40})[ =](?!-)([^\s"'`;&|<>()]{1,80})/gu;
/** A word with its path, extension or version. */
const chunk = /[#\p{L}\p{N}](?:[\p{L}\p{N}_./\\%*~+-]*[\p{L}\p{N}_/\\])?/gu;
/** Text between two quotes, opening or closing. */
const betweenQuotes = /(?<=["'`“])[^"'`“”\n]{2,80}(?=["'`”])/gu;

/** Values that identify a past case or a person: ids, names, contact and payment data, dates, addresses, quoted speech. */
export function identifyingValues(text: string): string[] {
  const read = separateScripts(text.slice(0, scanLimit));
  return [...new Set(valuesInText(read).map(({ from, to }) => read.slice(from, to)))];
}

/** Replaces identifying values that may not be shown by a placeholder of their kind. */
export function maskText(text: string, mayShow: MayShow): string {
  const separated = separateScripts(text);
  const masked = mask(separated, valuesInText, mayShow);
  return masked === separated ? text : masked;
}

/** The same for commands, queries and code: keeps paths, sizes and patterns, masks personal values. */
export function maskCode(text: string, mayShow: MayShow): string {
  return mask(text, codeValues, mayShow);
}

/** Masks what is data of one case by where it stands in a command, query or script. */
export function maskData(text: string, mayShow: MayShow, isOtherCase: boolean): string {
  return mask(text, (read) => withoutOverlaps(dataIn(read, isOtherCase)), mayShow);
}

function mask(text: string, valuesIn: (text: string) => readonly FoundValue[], mayShow: MayShow): string {
  const read = text.slice(0, scanLimit);
  const parts: string[] = [];
  let done = 0;
  for (const { kind, from, to } of valuesIn(read)) {
    const value = read.slice(from, to);
    if (isPlaceholder(value) || mayShow(value)) continue;
    parts.push(read.slice(done, from), `<${kind}>`);
    done = to;
  }
  // Text beyond the limit was not checked, so it is dropped.
  return parts.join('') + read.slice(done) + (text.length > scanLimit ? '…' : '');
}

/** `<id>`, `{name}`, `[name]`, `$USER`, `%s`, `…` */
function isPlaceholder(value: string): boolean {
  if (value.startsWith('$')) return hasLetter(value);
  return ['<>', '{}', '[]', '……', '%s', '%d'].includes(value.charAt(0) + value.at(-1));
}

function hasLetter(value: string): boolean {
  return value.toUpperCase() !== value.toLowerCase();
}

/** In text order. Of two overlapping values, the one found first wins. */
function withoutOverlaps(values: readonly FoundValue[]): FoundValue[] {
  const taken = new Set<number>();
  const kept = values.filter(({ from, to }) => {
    if (to <= from || taken.has(from) || taken.has(to - 1)) return false;
    for (let at = from; at < to; at++) taken.add(at);
    return true;
  });
  return kept.sort((a, b) => a.from - b.from);
}

/** Code spans are read as code. */
const valuesInText = memoizeByText((text: string): readonly FoundValue[] => {
  const words = text.replace(codeSpan, (span) => '|'.repeat(span.length));
  const quoted = [...text.matchAll(codeSpan)].flatMap(({ 0: span, index }) => shifted(valuesInCode(span), index));
  return withoutOverlaps([...valuesInWords(words), ...quoted]);
}, forLargeResults);

const codeValues = memoizeByText(
  (text: string): readonly FoundValue[] => withoutOverlaps(valuesInCode(text)),
  forLargeResults,
);

/** In prose, anything that identifies a case counts. */
function valuesInWords(text: string): FoundValue[] {
  const tokens = tokenize(text);
  return [
    ...fieldsIn(text).filter(({ kind, from, to, isQuoted }) => holds(kind, text.slice(from, to), isQuoted)),
    ...idsInUrls(text),
    ...matches(text, email, 'email'),
    ...matches(text, uuid, 'id'),
    ...formsIn(tokens, false),
    ...matches(text, nameBeforeTitle, 'name'),
    ...wordsMatching(isId, text),
    ...wordsMatching(isSimilarCode(text), text),
    ...namesIn(text, tokens),
  ];
}

/** Commands, queries and code must keep their literals, so only personal values count. */
function valuesInCode(text: string): FoundValue[] {
  return [
    ...fieldsIn(text).filter(
      ({ name, kind, from, to, isQuoted }) => isQuoted && isPersonal(name, kind, text.slice(from, to)),
    ),
    ...optionsOfPersons(text),
    ...idsInUrls(text),
    ...matches(text, email, 'email'),
    ...matches(text, uuid, 'id'),
    ...formsIn(tokenize(text), true),
    ...matches(text, betweenQuotes, 'name', (value) => looksLikeName(value)),
    ...matches(text, betweenQuotes, 'id', (value) => isId(value) && !(isDigits(value) && value.length <= 5)),
    ...wordsMatching(isLongId, text),
  ];
}

/** Whether a value matches the kind its field announces. */
function holds(kind: ValueKind, value: string, isQuoted: boolean): boolean {
  if (kind === 'text') return isQuoted && value.includes(' ');
  if (kind === 'name') return isQuoted ? hasLetter(value) : looksLikeName(value, 1);
  if (kind === 'address') return isQuoted || isCapitalised(value) || hasDigit(value);
  return kind === 'email' ? value.includes('@') : hasDigit(value) && value.length <= 60;
}

/** Stricter for code, where a column "name" may hold anything. */
function isPersonal(name: string, kind: ValueKind, value: string): boolean {
  if (namesPerson(name) && isPlainName(value)) return true;
  if (kind === 'name' || kind === 'id') return isId(value) || (kind === 'name' && looksLikeName(value, 1));
  if (kind === 'address') return hasDigit(value) && !/[/*%$(]/.test(value);
  return kind !== 'text' && holds(kind, value, true);
}

/** Neither a pattern nor a reference. */
function isPlainName(value: string): boolean {
  return /^[\p{L}\p{M}][\p{L}\p{M}\p{N}' ._-]*$/u.test(value);
}

/** `--customer thibaudeau`: fields of an option are found as such if there is a sign between. */
function optionsOfPersons(text: string): FoundValue[] {
  return [...text.matchAll(optionWithValue)].flatMap(({ 1: name = '', 2: value = '', index, 0: found }) => {
    const to = index + found.length;
    return namesPerson(name) && isPlainName(value) ? [{ kind: 'name', from: to - value.length, to }] : [];
  });
}

function matches(text: string, pattern: RegExp, kind: ValueKind, test = (_: string) => true): FoundValue[] {
  return [...text.matchAll(pattern)].flatMap(({ 0: found, index }) =>
    test(found) ? [{ kind, from: index, to: index + found.length }] : [],
  );
}

function idsInUrls(text: string): FoundValue[] {
  return matches(text, url, 'id').flatMap(({ from, to }) => shifted(idsInUrl(text.slice(from, to)), from));
}

function idsInUrl(address: string): FoundValue[] {
  let before = '';
  return matches(address, /[^/?&=#]+/g, 'id', (part) => {
    const isOfPerson = namesPerson(before);
    before = part;
    return isIdInPath(part) || isOfPerson;
  });
}

function shifted(values: readonly FoundValue[], by: number): FoundValue[] {
  return values.map(({ kind, from, to }) => ({ kind, from: from + by, to: to + by }));
}

/** Separate words, not part of a path, file name or version. */
function wordsMatching(test: (word: string) => boolean, text: string): FoundValue[] {
  return matches(text, chunk, 'id', test).filter(({ from }) => !['/', '\\', '.'].includes(text.charAt(from - 1)));
}

/** Codes in one text share a form: next to "ZX81QT", six capitals are a code too. */
function isSimilarCode(text: string): (word: string) => boolean {
  const isCode = (word: string) => word === word.toUpperCase() && !isDigits(word) && isId(word);
  const lengths = new Set((text.match(chunk) ?? []).filter(isCode).map((word) => word.length));
  return (word) => word.length >= 5 && word.length <= 8 && isCapitals(word) && lengths.has(word.length);
}

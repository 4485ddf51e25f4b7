import { hasDigit, isCapitals, isDigits, type Tokens, tokenAt } from './tokens.js';

/** Letters before digits that make a standard, a format, a machine or an error code, and nobody's id. */
const technical = new Set(
  (
    'utf iso rfc sha md aes rsa ed http https ipv es ecma ieee cve cwe base crc ext mp x h amd arm win int uint float char ' +
    'varchar latin cp ora ts error errno line step top port status python java ubuntu rtx sqlstate exit code'
  ).split(' '),
);
const fewestPlainDigits = 5;
const longest = 200;

/** Whether a word, seen by itself, is the number or code of one case: an order, an account, a commit, a booking. */
export function isId(written: string): boolean {
  const word = written.startsWith('#') ? written.slice(1) : written;
  if (word.length > longest || !hasDigit(word) || !/^[\p{L}\p{N}][\p{L}\p{N}_-]*$/u.test(word)) return false;
  if (written.startsWith('#')) return word.length > 1;
  if (isDigits(word)) return word.length >= fewestPlainDigits && !word.endsWith('000');
  const parts = word.split(/[_-]/);
  if (isUuid(parts)) return true;
  const runs = runsOf(word);
  const isCode = runs.length > 2 && parts.length === 1 && word === word.toUpperCase();
  if (runs.every(hasDigit) || (!isCode && isTechnical(runs[0] ?? ''))) return false;
  return parts.length > 1 ? isJoinedId(parts, runs) : isOneWordId(word, runs);
}

/** The runs of letters and of digits in a word: "ZX81QT" has three. */
function runsOf(word: string): string[] {
  return word.match(/\p{L}+|\p{N}+/gu) ?? [];
}

const isHex = (text: string): boolean => /^[\da-f]+$/i.test(text);

function isUuid(parts: readonly string[]): boolean {
  return parts.map(({ length }) => length).join() === '8,4,4,4,12' && parts.every(isHex);
}

/** A single letter counts in lower case only: h264, but H9ZU1C. */
function isTechnical(run: string): boolean {
  return technical.has(run.length === 1 ? run : run.toLowerCase());
}

/** `ord_55120`, `INV-2024-001`; not `us-east-1`, `x86_64`, `500-ms`. */
function isJoinedId(parts: readonly string[], runs: readonly string[]): boolean {
  if (runs.length === 2 && hasDigit(runs[0] ?? '')) return false;
  const isCode = (part: string) => part.length >= 5 && part === part.toUpperCase() && runsOf(part).length >= 3;
  return mostDigits(runs) >= 3 || parts.some(isCode);
}

function isOneWordId(word: string, runs: readonly string[]): boolean {
  const isUpper = word === word.toUpperCase();
  if (runs.length === 2) {
    // "24h", "500ms", "1080p" are measures.
    if (hasDigit(runs[0] ?? '')) return isUpper && word.length >= 6 && (runs[1]?.length ?? 0) >= 3;
    return (isUpper && word.length >= 5) || mostDigits(runs) >= 3;
  }
  if (isUpper) return word.length >= 5;
  const numbers = runs.filter(hasDigit);
  if (isHex(word) && word.length >= 7 && numbers.join('').length >= 2) return true;
  return mostDigits(runs) >= 4 || (numbers.length >= 2 && word.length >= 8);
}

function mostDigits(runs: readonly string[]): number {
  return Math.max(...runs.filter(hasDigit).map(({ length }) => length));
}

/** In a command, a query or code much is called by letters and digits; only long ones are somebody's. */
export function isLongId(word: string): boolean {
  if (word.length > longest || word.toLowerCase().startsWith('0x')) return false;
  if (isDigits(word)) return word.length >= 11;
  if (word.length >= 12 && isHex(word) && hasDigit(word)) return true;
  if (!isId(word)) return false;
  return isUuid(word.split('-')) || runsOf(word).some((run) => isDigits(run) && run.length >= 6 && !isDay(run));
}

/** `20240501`, also with a time right behind it. */
function isDay(digits: string): boolean {
  return digits.length >= 8 && (digits.startsWith('19') || digits.startsWith('20'));
}

/** Whether a part of a path or of a query in an address names one thing of many. */
export function isIdInPath(part: string): boolean {
  return (isDigits(part) && part.length >= 3) || isId(part) || part.indexOf('@') > 0 || part.indexOf('%40') > 0;
}

/** Behind these words stands the number of one case, however short it is. */
const caseNouns = new Set(
  'order invoice account customer card case passport member membership policy user username login bestellung rechnung kunde buchung commande facture pedido factura'.split(
    ' ',
  ),
);
/** These may have a code of letters alone. */
const bookings = new Set('reservation booking confirmation ticket flight tracking reference'.split(' '));
const casePhrases = new Set(['ending in', 'ending with', 'last four']);
const beforeNumber = new Set([
  ...[' ', '.', ':', ',', '=', '#', '"', "'", '*', '('],
  ...'with the name number no nr id code numero numéro nummer is are'.split(' '),
]);
const mostBetween = 9;

/** "order number 815", "card ending in 7447", "booking: HXDUBJ". */
export function caseNumbersIn(tokens: Tokens): { from: number; to: number }[] {
  return tokens.flatMap(({ text, type }, at) => {
    const noun = text.toLowerCase();
    const isPhrase = casePhrases.has(`${noun} ${tokenAt(tokens, at + 2).text}`);
    if (
      type !== 'word' ||
      tokenAt(tokens, at - 1).text === '_' ||
      !(isPhrase || caseNouns.has(noun) || bookings.has(noun))
    )
      return [];
    const start = isPhrase ? at + 3 : at + 1;
    let first = start;
    while (first < start + mostBetween && beforeNumber.has(tokenAt(tokens, first).text.toLowerCase())) first++;
    let last = first;
    while (isOfNumber(tokens, last)) last++;
    while (last > first && '.-'.includes(tokenAt(tokens, last - 1).text)) last--;
    if (first === start || last === first) return [];
    const found = tokens.slice(first, last);
    const value = found.map((token) => token.text).join('');
    const isCode = bookings.has(noun) && isCapitals(value) && value.length >= 5 && value.length <= 7;
    const isNumber = hasDigit(value) && !(isDigits(value) && value.length < 3);
    return isCode || isNumber ? [{ from: found[0]?.from ?? 0, to: found.at(-1)?.to ?? 0 }] : [];
  });
}

function isOfNumber(tokens: Tokens, at: number): boolean {
  const { text, type } = tokenAt(tokens, at);
  return type === 'word' || type === 'number' || text === '_' || text === '.' || text === '-';
}

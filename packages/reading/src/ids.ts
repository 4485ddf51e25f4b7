import { hasDigit, isDigits } from './tokens.js';

/** Letters before digits that make a standard, a format, a machine or an error code, and nobody's id. */
const technical = new Set(
  (
    'utf iso rfc sha md aes rsa ed http https ipv es ecma ieee cve cwe base crc ext mp x h amd arm win int uint float char ' +
    'varchar latin cp ora ts error errno line step top port status python java ubuntu rtx sqlstate exit code'
  ).split(' '),
);
const longest = 200;

/** Whether a word, seen by itself, is the number or code of one case: an order, an account, a commit, a booking. */
export function isId(written: string): boolean {
  const word = written.startsWith('#') ? written.slice(1) : written;
  if (word.length > longest || !hasDigit(word) || !/^[\p{L}\p{N}][\p{L}\p{N}_-]*$/u.test(word)) return false;
  if (written.startsWith('#')) return word.length > 1;
  if (isDigits(word)) return word.length >= 5 && !word.endsWith('000');
  const parts = word.split(/[_-]/);
  if (isUuid(parts)) return true;
  const runs = runsOf(word);
  const isCode = runs.length > 2 && parts.length === 1 && word === word.toUpperCase();
  const [first = ''] = runs;
  // A single letter counts in lower case only: h264, but H9ZU1.
  if (runs.every(hasDigit) || (!isCode && technical.has(first.length === 1 ? first : first.toLowerCase())))
    return false;
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
  // `20240501` is a day.
  return isUuid(word.split('-')) || runsOf(word).some((run) => /^\d{6}/.test(run) && !/^(?:19|20)\d{6}/.test(run));
}

/** Whether a part of a path or of a query in an address names one thing of many. */
export function isIdInPath(part: string): boolean {
  return (isDigits(part) && part.length >= 3) || isId(part) || part.indexOf('@') > 0 || part.indexOf('%40') > 0;
}

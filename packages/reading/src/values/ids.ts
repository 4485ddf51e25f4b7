import { hasDigit, isDigits } from './tokens.js';

/** Prefixes of standards, formats and error codes: `sha256` is no id. */
const technical = new Set(
  'utf iso rfc sha aes rsa ed es cve x h cp varchar ora ts error port python ubuntu'.split(' '),
);
const longest = 200;
/** `sub_11k`, `cus_Jq81` */
const prefixed = /^[a-z]{2,5}_(?=[A-Za-z]*\d[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z\d]{3,}$/;

/** Whether a word alone is the number or code of one case: an order, account, commit or booking. */
export function isId(written: string): boolean {
  const word = written.startsWith('#') ? written.slice(1) : written;
  if (word.length > longest || !hasDigit(word) || !/^[\p{L}\p{N}][\p{L}\p{N}_-]*$/u.test(word)) return false;
  if (written.startsWith('#')) return word.length > 1;
  if (isDigits(word)) return word.length >= 5 && !word.endsWith('000');
  const parts = word.split(/[_-]/);
  const runs = runsOf(word);
  const [first = '', second = ''] = runs;
  const isJoined = parts.length > 1;
  const isUpper = word === word.toUpperCase();
  const isTechnical =
    technical.has(first.length === 1 ? first : first.toLowerCase()) && !(isUpper && !isJoined && runs.length > 2);
  if (isUuid(parts) || prefixed.test(word)) return true;
  if (isTechnical || runs.every(hasDigit)) return false;
  // `24h`, `500-ms` and `1080p` are measurements.
  if (runs.length === 2 && hasDigit(first)) return !isJoined && isUpper && word.length >= 6 && second.length >= 3;
  const isCode = (part: string) =>
    part.length >= 5 && part === part.toUpperCase() && runsOf(part).length >= (isJoined ? 3 : 2);
  const numbers = runs.filter(hasDigit);
  const isLong = numbers.some((run) => run.length >= (isJoined || runs.length === 2 ? 3 : 4));
  if (isLong || parts.some(isCode)) return true;
  const isHash = isHex(word) && word.length >= 7 && numbers.join('').length >= 2;
  return !isJoined && (isHash || (numbers.length >= 2 && word.length >= 8));
}

/** Runs of letters and of digits: "ZX81QT" has three. */
function runsOf(word: string): string[] {
  return word.match(/\p{L}+|\p{N}+/gu) ?? [];
}

const isHex = (text: string): boolean => /^[\da-f]+$/i.test(text);

function isUuid(parts: readonly string[]): boolean {
  return parts.map(({ length }) => length).join() === '8,4,4,4,12' && parts.every(isHex);
}

/** In commands, queries and code, only long ids identify somebody; short ones are common. */
export function isLongId(word: string): boolean {
  if (word.length > longest || word.toLowerCase().startsWith('0x')) return false;
  if (isDigits(word)) return word.length >= 11;
  if (word.length >= 12 && isHex(word) && hasDigit(word)) return true;
  if (!isId(word)) return false;
  // `20240501` is a date.
  return isUuid(word.split('-')) || runsOf(word).some((run) => /^\d{6}/.test(run) && !/^(?:19|20)\d{6}/.test(run));
}

/** Whether a segment of a URL is an id: `kestrel-9`, but neither `v2` nor `api-v2`. */
export function isIdInPath(part: string): boolean {
  const isNumbered = /[_-]\w*\d/.test(part) && !/(?:^|[_-])v\d+$/i.test(part);
  return (
    (isDigits(part) && part.length >= 3) || isNumbered || isId(part) || part.indexOf('@') > 0 || part.indexOf('%40') > 0
  );
}

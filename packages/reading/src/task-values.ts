import { dateOf } from './dates.js';
import { inDigits } from './words.js';

const scanLimit = 20_000;
const numberIn = /(?<![\p{L}\p{N}_.,-])-?\d(?:[\d.,]{0,30}\d)?(?![\p{L}\p{N}_])/gu;
const dateIn =
  /(?<!\d)\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?!\d)|(?<!\d)\d{1,2}[./]\d{1,2}[./]\d{4}|\p{L}{3,10}\.? \d{1,2}\p{L}{0,2},? \d{4}|\d{1,2}(?:\p{L}{2})?\.? (?:of |de )?\p{L}{3,10},? (?:de )?\d{4}/gu;
const joiners = new Set(['_', '.', '@', '#', '-', '/', '%', '+']);

/** Whether a value stands in a task: as a whole, in any case, with or without quotes; numbers and dates however they are written. */
export function valuesOf(task: string): (value: string) => boolean {
  const text = plain(task.slice(0, scanLimit));
  let numbers: Set<number> | undefined;
  let dates: Set<string> | undefined;
  return (value) => {
    const wanted = withoutQuotes(plain(value.slice(0, scanLimit)).trim());
    if (wanted === '' || stands(wanted, text)) return true;
    const date = dateOf(wanted);
    if (date !== undefined) {
      dates ??= datesIn(text);
      return dates.has(date) && !wanted.includes(':');
    }
    const amount = numberOf(wanted);
    if (amount === undefined) return false;
    numbers ??= numbersIn(text);
    return numbers.has(amount);
  };
}

function plain(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll('’', "'").replace(/\s+/g, ' ');
}

function withoutQuotes(text: string): string {
  return text.replace(/^["'`“”«»„]+|["'`“”«»“]+$/g, '');
}

function stands(wanted: string, text: string): boolean {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    if (
      !continues(text.charAt(at - 1), text.charAt(at - 2), wanted.charAt(0)) &&
      !continues(text.charAt(end), text.charAt(end + 1), wanted.at(-1) ?? '')
    )
      return true;
  }
  return false;
}

/** Whether a value goes on in a text: with a letter or a digit, or with a sign that ties it to one. */
function continues(next: string, beyond: string, edge: string): boolean {
  if (!isLetterOrDigit(edge)) return false;
  if (next === ',') return /\d/.test(edge) && /\d/.test(beyond);
  return isLetterOrDigit(next) || (joiners.has(next) && isLetterOrDigit(beyond));
}

function isLetterOrDigit(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character);
}

function numbersIn(text: string): Set<number> {
  const found = new Set<number>();
  for (const [number] of text.matchAll(numberIn)) {
    const value = numberOf(number);
    if (value !== undefined) found.add(value);
  }
  for (const [word] of text.matchAll(/\p{L}{3,6}/gu)) {
    const digits = inDigits(word);
    if (digits) found.add(Number(digits));
  }
  return found;
}

/** "$1,249.90", "12,50 €", "1.200" and "-3" as numbers; undefined for anything else. */
function numberOf(text: string): number | undefined {
  const [, sign = '', digits] = /^(-?)[$€£¥₹]? ?(\d[\d.,]{0,30}|\d) ?(?:[€£¥₹%]|eur|usd|gbp|chf)?$/u.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  const decimals = last < 0 ? 0 : digits.length - last - 1;
  const signs = digits.replace(/\d/g, '');
  // Three digits behind the only comma, or behind each of several signs, are thousands.
  const isThousands = decimals === 3 && (signs === ',' || (signs.length > 1 && new Set(signs).size === 1));
  const plainDigits =
    last < 0 || isThousands
      ? digits.replace(/[.,]/g, '')
      : `${digits.slice(0, last).replace(/[.,]/g, '')}.${digits.slice(last + 1)}`;
  const value = Number(plainDigits);
  return Number.isFinite(value) ? (sign === '-' ? -value : value) : undefined;
}

function datesIn(text: string): Set<string> {
  const found = new Set<string>();
  for (const [written] of text.matchAll(dateIn)) {
    const date = dateOf(written);
    if (date) found.add(date);
  }
  return found;
}

import { separateScripts } from '../text.js';
import { contentWords, inDigits, isStopWord } from '../words.js';
import { dateOf, datesIn } from './dates.js';
import { hasDigit } from './tokens.js';

const scanLimit = 20_000;
const numberIn = /(?<![\p{L}\p{N}_.,-])-?\d(?:[\d.,]{0,30}\d)?(?![\p{L}\p{N}_])/gu;
const joiners = new Set(['_', '.', '@', '-', '/']);

/**
 * Returns a test for whether a value occurs in the task: as a whole, ignoring case and quotes; numbers and dates in any
 * notation.
 */
export function occursIn(task: string): (value: string) => boolean {
  let read: string | undefined;
  let numbers: Set<number> | undefined;
  let dates: Set<string> | undefined;
  return (value) => {
    read ??= plain(task.slice(0, scanLimit));
    const text = read;
    const wanted = plain(value.slice(0, scanLimit)).replace(/^["'`“”«»„\s]+|["'`“”«»\s]+$/g, '');
    if (wanted === '' || stands(wanted, text)) return true;
    const date = dateOf(wanted);
    if (date !== undefined) {
      dates ??= datesIn(text);
      return dates.has(date) && !wanted.includes(':');
    }
    const amount = numberOf(wanted);
    numbers ??= numbersIn(text);
    return amount !== undefined && numbers.has(amount);
  };
}

/** Returns a test for whether the task has a number beside a word of a name: "room 5" or "5 people", for `people_count`. */
export function standsBeside(task: string): (amount: string, name: string) => boolean {
  let words: string[] | undefined;
  return (amount, name) => {
    words ??= (plain(task.slice(0, scanLimit)).match(/\p{L}+|\d+/gu) ?? []).filter((word) => !isStopWord(word));
    const named = contentWords(name.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '));
    const isNamed = (word = '') => [...contentWords(word)].some((stem) => named.has(stem));
    return words.some(
      (word, at, all) =>
        Number(inDigits(word) ?? word) === Number(amount) && (isNamed(all[at - 1]) || isNamed(all[at + 1])),
    );
  };
}

function plain(text: string): string {
  return separateScripts(text.normalize('NFKC')).toLowerCase().replaceAll('’', "'").replace(/\s+/g, ' ');
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

/** Whether a value continues in the text, as a longer word or through a joining character. */
function continues(next: string, beyond: string, edge: string): boolean {
  if (!isLetterOrDigit(edge)) return false;
  if (next === ',') return hasDigit(edge) && hasDigit(beyond);
  return isLetterOrDigit(next) || (joiners.has(next) && isLetterOrDigit(beyond));
}

function isLetterOrDigit(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character);
}

/** Includes numbers written as words. */
function numbersIn(text: string): Set<number> {
  const written = [...text.matchAll(numberIn)].map(([found]) => found);
  const spelled = text.split(/\P{L}+/u).flatMap((word) => inDigits(word) ?? []);
  return new Set([...written, ...spelled].flatMap((found) => numberOf(found) ?? []));
}

/** Parses "$1,249.90", "12,50 €", "1.200" and "-3". */
function numberOf(text: string): number | undefined {
  const [, sign, figure] = /^(-?)[$€£¥₹]? ?(\d[\d.,]{0,30}) ?(?:[€£¥₹%]|eur|usd)?$/u.exec(text) ?? [];
  if (figure === undefined) return undefined;
  const groups = figure.split(/[.,]/);
  const decimals = groups.at(-1) ?? '';
  const isAlike = figure.includes('.') !== figure.includes(',');
  // Three digits after the only comma, or after each separator, are thousands.
  const isThousands = decimals.length === 3 && isAlike && (groups.length > 2 || figure.includes(','));
  const isWhole = groups.length === 1 || isThousands;
  const value = Number(isWhole ? groups.join('') : `${groups.slice(0, -1).join('')}.${decimals}`);
  return sign === '-' ? -value : value;
}

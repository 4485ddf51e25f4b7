import type { Swap } from './relate-tasks.js';

/** In the place of a value that a command quotes, these would end the quotation. */
const unsafe = /["'`$\\;&|<>\n]/;
const number = /^\d+$/;
/** A short number can stand for anything. */
const shortNumber = /^\d{1,2}$/;
const partOfWord = /[\p{L}\p{N}_]/u;
/** A number may have its unit behind it. */
const unit = /^[bkmgtdwhsp]i?b?(?![\p{L}\p{N}_])/iu;

/** What a past run wrote with the values of the new task in their places; undefined where a place is not clear. */
export function withSwaps(text: string, swaps: readonly Swap[]): string | undefined {
  if (swaps.some(([, now]) => unsafe.test(now))) return undefined;
  const places = swaps.map((swap) => placesOf(swap, text));
  const isClear = places.every((found) => found.length === 1 || (found[0] && !shortNumber.test(found[0].past)));
  if (!isClear) return undefined;
  let out = '';
  let from = 0;
  for (const { at, past, now } of places.flat().sort((a, b) => a.at - b.at)) {
    if (at < from) return undefined;
    out += text.slice(from, at) + now;
    from = at + past.length;
  }
  return out + text.slice(from);
}

interface Place {
  at: number;
  past: string;
  now: string;
}

/** Where a value stands as a token of its own. */
function placesOf([past, now]: Swap, text: string): Place[] {
  const places: Place[] = [];
  for (let at = text.indexOf(past); at >= 0; at = text.indexOf(past, at + past.length)) {
    const before = text.slice(Math.max(0, at - 1), at);
    const after = text.slice(at + past.length, at + past.length + 4);
    if (isWhole(past, before, after)) places.push({ at, past, now });
  }
  return places;
}

function isWhole(value: string, before: string, after: string): boolean {
  if (number.test(value))
    return (
      !/[\p{L}\p{N}_.,]/u.test(before) &&
      !/^[.,]?\d/.test(after) &&
      (unit.test(after) || !partOfWord.test(after.charAt(0)))
    );
  const begins = !partOfWord.test(before) || !partOfWord.test(value.charAt(0));
  const ends = !partOfWord.test(after.charAt(0)) || !partOfWord.test(value.slice(-1));
  return begins && ends;
}

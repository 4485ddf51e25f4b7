import { countNamed, isStopWord, mayBeName } from '@whetstone/reading';

import type { Token } from './task-words.js';

/** A value of the past task and its counterpart in the new one. `named`: a plain word in the place of a name. */
export type Swap = readonly [past: string, now: string, form?: 'named'];

const maxSwaps = 6;
/** With fewer words in common, tasks do not count as equally worded. */
export const minSharedWords = 2;

/**
 * The swaps between texts that differ only in values, and in one plain word that may be a name. `exchanged`: the same values
 * changed places, as in "from b to a".
 */
export function swapsBetween(past: readonly Token[], now: readonly Token[]): Swap[] | 'exchanged' | undefined {
  if (past.length !== now.length) return undefined;
  const swaps = new Map<string, string>();
  const kept = new Set<string>();
  let named: string | undefined;
  let words = 0;
  for (const [at, was] of past.entries()) {
    const is = now[at] as Token;
    if (was.kind !== 'value' && is.kind !== 'value' && was.word === is.word) {
      words++;
      continue;
    }
    if (was.text === is.text) {
      kept.add(was.text);
      continue;
    }
    if (!mayBeValue(was) || !mayBeValue(is)) {
      if (named !== undefined || !standsAsName(past, now, at)) return undefined;
      named = was.text;
    }
    if ((swaps.get(was.text) ?? is.text) !== is.text) return undefined;
    swaps.set(was.text, is.text);
  }
  const isClear = ![...kept].some((text) => swaps.has(text));
  if (!isClear || swaps.size === 0 || swaps.size > maxSwaps || words < minSharedWords) return undefined;
  if ([...swaps.values()].every((text) => swaps.has(text))) return 'exchanged';
  return [...swaps].map(([was, is]) => (was === named ? [was, is, 'named'] : [was, is]));
}

/** "the billing service", "the service billing": once, beside the word for what it is. The first word is a verb. */
function standsAsName(past: readonly Token[], now: readonly Token[], at: number): boolean {
  const [was, is] = [past[at], now[at]];
  if (was?.kind !== 'word' || is?.kind !== 'word' || !mayBeName(is.text)) return false;
  const isOnce = [past, now].every((tokens) => tokens.filter(({ word }) => word === tokens[at]?.word).length === 1);
  const isNoun = (token: Token | undefined) => token?.kind === 'word' && !isStopWord(token.word);
  return isOnce && at > 1 && isNoun(past[at - 1]) !== isNoun(past[at + 1]);
}

/** Resources are often called `acme-logs`. It counts only where the example has it, too. */
function mayBeValue({ kind, text }: Token): boolean {
  return kind !== 'word' || text.includes('-');
}

/** Inside a quoted value these would end the quotation. */
const unsafe = /["'`$\\;&|<>\n]/;
/** Outside of quotes these end a word or expand to something else. */
const special = /[\s()[\]{}*?~#!]/g;
/** A file by its path, not a pattern, an address or a host. */
const file = /^[^:@*?]*\/[^:@*?/]*?((?:\.\p{L}[\p{L}\p{N}]{0,7}){1,2})$/u;
const number = /^\d+$/;
/** Too ambiguous to swap if it occurs more than once. */
const shortNumber = /^\d{1,2}$/;
const partOfWord = /[\p{L}\p{N}_]/u;
/** A unit that may follow a number. */
const unit = /^[bkmgtdwhsp]i?b?(?![\p{L}\p{N}_])/iu;

/** Fills the values of the new task into a past example; `undefined` if a place is ambiguous. */
export function withSwaps(text: string, swaps: readonly Swap[]): string | undefined {
  if (swaps.some(([, now]) => unsafe.test(now))) return undefined;
  const places = swaps.map((swap) => placesOf(swap, text));
  if (places.flat().some((place) => breaksWord(place, text))) return undefined;
  const isClear = places.every((found) => found.length === 1 || (found[0] && !shortNumber.test(found[0].past)));
  const areNames = swaps.every(([past, , form]) => form !== 'named' || isNameIn(text, past));
  if (!isClear || !areNames || dependsOnSwapped(text, places.flat())) return undefined;
  let out = '';
  let from = 0;
  for (const { at, past, now } of places.flat().sort((a, b) => a.at - b.at)) {
    if (at < from) return undefined;
    out += text.slice(from, at) + now;
    from = at + past.length;
  }
  return out + text.slice(from);
}

/** `/srv/my docs` would be two words where `/srv` was one; of `/srv/..` only `/srv/` may have been read. */
function breaksWord({ at, past, now }: Place, text: string): boolean {
  if (now.endsWith('/') && !past.endsWith('/')) return true;
  const isQuoted = /["']/.test(text.charAt(at - 1)) && text.charAt(at - 1) === text.charAt(at + past.length);
  return !isQuoted && (now.match(special) ?? []).some((sign) => !past.includes(sign));
}

/** Whether a file gets another format: what writes a `.tar.gz` writes no `.zip`. */
export function changesFormat(swaps: readonly Swap[]): boolean {
  return swaps.some(([past, now]) => {
    const [was, is] = [past, now].map((value) => file.exec(value)?.[1]?.toLowerCase());
    return was !== undefined && is !== undefined && was !== is;
  });
}

const token = /[\p{L}\p{N}_:./-]+/gu;
const shortestDependent = 4;

/**
 * Whether a number or date stands beside a swapped one of its form, which is not swapped and may follow from it: the end of
 * 2022 is 2023-01-01.
 */
function dependsOnSwapped(text: string, places: readonly Place[]): boolean {
  const tokens = [...text.matchAll(token)].map(({ 0: found, index }) => ({
    form: found.replace(/\p{N}/gu, '0').replace(/[.:/-]+$/, ''),
    isSwapped: places.some(({ at }) => at >= index && at < index + found.length),
  }));
  const isLong = (form: string) => form.split('0').length > shortestDependent;
  const swapped = new Set(tokens.filter(({ form, isSwapped }) => isSwapped && isLong(form)).map(({ form }) => form));
  return tokens.some(({ form, isSwapped }) => !isSwapped && swapped.has(form));
}

/** Everywhere: `billing` alone is not enough where `billing_db` stands, too. */
function isNameIn(text: string, word: string): boolean {
  return countNamed(text, word) === text.toLowerCase().split(word).length - 1;
}

interface Place {
  at: number;
  past: string;
  now: string;
}

/** Where a value occurs as a whole token. */
function placesOf([past, now]: Swap, text: string): Place[] {
  const places: Place[] = [];
  for (let at = text.indexOf(past); at >= 0; at = text.indexOf(past, at + past.length)) {
    const before = text.slice(Math.max(0, at - 2), at);
    const after = text.slice(at + past.length, at + past.length + 4);
    if (isWhole(past, before, after)) places.push({ at, past, now });
  }
  return places;
}

function isWhole(value: string, before: string, after: string): boolean {
  // `head -5` has a number, `standard-5` is a name.
  if (number.test(value))
    return (
      !/[\p{L}\p{N}_.,]$|[\p{L}\p{N}]-$/u.test(before) &&
      !/^[.,]?\d/.test(after) &&
      (unit.test(after) || !partOfWord.test(after.charAt(0)))
    );
  // `--dry-run` is an option, not a value.
  if (before.endsWith('-') && /^\p{L}/u.test(value)) return false;
  const begins = !partOfWord.test(before.slice(-1)) || !partOfWord.test(value.charAt(0));
  const ends = !partOfWord.test(after.charAt(0)) || !partOfWord.test(value.slice(-1));
  return begins && ends;
}

import { countNamed, isStopWord, mayBeName, monthOf } from '@whetstone/reading';

import type { Token } from './task-words.js';

/**
 * A value of the past task and its counterpart in the new one. `named`: a plain word in the place of a name. `kind`: a
 * capitalised word beside a number. `slot`: a plain word that another past task of the same wording has another word for. `twelve`: an hour before "am" or "pm", one of the two 12, which is 0 or 12 where hours are
 * counted to 24.
 */
export type Swap = readonly [past: string, now: string, form?: 'named' | 'slot' | 'kind' | 'twelve'];

const maxSwaps = 6;
/** With fewer words in common, tasks do not count as equally worded. */
export const minSharedWords = 2;

/**
 * The swaps between texts that differ only in values, and in one plain word that may be a name. `exchanged`: the same values
 * changed places, as in "from b to a".
 */
export function swapsBetween(
  past: readonly Token[],
  now: readonly Token[],
  isSlot: (at: number) => boolean = () => false,
): Swap[] | 'exchanged' | undefined {
  if (past.length !== now.length) return undefined;
  const swaps = new Map<string, string>();
  const kept = new Set<string>();
  const twelve = new Set<string>();
  const kinds = new Set<string>();
  const slots = new Set<string>();
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
    if ((!mayBeValue(was) || !mayBeValue(is)) && isSlot(at)) slots.add(was.text);
    else if (!mayBeValue(was) || !mayBeValue(is)) {
      if (named !== undefined || !standsAsName(past, now, at)) return undefined;
      named = was.text;
    }
    if ((swaps.get(was.text) ?? is.text) !== is.text) return undefined;
    swaps.set(was.text, is.text);
    if (isKind(past, at)) kinds.add(was.text);
    if ([was.text, is.text].includes('12') && halfOfDay.test(past[at + 1]?.text ?? '')) twelve.add(was.text);
  }
  const isClear = ![...kept].some((text) => swaps.has(text));
  if (!isClear || swaps.size === 0 || swaps.size > maxSwaps || words < minSharedWords) return undefined;
  if ([...swaps.values()].every((text) => swaps.has(text))) return 'exchanged';
  return [...swaps].map(([was, is]) => {
    if (was === named) return [was, is, 'named'];
    if (slots.has(was)) return [was, is, 'slot'];
    if (kinds.has(was)) return [was, is, 'kind'];
    return twelve.has(was) ? [was, is, 'twelve'] : [was, is];
  });
}

/** “Rechnung 900”, but not “4 May” */
function isKind(tokens: readonly Token[], at: number): boolean {
  const { kind, text } = tokens[at] as Token;
  const isBesideNumber = [tokens[at - 1], tokens[at + 1]].some((beside) => /^\d+$/.test(beside?.text ?? ''));
  return kind === 'name' && isBesideNumber && monthOf(text) === undefined;
}

/** "the billing service", "the service billing": once, beside the word for what it is. The first word is a verb. */
function standsAsName(past: readonly Token[], now: readonly Token[], at: number): boolean {
  const [was, is] = [past[at], now[at]];
  if (was?.kind !== 'word' || is?.kind !== 'word' || !mayBeName(is.text)) return false;
  if (isStopWord(was.word) || isStopWord(is.word)) return false;
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
/** A file by its path or name, not a pattern, an address or a host. */
const file = /^(?<folder>[^:@*?]*\/)?(?<stem>[^:@*?/]*?)(?<format>(?:\.\p{L}[\p{L}\p{N}]{0,7}){1,2})$/u;
/** What a bare name ends with may also be a column, a domain or a part of a module. */
const shortFormat = /\.\p{L}[\p{L}\p{N}]{0,3}$/u;
const domain = /\.(?:com|net|org|edu|gov|info|biz|dev|app|local|internal|example|test)$/i;
/** Two letters that are no usual format of a file are a country. */
const country = /\.(?!(?:py|sh|js|ts|md|rb|go|rs|pl|cs|cc|hs|kt|gz|xz|bz|db|so|ps)$)[a-z]{2}$/i;
const number = /^\d+$/;
const halfOfDay = /^[ap]\.?m$/i;
/** Too ambiguous to swap if it occurs more than once, unless all are of one name. */
const shortNumber = /^\d{1,2}$/;
const partOfWord = /[\p{L}\p{N}_]/u;
/** A unit that may follow a number. */
const unit = /^[bkmgtdwhsp]i?b?(?![\p{L}\p{N}_])/iu;

/**
 * Fills the values of the new task into a past example; `undefined` if a place is ambiguous.
 *
 * @param isGiven whether the past task has a value, which then follows from no other
 */
export function withSwaps(
  text: string,
  said: readonly Swap[],
  isGiven: (value: string) => boolean = () => false,
): string | undefined {
  const swaps = said.map((swap) => (placesOf(swap, text).length > 0 ? swap : withoutUnit(swap)));
  if (!swaps.every((swap) => mayFillIn(swap, text))) return undefined;
  const places = swaps.map((swap) => placesOf(swap, text));
  const isClear = places.every(
    (found) => found.length > 0 && (found.length === 1 || !areShort(found) || areOfOneName(found, text)),
  );
  const areNames = swaps.every(
    ([past, , form], at) =>
      (form !== 'named' || isNameIn(text, past)) && (form !== 'slot' || timesIn(text, past) === places[at]?.length),
  );
  if (!isClear || !areNames || dependsOnSwapped(text, places.flat())) return undefined;
  if (places.flat().some((place) => hasFollowing(place, without(text, places.flat()), isGiven))) return undefined;
  const other = otherFormats(swaps, without(text, places.flat()));
  const all = [...places.flat(), ...other];
  const rest = without(text, all);
  if (all.some((place) => breaksWord(place, text)) || swaps.some((swap) => isPartLeft(swap, rest))) return undefined;
  let out = '';
  let from = 0;
  for (const { at, past, now } of all.sort((a, b) => a.at - b.at)) {
    if (at < from) return undefined;
    out += text.slice(from, at) + now;
    from = at + past.length;
  }
  return out + text.slice(from);
}

function areShort([first]: readonly Place[]): boolean {
  return first !== undefined && shortNumber.test(first.past);
}

const nameBefore = /\p{L}[\p{L}\p{N}_-]{0,40}["']?\s?[:=]\s?["']?$/u;

/** `"room": 5` in two calls. */
function areOfOneName(places: readonly Place[], text: string): boolean {
  const names = new Set(places.map(({ at }) => nameBefore.exec(text.slice(Math.max(0, at - 50), at))?.[0]));
  return names.size === 1 && !names.has(undefined);
}

const withUnit = /^([$€£#]?)(\d+(?:\.\d+)?)(%|\p{L}{1,5})?$/u;

/** `10%` and `25%` may be `--share 10` in the example. */
function withoutUnit(swap: Swap): Swap {
  const [[, before, was, after] = [], [, prefix, is, suffix] = []] = [swap[0], swap[1]].map(
    (value) => withUnit.exec(value) ?? [],
  );
  return was !== undefined && is !== undefined && before === prefix && after === suffix ? [was, is] : swap;
}

/** `0 3 * * *` takes neither 3:30 nor 12 am. */
function mayFillIn([past, now, form]: Swap, text: string): boolean {
  if (unsafe.test(now)) return false;
  if (form === 'twelve' && !/\d ?[ap]\.?m\b/i.test(text)) return false;
  return !number.test(past) || number.test(now);
}

/**
 * `/srv/my docs` would be two words where `/srv` was one; of `/srv/..` only `/srv/` may have been read; `-n.txt` would be an
 * option.
 */
function breaksWord({ at, past, now }: Place, text: string): boolean {
  if ((now.endsWith('/') && !past.endsWith('/')) || (now.startsWith('-') && !past.startsWith('-'))) return true;
  const isQuoted = /["']/.test(text.charAt(at - 1)) && text.charAt(at - 1) === text.charAt(at + past.length);
  return !isQuoted && (now.match(special) ?? []).some((sign) => !past.includes(sign));
}

/** Whether a file gets another format: what reads or writes a `.tar.gz` does so with no `.zip`. */
export function changesFormat(swaps: readonly Swap[]): boolean {
  return swaps.some(([past, now]) => {
    const [was, is] = [partsOf(past), partsOf(now)];
    if (!was.format || !is.format || was.format.toLowerCase() === is.format.toLowerCase()) return false;
    if (was.folder && is.folder) return true;
    const isBareFile = was.stem !== '' && is.stem !== '' && [past, now].some((value) => shortFormat.test(value));
    return isBareFile && ![past, now].some((value) => domain.test(value) || country.test(value));
  });
}

function partsOf(value: string): { folder: string; stem: string; format: string } {
  const { folder = '', stem, format = '' } = file.exec(value)?.groups ?? {};
  if (stem !== undefined) return { folder, stem, format };
  const name = value.lastIndexOf('/') + 1;
  return { folder: value.slice(0, name), stem: value.slice(name), format };
}

/** The text with the places blanked out. */
function without(text: string, places: readonly Place[]): string {
  return places.reduce(
    (rest, { at, past }) => rest.slice(0, at) + '\0'.repeat(past.length) + rest.slice(at + past.length),
    text,
  );
}

const shortestPart = 3;

/** A name in another format: `clip.mp4` beside `clip.mov`. */
function otherFormats(swaps: readonly Swap[], text: string): Place[] {
  return swaps.flatMap(([past, now]) => {
    const [was, is] = [partsOf(past), partsOf(now)];
    const isFile = was.folder !== '' || was.format !== '';
    if (!isFile || was.stem.length < shortestPart || is.stem === '' || isVariable(was.stem, text)) return [];
    const inOther = new RegExp(`(?<![^\\s"'=<>/])${literally(was.stem)}(?=\\.[a-z][a-z\\d]{0,3}(?![\\w([]))`, 'g');
    return [...text.matchAll(inOther)].map(({ index }) => ({ at: index, past: was.stem, now: is.stem }));
  });
}

/**
 * Whether a part of a past value stands where nothing was filled in: `app` of `app.log`, `red` of `team-red`, 200 in `200x100`,
 * 20 in `balance-20`.
 */
function isPartLeft([past, now]: Swap, rest: string): boolean {
  if (number.test(past)) {
    const alone = `(?<![\\p{L}\\p{N}_.,])${past}(?![\\p{L}\\p{N}_]|[.,][\\p{L}\\p{N}])`;
    const inName = past.length < shortestPart ? `${past}(?=x\\d)|(?<=\\dx)${past}|${alone}` : past;
    return new RegExp(`(?<!\\d)(?:${inName})(?!\\d)`, 'u').test(rest);
  }
  const [was, is] = [partsOf(past), partsOf(now)];
  const folder = /.\/./.test(was.folder) && was.folder !== is.folder ? was.folder.slice(0, -1) : '';
  const stem = was.stem === is.stem || isVariable(was.stem, rest) ? '' : was.stem;
  // `vricci`, of Vera Ricci.
  if (writtenName.test(past) && rest.toLowerCase().includes(past.toLowerCase())) return true;
  const parts = [past, stem, folder, ...replacedParts(past, now)];
  if (was.format !== '' && stem !== '' && beginsName(rest, stem)) return true;
  return parts.some((part) => part.length >= shortestPart && standsIn(rest, part));
}

/** `red`, where `team-red` became `team-blue`. */
function replacedParts(past: string, now: string): string[] {
  const [was, is] = [past, now].map((value) => value.split(/[-_]/));
  return was?.length === is?.length && was && was.length > 1 ? was.filter((part, at) => part !== is?.[at]) : [];
}

const writtenName = /^\p{Lu}\p{Ll}{3,}$/u;

/** As a word or in a name. */
function standsIn(text: string, part: string): boolean {
  return new RegExp(`(?<![\\p{L}\\p{N}])${literally(part)}(?![\\p{L}\\p{N}])`, 'iu').test(text);
}

/** `a_small.png`, beside `a.png` */
function beginsName(text: string, stem: string): boolean {
  return new RegExp(`(?<![\\p{L}\\p{N}_.$-])${literally(stem)}[_-][\\p{L}\\p{N}_-]*\\.\\p{L}`, 'u').test(text);
}

/** `data = read("data.csv")`: the example's own name for it. */
function isVariable(name: string, text: string): boolean {
  const word = literally(name);
  return new RegExp(`(?<![^\\s;(,])${word}\\s*=(?!=)|\\b(?:as|for|import)\\s+${word}(?![\\w.])`).test(text);
}

export function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
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

/** By itself: neither `$2` nor `-f2` nor `2>`. */
const countIn = /(?<![\p{L}\p{N}_.,$#@/:-])\d{1,9}(?=\p{L}{0,2}(?![\p{L}\p{N}>]|[.:/-]\d))/gu;

/**
 * Whether another number may follow from this one: `LIMIT 20 OFFSET 40`, `head -n 1; tail -n +2`, `split -n 4` with `seq 0 3`.
 */
function hasFollowing({ past }: Place, rest: string, isGiven: (value: string) => boolean): boolean {
  const count = Number(/^\d{1,9}(?=\p{L}{0,2}$)/u.exec(past)?.[0]);
  if (Number.isNaN(count)) return false;
  return [...rest.matchAll(countIn)].some(([written]) => {
    const other = Number(written);
    const follows = Math.abs(other - count) === 1 || (count > 1 && other > count && other % count === 0);
    return other > 1 && follows && !isGiven(written);
  });
}

/** Everywhere: `billing` alone is not enough where `billing_db` stands, too. */
function isNameIn(text: string, word: string): boolean {
  return countNamed(text, word) === timesIn(text, word);
}

function timesIn(text: string, word: string): number {
  return text.toLowerCase().split(word.toLowerCase()).length - 1;
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

import { type Tokens, tokenAt, tokenize } from './tokens.js';

/** The months in English, German, French, Spanish and Italian, without accents, each with the short forms people write. */
const monthNames: readonly string[] = [
  'january jan januar janvier enero gennaio',
  'february feb februar fevrier febrero febbraio',
  'march mar marz mars marzo',
  'april apr avril abril aprile',
  'may mai mayo maggio',
  'june jun juni juin junio giugno',
  'july jul juli juillet julio luglio',
  'august aug aout agosto',
  'september sep sept septembre septiembre settembre',
  'october oct oktober okt octobre octubre ottobre',
  'november nov novembre noviembre',
  'december dec dezember dez decembre diciembre dicembre',
];
const months = new Map(monthNames.flatMap((names, at) => names.split(' ').map((name) => [name, at + 1] as const)));

/** The number of a month by its name, in any case and with or without accents. */
export function monthOf(word: string): number | undefined {
  return months.get(word.toLowerCase().normalize('NFD').replace(/\p{M}/gu, ''));
}

export interface FoundDate {
  /** The place behind it, among the tokens. */
  to: number;
  /** As `2026-03-05`; undefined without a year. */
  iso: string | undefined;
}

/** The date that begins at a token. */
export function dateAt(tokens: Tokens, at: number): FoundDate | undefined {
  return inDigits(tokens, at) ?? inWords(tokens, at);
}

/** `2026-03-05`, also with a time, `24.12.2026`, `12/24/26`. */
function inDigits(tokens: Tokens, at: number): FoundDate | undefined {
  const parts = tokens.slice(at, at + 5);
  const [first = '', sign = '', second = '', sameSign, third = ''] = parts.map(({ text }) => text);
  if (parts.filter(({ type }) => type === 'number').length !== 3 || sign !== sameSign || second.length > 2)
    return undefined;
  const to = at + 5;
  if (first.length === 4 && third.length <= 2 && (sign === '-' || sign === '/'))
    return { to: afterTime(tokens, to), iso: isoDate(first, Number(second), Number(third)) };
  if (first.length > 2 || !'./-'.includes(sign)) return undefined;
  if (third.length === 2 && sign === '/') return { to, iso: undefined };
  const [day, month] = sign === '.' || Number(first) > 12 ? [first, second] : [second, first];
  return third.length === 4 ? { to, iso: isoDate(third, Number(month), Number(day)) } : undefined;
}

function afterTime(tokens: Tokens, at: number): number {
  const isTime = 'T '.includes(tokenAt(tokens, at).text) && tokenAt(tokens, at + 2).text === ':';
  let to = isTime ? at + 1 : at;
  while (to > at && (tokenAt(tokens, to).type === 'number' || timeSigns.has(tokenAt(tokens, to).text))) to++;
  // A full stop or a colon behind it is not part of it.
  while (to > at && '.:+-'.includes(tokenAt(tokens, to - 1).text)) to--;
  return to;
}

const timeSigns = new Set(['Z', ':', '.', '+', '-']);
const ordinals = new Set('st nd rd th er º'.split(' '));
const betweenMonthAndDay = new Set(['.', ' ']);
const betweenDayAndMonth = new Set([...betweenMonthAndDay, ...ordinals, 'of', 'de']);
const beforeYear = new Set([...betweenDayAndMonth, ',']);
/** In lower case these are other words, unless a year or an ending follows: "may 5 files". */
const ambiguous = new Set(['may', 'mar', 'march']);

/** `May 20th, 2026`, `3. März 2026`, `20 de mayo`. */
function inWords(tokens: Tokens, at: number): FoundDate | undefined {
  const first = tokenAt(tokens, at);
  const isDayFirst = first.type === 'number';
  const second = skip(tokens, at + 1, isDayFirst ? betweenDayAndMonth : betweenMonthAndDay);
  const [day, month] = isDayFirst ? [first, tokenAt(tokens, second)] : [tokenAt(tokens, second), first];
  const number = monthOf(month.text);
  if (number === undefined || day.type !== 'number' || day.text.length > 2 || second === at + 1) return undefined;
  const isOrdinal = ordinals.has(tokenAt(tokens, tokens.indexOf(day) + 1).text);
  const placeOfYear = skip(tokens, second + 1, beforeYear);
  const { text: year } = tokenAt(tokens, placeOfYear);
  if (year.length === 4 && (year.startsWith('19') || year.startsWith('20')))
    return { to: placeOfYear + 1, iso: isoDate(year, number, Number(day.text)) };
  if (ambiguous.has(month.text) && !isOrdinal) return undefined;
  // A size before the date of a file: "31 May 20 14:05".
  if (isDayFirst && tokenAt(tokens, placeOfYear).type === 'number' && year.length <= 2) return undefined;
  return { to: second + (isOrdinal && !isDayFirst ? 2 : 1), iso: undefined };
}

function skip(tokens: Tokens, at: number, skipped: ReadonlySet<string>): number {
  let to = at;
  while (to < at + 4 && skipped.has(tokenAt(tokens, to).text)) to++;
  return to;
}

/** Every full date in a text, as `2026-03-05`. */
export function datesIn(text: string): Set<string> {
  const tokens = tokenize(text);
  return new Set(tokens.flatMap((_, at) => dateAt(tokens, at)?.iso ?? []));
}

/** A text that is one full date, as `2026-03-05`. */
export function dateOf(text: string): string | undefined {
  const tokens = tokenize(text);
  const found = dateAt(tokens, 0);
  return found?.to === tokens.length ? found.iso : undefined;
}

function isoDate(year: string, month: number, day: number): string | undefined {
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

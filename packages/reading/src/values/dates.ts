import { digits, isDigits, maybe, one, repeated, sequence, type Tokens, text, tokenAt, tokenize } from './tokens.js';

/** Months in English, German, French, Spanish and Italian with common abbreviations, without accents. */
const months = new Map(
  (
    'january jan januar janvier enero gennaio, february feb februar fevrier febrero febbraio, march mar marz mars marzo, ' +
    'april apr avril abril aprile, may mai mayo maggio, june jun juni juin junio giugno, july jul juli juillet julio luglio, ' +
    'august aug aout agosto, september sep sept septembre septiembre settembre, ' +
    'october oct oktober okt octobre octubre ottobre, november nov novembre noviembre, ' +
    'december dec dezember dez decembre diciembre dicembre'
  )
    .split(', ')
    .flatMap((names, at) => names.split(' ').map((name) => [name, at + 1] as const)),
);

/** Month number, ignoring case and accents. */
export function monthOf(word: string): number | undefined {
  return months.get(word.toLowerCase().normalize('NFD').replace(/\p{M}/gu, ''));
}

interface FoundDate {
  /** Index of the token after it. */
  to: number;
  /** As `2026-03-05`; undefined without a year. */
  iso: string | undefined;
}

function dateAt(tokens: Tokens, at: number): FoundDate | undefined {
  return dateInDigits(tokens, at) ?? dateInWords(tokens, at);
}

const time = maybe(
  sequence(
    one((sign) => sign.text === 'T' || sign.text === ' '),
    sequence(digits(1, 2), text(':'), digits(2)),
    repeated(sequence(text(': . + -'), digits(1, 12)), 0, 4),
    maybe(text('Z')),
  ),
);

/** `2026-03-05`, with or without a time, `24.12.2026`, `12/24/26` */
export function dateInDigits(tokens: Tokens, at: number): FoundDate | undefined {
  if (tokenAt(tokens, at).type !== 'number') return undefined;
  const parts = tokens.slice(at, at + 5);
  const [first = '', sign = '', second = '', sameSign, third = ''] = parts.map((part) => part.text);
  if (sign !== sameSign || !isDigits(first + second + third)) return undefined;
  const form = `${first.length}${sign}${third.length}`;
  if (second.length > 2 || !/^(?:4[-/][12]|[12](?:[-/.]4|\/2))$/.test(form)) return undefined;
  if (first.length === 4) return { to: time(tokens, at + 5), iso: isoDate(first, second, third) };
  const isDayFirst = sign === '.' || Number(first) > 12;
  return { to: at + 5, iso: isDayFirst ? isoDate(third, second, first) : isoDate(third, first, second) };
}

const ordinals = new Set('st nd rd th er'.split(' '));
const between = [...ordinals, ' ', '.', 'of', 'de'];
const upTo4 = (texts: readonly string[]) =>
  repeated(
    one((found) => texts.includes(found.text)),
    0,
    4,
  );
const beforeMonth = upTo4(between);
const beforeYear = upTo4([...between, ',']);
/** Ordinary words in lower case, unless a year or ordinal follows: "may 5 files". */
const ambiguous = new Set(['may', 'march']);

/** `May 20th, 2026`, `3. März 2026`, `20 de mayo` */
export function dateInWords(tokens: Tokens, at: number): FoundDate | undefined {
  const { type } = tokenAt(tokens, at);
  if (type !== 'number' && type !== 'word') return undefined;
  const isDayFirst = type === 'number';
  const second = beforeMonth(tokens, at + 1);
  const [placeOfDay, placeOfMonth] = isDayFirst ? [at, second] : [second, at];
  const [day, month] = [tokenAt(tokens, placeOfDay), tokenAt(tokens, placeOfMonth)];
  const number = monthOf(month.text);
  if (number === undefined || day.type !== 'number' || day.text.length > 2 || second === at + 1) return undefined;
  const isOrdinal = ordinals.has(tokenAt(tokens, placeOfDay + 1).text);
  const placeOfYear = beforeYear(tokens, second + 1);
  const { text: year } = tokenAt(tokens, placeOfYear);
  if (year.length === 4 && (year.startsWith('19') || year.startsWith('20')))
    return { to: placeOfYear + 1, iso: isoDate(year, String(number), day.text) };
  // "31 May 20 14:05" is a file size before a date.
  const isSize = isDayFirst && tokenAt(tokens, second + 2).type === 'number';
  if (isSize || (ambiguous.has(month.text) && !isOrdinal)) return undefined;
  return { to: second + (isOrdinal && !isDayFirst ? 2 : 1), iso: undefined };
}

/** All complete dates in a text, as `2026-03-05`. */
export function datesIn(written: string): Set<string> {
  const tokens = tokenize(written);
  return new Set(tokens.flatMap((_, at) => dateAt(tokens, at)?.iso ?? []));
}

/** The date if the text is exactly one, as `2026-03-05`. */
export function dateOf(written: string): string | undefined {
  const tokens = tokenize(written);
  const found = dateAt(tokens, 0);
  return found?.to === tokens.length ? found.iso : undefined;
}

function isoDate(year: string, month: string, day: string): string | undefined {
  if (year.length < 4 || Number(month) > 12 || Number(day) > 31) return undefined;
  return [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-');
}

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

const numeric = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?![\d])/;
const dayFirst = /^(\d{1,2})([./])(\d{1,2})\2(\d{4})$/;
const written =
  /^(?:(\p{L}{3,10})\.? (\d{1,2})|(\d{1,2})\p{L}{0,2}\.? (?:of |de )?(\p{L}{3,10}))\p{L}{0,2}\.?,? ?(?:de )?(\d{4})$/u;

/** A full date as `2026-03-05`, however it is written; where day and month cannot be told apart, as it is. */
export function dateOf(text: string): string | undefined {
  const [, year, month, day] = numeric.exec(text) ?? [];
  if (year) return isoDate(year, Number(month), Number(day));
  const [, first, sign, second, inYear] = dayFirst.exec(text) ?? [];
  if (inYear) {
    const [d, m] = sign === '.' || Number(first) > 12 ? [first, second] : [second, first];
    return isoDate(inYear, Number(m), Number(d));
  }
  const [, monthBefore, dayAfter, dayBefore, monthAfter, lastYear] = written.exec(text) ?? [];
  const named = monthOf(monthBefore ?? monthAfter ?? '');
  return named && lastYear ? isoDate(lastYear, named, Number(dayAfter ?? dayBefore)) : undefined;
}

function isoDate(year: string, month: number, day: number): string | undefined {
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

import type { FoundValue, ValueKind } from './value-forms.js';

/** The value of a named field, argument or column, without its quotes. */
interface FoundField extends FoundValue {
  name: string;
  isQuoted: boolean;
}

const kinds: ReadonlyMap<string, ValueKind> = new Map(
  (
    [
      [
        'name',
        'surname firstname lastname fullname username nickname login handle customer passenger recipient sender author owner assignee cardholder patient guest driver traveller traveler',
      ],
      ['email', 'email mail'],
      ['phone', 'phone mobile telephone tel fax'],
      ['date', 'dob birth birthday birthdate birthdays'],
      ['address', 'street address addr zip postal postcode city town'],
      ['id', 'ssn passport iban cvv pin id uuid guid'],
      [
        'text',
        'comment comments note notes message text description body subject reason feedback review remark instructions said says wrote typed replied',
      ],
    ] as const
  ).flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind] as const)),
);
/** Words before "name" that make it a person's: a `file_name` is not. */
const persons = new Set(
  'first last middle full given family nick user client contact account employee student'.split(' '),
);

/** The kind of personal value that a field's name announces. */
export function kindOfField(name: string): ValueKind | undefined {
  const words = (name.match(/\p{Lu}*\p{Ll}+|\p{Lu}+/gu) ?? []).map((word) => word.toLowerCase());
  if (words.at(-1) === 'name') return words.length === 1 || isPerson(words.at(-2) ?? '') ? 'name' : undefined;
  return kinds.get(words.findLast((word) => kinds.has(word)) ?? '');
}

/** People whom a run is about. An `owner`, an `author` or a `login` may be an account of the system. */
const served = new Set(
  (
    'customer passenger recipient cardholder patient guest driver traveller traveler assignee client employee student ' +
    'surname firstname lastname fullname username nickname'
  ).split(' '),
);

/** Whether the value of a field, or the next part of a path, says who it is about: `customer`, `first_name`, `/patients/`. */
export function namesPerson(name: string): boolean {
  const words = (name.match(/\p{Lu}*\p{Ll}+|\p{Lu}+/gu) ?? []).map((word) => word.toLowerCase());
  const last = words.at(-1) ?? '';
  return served.has(last.replace(/s$/, '')) || (last === 'name' && words.length > 1 && isPerson(words.at(-2) ?? ''));
}

const accounts = new Set('nick user account login handle member'.split(' '));

/** Whether a column tells whose row it is. */
export function namesAccount(column: string): boolean {
  const last = /\p{L}+$/u.exec(column)?.[0].toLowerCase() ?? '';
  return namesPerson(column) || accounts.has(last);
}

function isPerson(word: string): boolean {
  return persons.has(word) || kinds.get(word) === 'name';
}

/** A field name and its operator. The operator is optional only before quoted speech. */
const assignment =
  /(?<![\p{L}\p{N}_-])(\p{L}[\p{L}\p{N}_-]{1,40})["'`]?(?:\s{0,3}(=>|={1,2}|:|\blike\b|\bilike\b)\s{0,3}|,? (?=["“]))(?=\S)/giu;
const closing: Record<string, string> = { "'": "'", '"': '"', '`': '`', '“': '”' };
const afterBareValue = ',;\n()[]{}<>"\'`&|';
const longestValue = 400;

/** Values of named fields in records, queries, code and lists: `"name": "x"`, `name = 'x'`, `name: x`. */
export function fieldsIn(text: string): FoundField[] {
  return [...text.matchAll(assignment)].flatMap(({ 0: found, 1: name = '', 2: operator, index }) => {
    const kind = kindOfField(name);
    if (!kind || (!operator && kind !== 'text')) return [];
    const start = index + found.length;
    const close = closing[text.charAt(start)];
    const from = close ? start + 1 : start;
    const ends = found.endsWith('=') ? `${afterBareValue} ` : afterBareValue;
    const to = endOfValue(text, from, close ? `${close}\n` : ends);
    return to === from ? [] : [{ name, kind, from, to, isQuoted: close !== undefined }];
  });
}

function endOfValue(text: string, from: number, marks: string): number {
  const rest = text.slice(from, from + longestValue);
  let end = 0;
  while (end < rest.length && !marks.includes(rest.charAt(end))) end += rest.charAt(end) === '\\' ? 2 : 1;
  return from + rest.slice(0, end).trimEnd().length;
}

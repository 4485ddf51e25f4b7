import type { ValueKind } from './value-kinds.js';

/** What a field of a record, an argument or a column holds by its name. */
export interface FoundField {
  kind: ValueKind;
  /** Where its value stands, without quotes. */
  from: number;
  to: number;
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
      ['text', 'comment comments note notes message body subject reason feedback review remark instructions'],
    ] as const
  ).flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind] as const)),
);
/** Whose name it is: the name of a file or a table is nobody's. */
const persons = new Set(
  'first last middle full given family maiden legal user customer passenger guest patient student employee client contact author owner sender recipient holder display nick account'.split(
    ' ',
  ),
);

/** The kind of what a field holds that identifies somebody; undefined where its name says nothing of the kind. */
export function kindOfField(name: string): ValueKind | undefined {
  const words = name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '');
  const last = words.at(-1);
  if (last === 'name') return words.length === 1 || persons.has(words.at(-2) ?? '') ? 'name' : undefined;
  for (const word of words.toReversed()) {
    const kind = kinds.get(word);
    if (kind) return kind;
  }
  return undefined;
}

const assignment =
  /(?<![\p{L}\p{N}_-])(\p{L}[\p{L}\p{N}_-]{1,40})["'`]?\s{0,3}(?:=>|={1,2}|:|\blike\b|\bilike\b)\s{0,3}(?=\S)/giu;
const longestValue = 400;

/** Values behind a name, as records, queries, code and lists write them: `"name": "x"`, `name = 'x'`, `name: x`. */
export function fieldsIn(text: string): FoundField[] {
  const found: FoundField[] = [];
  for (const match of text.matchAll(assignment)) {
    const kind = kindOfField(match[1] ?? '');
    if (!kind) continue;
    const start = match.index + match[0].length;
    const quote = text.charAt(start);
    const isQuoted = quote === '"' || quote === "'" || quote === '`';
    const value = isQuoted ? quotedFrom(text, start, quote) : bareFrom(text, start);
    if (value.trim() !== '') {
      const from = start + (isQuoted ? 1 : 0);
      found.push({ kind, from, to: from + value.length, isQuoted });
    }
  }
  return found;
}

function quotedFrom(text: string, start: number, quote: string): string {
  const rest = text.slice(start + 1, start + 1 + longestValue);
  let end = 0;
  while (end < rest.length && rest.charAt(end) !== quote && rest.charAt(end) !== '\n')
    end += rest.charAt(end) === '\\' ? 2 : 1;
  return rest.slice(0, end);
}

/** Up to the end of the line, or to a mark that ends a value. */
function bareFrom(text: string, start: number): string {
  const rest = text.slice(start, start + longestValue);
  const end = rest.search(/[,;\n()[\]{}<>"'`&|]/);
  return (end < 0 ? rest : rest.slice(0, end)).trimEnd();
}

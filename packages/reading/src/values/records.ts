/** Replaces a value of a record. */
type Replace = (value: string) => string;

const element = /(<([\p{L}_][\p{L}\p{N}_.:-]{0,60})(?:\s[^<>]{0,400})?>)([^<>]{1,400})(?=<\/\2\s*>)/gu;
const attribute = /(?<=<[^<>]{0,400}\s[\p{L}_][\p{L}\p{N}_.:-]{0,60}\s?=\s?)(?:"[^"<>]{1,400}"|'[^'<>]{1,400}')/gu;
/** `name: x`, `- name = x`, `FN;TYPE=home:x` */
const labelled = /^(\s*(?:[-*•]\s+)?["'*]{0,2}[\p{L}_][\p{L}\p{N}_ .;/=-]{0,40}["'*]{0,2}\s*[:=]["'*]{0,2}\s*)(\S.*)$/u;
const pair = /(?<![^\s,;])([\p{L}_][\p{L}\p{N}_.-]{0,40}=)("[^"]{0,400}"|[^\s",;]{1,400})/gu;
const separators = ['|', '\t', ',', ';', '^', '+', '*'];
const fewestCells = 3;
/** A longer value is a sentence. */
const mostWords = 5;
const longestLine = 2_000;

/** A text in the form of a record, such as XML, YAML or CSV, with its values replaced; `undefined` if it has no such form. */
export function replaceInRecord(text: string, replace: Replace): string | undefined {
  return replaceInMarkup(text, replace) ?? replaceInLines(text, replace);
}

function replaceInMarkup(text: string, replace: Replace): string | undefined {
  let found = 0;
  const counted = (value: string) => {
    found++;
    return replace(value);
  };
  const shown = text
    .replace(element, (_, open: string, __, value: string) => open + (value.trim() === '' ? value : counted(value)))
    .replace(attribute, (quoted) => quoted.charAt(0) + counted(quoted.slice(1, -1)) + quoted.charAt(0));
  return found > 1 ? shown : undefined;
}

/** Most of its lines hold fields. */
function replaceInLines(text: string, replace: Replace): string | undefined {
  const lines = text.split('\n').map((line) => replaceInLine(line.slice(0, longestLine), replace));
  const values = lines.reduce((sum, { values: some }) => sum + some, 0);
  const records = lines.filter(({ values: some }) => some > 0);
  const blank = lines.filter(({ shown }) => shown.trim() === '');
  if (values < 2 || records.length * 2 <= lines.length - blank.length) return undefined;
  return lines.map(({ shown }) => shown).join('\n');
}

function replaceInLine(line: string, replace: Replace): { shown: string; values: number } {
  const pairs = [...line.matchAll(pair)];
  if (pairs.length > 1) {
    return {
      shown: line.replace(pair, (_, name: string, value: string) => name + replace(value)),
      values: pairs.length,
    };
  }
  const cells = separators.map((mark) => line.split(mark)).find(areCells);
  if (cells) {
    const mark = line.charAt(cells[0]?.length ?? 0);
    const shown = cells.map((cell) => (isFilled(cell) ? replace(cell.trim()) : cell)).join(mark);
    return { shown, values: cells.filter(isFilled).length };
  }
  const [, name = '', value] = labelled.exec(line) ?? [];
  if (value === undefined || value.split(/\s+/).length > mostWords) return { shown: line, values: 0 };
  return { shown: name + replace(value), values: 1 };
}

function isFilled(cell: string): boolean {
  return /[\p{L}\p{N}]/u.test(cell);
}

/** Prose has a space behind each comma, and more words than cells. */
function areCells(cells: readonly string[]): boolean {
  const words = cells.join(' ').split(/\s+/).length;
  return cells.length >= fewestCells && words < cells.length * 2 + 2 && !/^ \S/.test(cells.at(-1) ?? '');
}

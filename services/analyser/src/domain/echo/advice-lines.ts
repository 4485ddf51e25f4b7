import { detailLabels, headPattern } from './advice-marks.js';

/** A line of a text with what ends it: a line break, or one that was escaped for JSON or HTML. */
export interface AdviceLine {
  text: string;
  end: string;
  /** It stands inside of a string of JSON, which ends at the next quotation mark. */
  escaped: boolean;
}

const lineEnd = /(\r\n|[\n\r\u2028\u2029]|(?:\\{1,8}r)?\\{1,8}n|<br ?\/?>|&#10;)/i;
const head = new RegExp(`(?:\\d{1,3}[.)][ \\t]{0,4})?${headPattern}`, 'i');
/** Marks of quotations, lists, emphasis and differences, and white space. */
const decoration = /^(?:[ \t>*+|#`~-]|&gt;){0,60}/i;
const labelled = new RegExp(`^(?:${Object.values(detailLabels).join('|')}|Of \\d+ runs? at this \\d+ succeeded:)`, 'i');

export function adviceLines(text: string): AdviceLine[] {
  const parts = text.split(lineEnd);
  const lines: AdviceLine[] = [];
  for (let at = 0; at < parts.length; at += 2) {
    const end = parts[at + 1] ?? '';
    lines.push({ text: parts[at] ?? '', end, escaped: isEscape(end) || isEscape(parts[at - 1] ?? '') });
  }
  return lines;
}

/** Where a recommendation begins in a line, its number included. */
export function headAt(line: string): number | undefined {
  return head.exec(line)?.index;
}

/** Whether a line after the first of a recommendation can belong to it: it says so, or is indented. */
export function continuesAdvice(line: string): boolean {
  const [marks = ''] = decoration.exec(line) ?? [];
  const rest = line.slice(marks.length);
  return labelled.test(rest) || (rest !== '' && /(?:[ \t]{2}|\t)$/.test(marks));
}

/** What is kept of the rest of a line that goes: of a string of JSON, its end and what comes after it. */
export function afterString({ escaped }: Pick<AdviceLine, 'escaped'>, rest: string): string {
  const quote = escaped ? rest.search(/(?<!\\)"/) : -1;
  return quote < 0 ? '' : rest.slice(quote);
}

function isEscape(end: string): boolean {
  return end.startsWith('\\');
}

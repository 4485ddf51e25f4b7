import { detailLabels, headPattern } from './advice-marks.js';

/** A line of a text with what ends it: a line break, or one that was escaped for JSON or HTML. */
export interface AdviceLine {
  text: string;
  end: string;
  /** It stands inside of a string of JSON, which ends at the next quotation mark. */
  escaped: boolean;
}

const lineEnd = /(\r\n|[\n\r\u2028\u2029]|<br ?\/?>|&#10;)/i;
const escapedEnd = /((?:\\{1,8}r)?\\{1,8}n)/;
/** Escapes in a command, as in `tr -d "\n"`, are part of it; those before a recommendation, or a line of one, end lines. */
const escapedAdvice = /(?<!\\)(\\{1,8})n(?:[ \t>]{0,8}(?:\d{1,3}[.)] |\[)| {3})/;
const head = new RegExp(`(?:\\d{1,3}[.)][ \\t]{0,4})?${headPattern}`, 'i');
/** Marks of quotations, lists, emphasis and differences, and white space. */
const decoration = /^(?:[ \t>*+|#`~-]|&gt;){0,60}/i;
/** Under whatever quotes the whole. */
const indented = /^(?:(?:>|&gt;|\+|\|) ?){0,8}(?: {2}|\t)[ \t]*\S/i;
const labelled = new RegExp(
  `^(?:${Object.values(detailLabels).join('|')}|Of \\d+ runs? at (?:this \\d+ succeeded:|requests like this that succeeded))`,
  'i',
);

/** The lines of a text with advice in it. */
export function adviceLines(text: string): AdviceLine[] {
  return linesOf(text, lineEnd).flatMap((line) => {
    const [, { length: depth } = ''] = escapedAdvice.exec(line.text) ?? [];
    if (depth === 0) return [line];
    // What was escaped once more stood as an escape in the advice itself.
    const inner = linesOf(line.text, new RegExp(`((?<!\\\\)(?:\\\\{${depth}}r)?\\\\{${depth}}n)`));
    return inner.map((part, at) => ({
      ...part,
      end: at === inner.length - 1 ? line.end : part.end,
      escaped: true,
    }));
  });
}

/** The lines of a text, whatever ends them. */
export function everyLine(text: string): AdviceLine[] {
  return linesOf(text, lineEnd).flatMap((line) => {
    const inner = linesOf(line.text, escapedEnd);
    return inner.map((part, at) => (at === inner.length - 1 ? { ...part, end: line.end } : part));
  });
}

/** Where a recommendation begins in a line, its number included. */
export function headAt(line: string): number | undefined {
  return head.exec(line)?.index;
}

/** Whether a line after the first of a recommendation can belong to it: it says so, or is indented. */
export function continuesAdvice(line: string): boolean {
  const [marks = ''] = decoration.exec(line) ?? [];
  const rest = line.slice(marks.length);
  return labelled.test(rest) || indented.test(line);
}

/** What is kept of the rest of a line that goes: of a string of JSON, its end and what comes after it. */
export function afterString({ escaped }: Pick<AdviceLine, 'escaped'>, rest: string): string {
  const quote = escaped ? rest.search(/(?<!\\)"/) : -1;
  return quote < 0 ? '' : rest.slice(quote);
}

function linesOf(text: string, ends: RegExp): AdviceLine[] {
  const parts = text.split(ends);
  return Array.from({ length: Math.ceil(parts.length / 2) }, (_, at) => ({
    text: parts[2 * at] ?? '',
    end: parts[2 * at + 1] ?? '',
    escaped: false,
  }));
}

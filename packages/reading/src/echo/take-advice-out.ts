import { delimiters, detailLabels, headAt } from './advice-marks.js';

export interface TakenOut {
  own: string;
  advice: string[];
}

/**
 * Where advice without a closing line ends. `everything`: at the end of the text, for input that was passed on and cut. `lines`:
 * after the lines that look like advice, where an action of the agent may follow.
 */
export type Unclosed = 'everything' | 'lines';

interface Mark {
  opens: boolean;
  from: number;
  to: number;
}

/** Removes advice from a text, however it was passed on, in linear time. */
export function takeAdviceOut(text: string, unclosed: Unclosed): TakenOut {
  const kept: string[] = [];
  const advice: string[] = [];
  let from = 0;
  let open: Mark | undefined;
  for (const mark of marksIn(text)) {
    if (mark.opens) {
      open ??= mark;
      continue;
    }
    // In a text cut at its start, the last paragraph before the closing line is advice.
    const start = open?.from ?? from + startOfLastParagraph(text.slice(from, mark.from));
    keep(text.slice(from, start));
    take(text.slice(open?.to ?? start, mark.from));
    from = mark.to;
    open = undefined;
  }
  keep(text.slice(from, open?.from));
  if (open) keepAfterOpening(text.slice(open.to));
  return kept.length === 1 && kept[0] === text ? { own: text, advice } : { own: joined(kept), advice };

  function keep(part: string): void {
    kept.push(withoutLooseAdvice(part, false, advice));
  }

  function take(part: string): void {
    if (part.trim() !== '') advice.push(part);
  }

  function keepAfterOpening(rest: string): void {
    if (unclosed === 'lines') {
      kept.push(withoutLooseAdvice(rest, true, advice));
      return;
    }
    const end = rest.trimStart().startsWith('\\') ? afterString(rest) : '';
    take(rest.slice(0, rest.length - end.length));
    kept.push(end);
  }
}

const looksAround = 120;
/** Markup of quotes, lists, headings and emphasis. */
const decoration = ' \t>*+|#`~';
const lineBreaks = '\n\r\u2028\u2029';

/** Delimiters that are on lines of their own, before the first recommendation, or close an open block. */
function* marksIn(text: string): Generator<Mark> {
  let isOpen = false;
  for (const { 0: mark, groups, index: from } of text.matchAll(delimiters)) {
    const to = from + mark.length;
    const opens = groups?.['opening'] !== undefined;
    const after = text.slice(to, to + looksAround);
    const before = text.slice(Math.max(0, from - looksAround), from);
    const rest = withoutStart(after, decoration);
    const begins = beginsLine(from > looksAround ? `x${before}` : before);
    const ends =
      rest === '' || lineBreaks.includes(rest.charAt(0)) || rest.startsWith('\\n') || rest.startsWith('\\\\n');
    const isInString = opens ? isQuote(before.at(-1)) : isQuote(withoutStart(after, '\\')[0]);
    const isOwnLine = opens ? (begins || isInString) && ends : begins && (ends || isInString);
    if (!isOwnLine && !(opens ? (headAt(after) ?? looksAround) < 40 : isOpen)) continue;
    yield { opens, from, to: ends ? to + after.length - rest.length : to };
    isOpen = opens;
  }
}

function beginsLine(before: string): boolean {
  const lead = withoutEnd(before, decoration);
  return lead === '' || lineBreaks.includes(lead.slice(-1)) || lead.endsWith('\\n') || lead.endsWith('\\r');
}

function isQuote(char: string | undefined): boolean {
  return char === '"' || char === "'" || char === '`';
}

export function withoutStart(text: string, chars: string): string {
  let start = 0;
  while (start < text.length && chars.includes(text.charAt(start))) start++;
  return text.slice(start);
}

export function withoutEnd(text: string, chars: string): string {
  let end = text.length;
  while (end > 0 && chars.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Recommendations copied without their delimiters. */
function withoutLooseAdvice(text: string, afterOpening: boolean, advice: string[]): string {
  if (!afterOpening && headAt(text) === undefined) return text;
  const kept: string[] = [];
  let inAdvice = afterOpening;
  for (const line of adviceLines(text)) {
    const start = headAt(line.text);
    if (start !== undefined || (inAdvice && continuesAdvice(line.text))) {
      const rest = line.text.slice(start ?? 0);
      const end = line.escaped ? afterString(rest) : '';
      advice.push(rest.slice(0, rest.length - end.length));
      const left = `${withoutEnd(line.text.slice(0, start ?? 0), `${decoration}-`)}${end}`;
      if (left !== '') kept.push(left, line.end);
      inAdvice = end === '';
    } else {
      kept.push(line.text, line.end);
      inAdvice &&= line.text.trim() === '';
    }
  }
  return kept.join('');
}

/** Whether a further line belongs to a recommendation: by its label or its indentation. */
function continuesAdvice(line: string): boolean {
  const said = withoutStart(line, `${decoration}-`).toLowerCase();
  let rest = line;
  while (['>', '+', '|'].includes(rest.charAt(0))) rest = rest.charAt(1) === ' ' ? rest.slice(2) : rest.slice(1);
  const isIndented = (rest.startsWith('  ') || rest.startsWith('\t')) && rest.trim() !== '';
  return isIndented || Object.values(detailLabels).some((label) => said.startsWith(label.toLowerCase()));
}

/** A line and its line break, possibly escaped for JSON. */
export interface AdviceLine {
  text: string;
  end: string;
  /** Part of a JSON string, which ends at the next quote. */
  escaped: boolean;
}

/** Escapes in a command, as in `tr -d "\n"`, are content; before a recommendation or one of its lines they are line breaks. */
const escapedAdvice = /(?<!\\)(\\{1,8})n(?:[ \t>]{0,8}(?:\d{1,3}[.)] |\[)| {3})/;

export function adviceLines(text: string): AdviceLine[] {
  return linesOf(text, /(\r\n|[\n\r\u2028\u2029])/).flatMap((line) => {
    const [, { length: depth } = ''] = escapedAdvice.exec(line.text) ?? [];
    if (depth === 0) return [line];
    // Deeper escapes were escapes in the advice itself.
    const inner = linesOf(line.text, new RegExp(`((?<!\\\\)(?:\\\\{${depth}}r)?\\\\{${depth}}n)`));
    return inner.map((part, at) => ({ ...part, end: at === inner.length - 1 ? line.end : part.end, escaped: true }));
  });
}

export function linesOf(text: string, ends: RegExp): AdviceLine[] {
  const parts = text.split(ends);
  return Array.from({ length: Math.ceil(parts.length / 2) }, (_, at) => ({
    text: parts[2 * at] ?? '',
    end: parts[2 * at + 1] ?? '',
    escaped: false,
  }));
}

/** What remains of a line removed from a JSON string: its closing quote and the rest. */
function afterString(rest: string): string {
  const quote = rest.search(/(?<!\\)"/);
  return quote < 0 ? '' : rest.slice(quote);
}

function startOfLastParagraph(text: string): number {
  const at = Math.max(...['\n\n', '\n\r\n', '\\n\\n', '\\n\\r\\n'].map((line) => text.lastIndexOf(line)));
  return at < 0 ? 0 : at + 2;
}

function joined(kept: readonly string[]): string {
  const parts: string[] = [];
  kept.forEach((part, at) => {
    const own = at === kept.length - 1 ? part : withoutLead(part);
    // A line break would terminate a JSON string.
    const isOnSameLine = parts.length === 0 || ['', '\\', '"'].includes(own.trimStart().charAt(0));
    if (own !== '') parts.push(isOnSameLine ? own : `\n${own.trimStart()}`);
  });
  return parts.join('').trim();
}

/** Drops markup and line breaks that led up to the advice. */
function withoutLead(text: string): string {
  let end = text.length;
  for (;;) {
    const last = text.charAt(end - 1);
    const isEscape = (last === 'n' || last === 'r') && text[end - 2] === '\\';
    if (end === 0 || !(isEscape || '> \t\n\r*#|'.includes(last))) return text.slice(0, end);
    end--;
    while (isEscape && text[end - 1] === '\\') end--;
  }
}

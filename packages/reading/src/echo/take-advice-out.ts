import { adviceLines, afterString, continuesAdvice, headAt } from './advice-lines.js';
import { closingPattern, headPattern, openingPattern } from './advice-marks.js';

/** A text without the advice in it, and the advice. */
export interface TakenOut {
  own: string;
  advice: string[];
}

/**
 * How far advice goes whose end is missing: `everything` after it in a text that was handed on and cut; only the `lines` that
 * look like it where an action of the agent's own may follow.
 */
export type Unclosed = 'everything' | 'lines';

const anyMark = /recommendations|runs?\\{0,2}(?:\]|&#93;)/i;
const marks = new RegExp(`(${openingPattern})|${closingPattern}`, 'gi');
const headFollows = new RegExp(
  `^(?:\\s|\\\\{1,8}[nrt]|[>*|#+]|&gt;|<br ?/?>){0,60}\\d{1,3}[.)][ \\t]{0,4}${headPattern}`,
  'i',
);
const beginsLine = /(?:^|[\n\r\u2028\u2029]|\\[nr]|<[a-z]{1,9} ?\/?>|&#10;)(?:[ \t>*+|#`~]|&gt;){0,40}$/i;
const beginsString = /["'`]$/;
const endsLine = /^([ \t*|#`~]{0,40})(?:$|[\n\r\u2028\u2029]|\\+[nr]|<\/?[a-z]{1,9} ?\/?>|&#10;)/i;
const endsString = /^\\{0,8}["']/;
const looksAround = 120;
const emptyLines = ['\n\n', '\n\r\n', '\\n\\n', '\\n\\r\\n'];

interface Mark {
  opens: boolean;
  from: number;
  to: number;
}

/** Finds what Whetstone has put into a text, however it was carried on, in time that is linear in the text. */
export function takeAdviceOut(text: string, unclosed: Unclosed): TakenOut {
  if (!anyMark.test(text)) return { own: text, advice: [] };
  const kept: string[] = [];
  const advice: string[] = [];
  let from = 0;
  let open: Mark | undefined;
  for (const mark of marksIn(text)) {
    if (mark.opens) open ??= mark;
    else if (open) {
      keep(text.slice(from, open.from));
      take(text.slice(open.to, mark.from));
      from = mark.to;
      open = undefined;
    } else {
      const before = text.slice(from, mark.from);
      const cut = startOfLastParagraph(before);
      keep(before.slice(0, cut));
      take(before.slice(cut));
      from = mark.to;
    }
  }
  if (!open) keep(text.slice(from));
  else {
    keep(text.slice(from, open.from));
    keepAfterOpening(text.slice(open.to));
  }
  return advice.length === 0 && kept.length === 1 && kept[0] === text
    ? { own: text, advice }
    : { own: joined(kept), advice };

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
    const end = afterString({ escaped: /^\s{0,4}\\+[nr]/.test(rest) }, rest);
    take(rest.slice(0, rest.length - end.length));
    kept.push(end);
  }
}

/** The delimiters in a text: those that stand on lines of their own, or between the task and the first recommendation. */
function* marksIn(text: string): Generator<Mark> {
  let isOpen = false;
  for (const match of text.matchAll(marks)) {
    const from = match.index;
    const to = from + match[0].length;
    const opens = match[1] !== undefined;
    const after = text.slice(to, to + looksAround);
    const before = text.slice(Math.max(0, from - looksAround), from);
    const begins = beginsLine.test(from > looksAround ? `x${before}` : before);
    const lineEnd = endsLine.exec(after);
    const isOwnLine = opens
      ? (begins || beginsString.test(before)) && lineEnd
      : begins && (lineEnd || endsString.test(after));
    if (isOwnLine || (opens ? headFollows.test(after) : isOpen)) {
      yield { opens, from, to: to + (lineEnd?.[1]?.length ?? 0) };
      isOpen = opens;
    }
  }
}

/** Recommendations that were copied without the lines around them. */
function withoutLooseAdvice(text: string, afterOpening: boolean, advice: string[]): string {
  if (!afterOpening && headAt(text) === undefined) return text;
  const kept: string[] = [];
  let inAdvice = afterOpening;
  for (const line of adviceLines(text)) {
    const start = headAt(line.text);
    if (start !== undefined || (inAdvice && continuesAdvice(line.text))) {
      const rest = line.text.slice(start ?? 0);
      const end = afterString(line, rest);
      advice.push(rest.slice(0, rest.length - end.length));
      const left = `${line.text.slice(0, start ?? 0).replace(/[ \t>*+|#-]+$/, '')}${end}`;
      if (left !== '') kept.push(left, line.end);
      inAdvice = end === '';
    } else {
      kept.push(line.text, line.end);
      inAdvice &&= line.text.trim() === '';
    }
  }
  return kept.join('');
}

/** Of a text that was cut at its front, what stands before the closing line is the end of a block, and blocks have no empty lines. */
function startOfLastParagraph(text: string): number {
  const at = Math.max(...emptyLines.map((line) => text.lastIndexOf(line)));
  return at < 0 ? 0 : at + 2;
}

function joined(kept: readonly string[]): string {
  const parts: string[] = [];
  kept.forEach((part, at) => {
    const own = at === kept.length - 1 ? part : withoutEnd(part);
    // Inside of a string of JSON a line break would end it.
    const isOnSameLine = parts.length === 0 || /^\s{0,40}(?:\\|"|$)/.test(own);
    if (own !== '') parts.push(isOnSameLine ? own : `\n${own.trimStart()}`);
  });
  return parts.join('').trim();
}

/** Without the marks of quotation and emphasis, and the line breaks, that led up to the advice. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0) {
    const window = text.slice(Math.max(0, end - looksAround), end);
    const [tail = ''] = /(?:<[a-z]{1,9} ?\/?>|\\+[nr]|[\s>*#|]|&gt;)$/i.exec(window) ?? [];
    if (tail === '') break;
    end -= tail.length;
  }
  return text.slice(0, end);
}

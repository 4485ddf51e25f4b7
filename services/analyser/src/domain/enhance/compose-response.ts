import type { Insight } from '@whetstone/contracts';

import { closingLine, detailLabels, headOf, openingLine, withoutMarks } from '../echo/advice-marks.js';
import { shapeOfCalls } from './call-shape.js';
import { contrastInWords } from './contrast.js';
import type { Lesson } from './fold-hits.js';

export interface ComposedLesson {
  lesson: Lesson;
  /** As it stands in the response, without its number. */
  text: string;
}

const caution =
  'Careful: the example deletes, stops or resets something, and the task does not ask for that. Take only the rest.';
const contentChars = 420;
const whenChars = 170;
const stepsChars = 240;
const contrastChars = 260;
const exampleChars = 400;
/** Of what failed, enough to know it again. */
const failedChars = 200;
const exampleLines = 12;
const inlineExampleChars = 160;
/** From here on it is taken for the very task that the run had: its ids and values are of use as they are. */
const sameTask = 0.85;

/** As many lessons, from the first, as the budget has room for; the first is told in any case. */
export function composeLessons(lessons: readonly Lesson[], budgetChars: number): ComposedLesson[] {
  const composed: ComposedLesson[] = [];
  const shownExamples = new Set<string | undefined>();
  let left = budgetChars;
  for (const lesson of lessons) {
    const text = textOf(lesson, shownExamples);
    if (composed.length > 0 && text.length > left) continue;
    composed.push({ lesson, text });
    shownExamples.add(lesson.shown.insight.example);
    left -= text.length;
  }
  return composed;
}

/** The input, byte for byte, then the recommendations; without any, the input alone. */
export function composeResponse(input: string, composed: readonly ComposedLesson[]): string {
  if (composed.length === 0) return input;
  const numbered = composed.map(({ text }, index) => `${index + 1}. ${text}`);
  return [input, '', openingLine, ...numbered, closingLine].join('\n');
}

function textOf(lesson: Lesson, shownExamples: ReadonlySet<string | undefined>): string {
  const { shown, support, relevance, contrast, uncalledFor } = lesson;
  const { example, ...rest } = shown.insight;
  const isTold = example === undefined || shownExamples.has(example) || sayTheSame(rest.content, example);
  const usable = isTold || relevance >= sameTask ? example : shapeOfCalls(example);
  const insight = isTold || usable === undefined ? rest : { ...rest, example: usable };
  const first = `${headOf(insight.kind, support)} ${sentence(line(insight.content, contentChars))}`;
  const careful = uncalledFor && !isTold ? [`   ${caution}`] : [];
  const against = contrast ? [`   ${line(contrastInWords(contrast), contrastChars)}`] : [];
  return [first, ...against, ...detailsOf(insight), ...careful].join('\n');
}

/** An answer in plain words is its own example. */
function sayTheSame(content: string, example: string): boolean {
  const [told, shown] = [content, example].map((text) => text.replace(/\s+/g, ' ').trim());
  return shown !== '' && told?.includes(shown ?? '') === true;
}

function detailsOf(insight: Insight): string[] {
  const when =
    insight.appliesWhen === undefined ? '' : `${detailLabels.when} ${sentence(line(insight.appliesWhen, whenChars))}`;
  const unless =
    insight.notWhen === undefined ? '' : `${detailLabels.notWhen} ${sentence(line(insight.notWhen, whenChars))}`;
  const steps = addsOrder(insight) ? `${detailLabels.steps} ${line(insight.steps.join(' → '), stepsChars)}` : '';
  const example = exampleOf(insight);
  const head = [when, unless, ...(example.length === 1 ? example : [])].filter((part) => part !== '').join(' ');
  return [head, steps, ...(example.length > 1 ? example : [])]
    .filter((part) => part !== '')
    .map((part) => `   ${part}`);
}

/** Steps are worth their room where they name something that the content does not. */
function addsOrder({ steps, content }: Insight): boolean {
  const named = steps.flatMap((step) => step.match(/`[^`]+`/g) ?? []);
  return steps.length > 1 && named.some((part) => !content.includes(part));
}

/** On the line where it is short; else below, indented, line by line. */
function exampleOf({ example, kind }: Insight): string[] {
  if (example === undefined || example.trim() === '') return [];
  const label = kind === 'pitfall' ? detailLabels.failed : detailLabels.example;
  const bounded = cut(withoutMarks(example.trim()), kind === 'pitfall' ? failedChars : exampleChars);
  const lines = bounded.split(/\r\n|[\n\r\u2028\u2029]/).slice(0, exampleLines);
  if (lines.length === 1 && bounded.length <= inlineExampleChars) return [`${label} ${bounded}`];
  return [label, ...lines.map((part) => `  ${part}`)];
}

/** Learnt text on one line: it cannot begin a line of its own, nor close the block. */
function line(text: string, max: number): string {
  return cut(
    withoutMarks(
      text
        .slice(0, 4 * max)
        .replace(/\s+/g, ' ')
        .trim(),
    ),
    max,
  );
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

function sentence(text: string): string {
  return /[.!?…”]$/.test(text) ? text : `${text}.`;
}

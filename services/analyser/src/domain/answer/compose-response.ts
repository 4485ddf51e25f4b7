import type { Insight } from '@whetstone/contracts';
import {
  asData,
  clipAtLine,
  closingLine,
  detailLabels,
  headOf,
  listed,
  openingLine,
  withoutMarks,
} from '@whetstone/reading';

import type { Chosen } from './choose-lessons.js';
import { programsIn } from './command-hints.js';
import type { Lesson } from './fold-lessons.js';
import type { Showing } from './shown-values.js';

export interface ComposedLesson {
  lesson: Lesson;
  /** As it stands in the response, without its number. */
  text: string;
}

const wordsChars = 300;
const taskChars = 240;
const stepsChars = 240;
/** At the very task the whole of an example is of use: what is cut cannot be run. */
const exampleLimits = {
  own: { chars: 1_500, lines: 60 },
  alike: { chars: 400, lines: 12 },
} as const;
const mostPrograms = 5;
/** What is said beside an example, by the rule that made it: what no example shows. */
const saysMore: ReadonlySet<Insight['rule']> = new Set(['model', 'looked']);

/** As many lessons, from the first, as the budget has room for; the first is told in any case. */
export function composeLessons(
  chosen: readonly Chosen[],
  showing: Showing,
  { budgetChars, orMore }: { budgetChars: number; orMore: boolean },
): ComposedLesson[] {
  const composed: ComposedLesson[] = [];
  const told = new Set<string>();
  let left = budgetChars;
  for (const choice of chosen) {
    const lines = linesOf(choice, showing);
    const body = lines.join('\n');
    if (body === '' || told.has(body)) continue;
    const { insight, support } = choice.lesson;
    const text = `${headOf(insight.kind, support, orMore)} ${body}`;
    if (composed.length > 0 && text.length > left) break;
    composed.push({ lesson: choice.lesson, text });
    told.add(body);
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

/** The example first, bare and complete: agents copy what they read, and no sentence about it was found to matter. */
function linesOf({ lesson, as }: Chosen, showing: Showing): string[] {
  if (as === 'hint') return hintOf(lesson, showing);
  if (typeof as === 'object') {
    const names = as.programs.slice(0, mostPrograms).map((name) => data(name, 40));
    return [`Similar tasks used ${listed(names)}.`];
  }
  const { insight } = lesson;
  const words = () => [sentence(data(showing.words(insight.content), wordsChars))].filter((line) => line !== '');
  if (as === 'words' && insight.rule === 'talk') {
    const said = data(showing.words(insight.content), wordsChars);
    return [`A similar task, “${data(showing.task(lesson), taskChars)}”, was answered: “${said}”`];
  }
  if (as === 'words') return words();
  const example = exampleOf(lesson, showing);
  if (as === 'recovery') return [...words(), ...indented(example)];
  if (example.length === 0) return [];
  const more = saysMore.has(insight.rule) ? indented([...words(), ...stepsOf(insight, showing)]) : [];
  if (as === 'way') return [...example.slice(0, 1), ...indented(example.slice(1)), ...more];
  const its = `${detailLabels.task} ${data(showing.task(lesson), taskChars)}`;
  return [its, ...indented([...differenceOf(lesson, showing), ...example]), ...more];
}

function differenceOf({ difference }: Lesson, showing: Showing): string[] {
  if (!difference) return [];
  const [here, there] = [difference.here, difference.there].map((word) => data(showing.words(word), 40));
  return [`Difference: that task says “${there}”, this one “${here}”.`];
}

/** "A similar task, “…”, took find with -name and -type, and wc with -l." */
function hintOf(lesson: Lesson, showing: Showing): string[] {
  const programs = [...programsIn(lesson.actions())].slice(0, mostPrograms).map(([name, options]) => {
    const plain = data(name, 40);
    return options.length === 0 ? plain : `${plain} with ${listed(options.map((option) => data(option, 40)))}`;
  });
  return [`A similar task, “${data(showing.task(lesson), taskChars)}”, took ${listed(programs)}.`];
}

/** Behind its label where it is one line; else below, line by line. */
function exampleOf(lesson: Lesson, showing: Showing): string[] {
  const { chars, lines: most } = exampleLimits[lesson.relation === 'alike' && !lesson.difference ? 'alike' : 'own'];
  const example = showing.example(lesson)?.trim() ?? '';
  if (example === '') return [];
  const bounded = clipAtLine(example, chars);
  const lines = bounded.split(/\r\n|[\n\r\u2028\u2029]/).slice(0, most);
  const [first = ''] = lines;
  if (lines.length === 1) return [`${detailLabels.example} ${code(first)}`];
  return [detailLabels.example, ...lines.map((line) => `  ${code(line)}`)];
}

function stepsOf({ steps }: Insight, showing: Showing): string[] {
  return steps.length < 2 ? [] : [`${detailLabels.steps} ${data(showing.words(steps.join(' → ')), stepsChars)}`];
}

function indented(lines: readonly string[]): string[] {
  return lines.filter((line) => line !== '').map((line) => `   ${line}`);
}

/** Learnt text on one line: it cannot begin a line of its own, nor close the block. */
function data(text: string, max: number): string {
  return withoutMarks(asData(text, max));
}

/** The same with its spaces and tabs, which mean something in code. */
function code(line: string): string {
  return withoutMarks(line.replace(/[^\S \t]/g, ' ').replace(/[^ \t]+/g, (part) => asData(part, part.length * 4)));
}

function sentence(text: string): string {
  return text === '' || /[.!?…][”"]?$/.test(text) ? text : `${text}.`;
}

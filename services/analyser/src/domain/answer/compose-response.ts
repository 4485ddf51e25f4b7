import type { Insight } from '@whetstone/contracts';
import {
  asData,
  clipAtLine,
  closingLine,
  detailLabels,
  headOf,
  listed,
  openingLine,
  teamHead,
  withoutAdviceMarks,
} from '@whetstone/reading';

import { isRisky } from './admit-lessons.js';
import { type Chosen, isAdvice } from './choose-lessons.js';
import { programsIn } from './command-hints.js';
import { isByPerson } from './decided-hits.js';
import type { Explanation } from './explanation.js';
import type { Lesson } from './fold-lessons.js';
import type { Masking } from './mask-values.js';

export interface ComposedLesson {
  lesson: Lesson;
  /** As shown in the response, without its number. */
  text: string;
}

const wordsChars = 300;
/** People may say more than what is learnt in words. */
const saidChars = 2_000;
const taskChars = 240;
const stepsChars = 240;
/** For the same task the example must be complete: a truncated one does not run. */
const exampleLimits = {
  direct: { chars: 1_500, lines: 60 },
  similar: { chars: 400, lines: 12 },
} as const;
const maxPrograms = 5;
/** Rules whose text adds something to the example. */
const explained: ReadonlySet<Insight['rule']> = new Set(['model', 'looked']);

/** As many lessons as fit the budget, in order; always at least the first. */
export function composeLessons(
  chosen: readonly Chosen[],
  masking: Masking,
  { budgetChars, orMore }: { budgetChars: number; orMore: boolean },
  explanation?: Explanation,
): ComposedLesson[] {
  const composed: ComposedLesson[] = [];
  const used = new Map<string, Lesson>();
  let left = budgetChars;
  for (const choice of chosen) {
    const { lesson } = choice;
    const body = linesOf(choice, masking).join('\n');
    const before = used.get(body);
    const text = `${headFor(lesson, orMore)} ${body}`;
    if (body === '') explanation?.leave(lesson.shown, 'nothing_to_show');
    else if (before) explanation?.fold([lesson.shown], before.shown);
    else if (composed.length > 0 && text.length > left) {
      left = 0;
      explanation?.leave(lesson.shown, 'over_budget');
    } else {
      composed.push({ lesson, text });
      used.set(body, lesson);
      left -= text.length;
    }
  }
  return composed;
}

function headFor({ insight, support }: Lesson, orMore: boolean): string {
  return isByPerson(insight) ? teamHead : headOf(insight.kind, support, orMore);
}

/** The unchanged input, followed by the recommendations if there are any. */
export function composeResponse(input: string, composed: readonly ComposedLesson[]): string {
  if (composed.length === 0) return input;
  const numbered = composed.map(({ text }, index) => `${index + 1}. ${text}`);
  return [input, '', openingLine, ...numbered, closingLine].join('\n');
}

/**
 * The example comes first, bare and complete: agents copy what they read, and measurements found no use for sentences
 * around it.
 */
function linesOf({ lesson, as }: Chosen, masking: Masking): string[] {
  if (as === 'hint') return hintOf(lesson, masking);
  if (typeof as === 'object') {
    const names = as.programs.slice(0, maxPrograms).map((name) => data(name, 40));
    return [`${as.tasks > 1 ? 'Similar tasks' : 'A similar task'} used ${listed(names)}.`];
  }
  const { insight } = lesson;
  if (as === 'said') return saidIn(lesson, masking);
  const words = () => {
    const content = insight.rule === 'rule' ? masking.reply(lesson) : masking.words(insight.content);
    return [sentence(data(content, wordsChars))].filter((line) => line !== '');
  };
  // What an agent told one caller may hold for that caller only.
  if (as === 'words' && (insight.rule === 'talk' || (insight.rule === 'rule' && lesson.relation === 'similar'))) {
    const reply = data(masking.reply(lesson), wordsChars);
    if (reply === '') return [];
    const said = insight.rule === 'talk' ? 'was' : 'said';
    return [`The reply to a similar task, “${data(masking.task(lesson), taskChars)}”, ${said}: “${reply}”`];
  }
  if (as === 'words') return words();
  const example = exampleOf(lesson, masking);
  if (as === 'recovery') return [...words(), ...indented(example)];
  if (example.length === 0) return [];
  const more = explained.has(insight.rule) ? indented([...words(), ...stepsOf(insight, masking)]) : [];
  if (as === 'way') return [...example.slice(0, 1), ...indented(example.slice(1)), ...more];
  return [taskOf(lesson, masking), ...indented([...differenceOf(lesson, masking), ...example]), ...more];
}

/** People choose their words: these stay as they are, whatever values they contain. */
function saidIn(lesson: Lesson, masking: Masking): string[] {
  const said = sentence(data(lesson.insight.content, saidChars));
  const example = isAdvice(lesson) ? exampleOf(lesson, masking) : [];
  const isOfOtherTask = lesson.relation === 'similar' && example.length > 0 && !isByPerson(lesson.insight);
  const task = isOfOtherTask ? [taskOf(lesson, masking), ...differenceOf(lesson, masking)] : [];
  return [said, ...indented([...task, ...example])];
}

function taskOf(lesson: Lesson, masking: Masking): string {
  return `${detailLabels.task} ${data(masking.task(lesson), taskChars)}`;
}

/** Of the past task's words and values only those that are not masked above. */
function differenceOf(lesson: Lesson, masking: Masking): string[] {
  const difference = lesson.difference?.();
  if (!difference) return [];
  const { here, there, values } = difference;
  const task = values ? masking.task(lesson) : '';
  const shown = values?.there.filter((value) => task.includes(value)) ?? [];
  const own = shown.length > 0 || values?.there.length === 0 ? (values?.here ?? []) : [];
  const [said, saidThere] = [
    [...here, ...own],
    [...masking.wordsOf(lesson, there), ...shown],
  ].map((words) => listed(words.map((word) => `“${data(word, 40)}”`)));
  if (!said && !saidThere) return [];
  if (!said) return [`Difference: only that task says ${saidThere}.`];
  return [`Difference: ${saidThere ? `that task says ${saidThere}, this one` : 'only this task'} says ${said}.`];
}

/**
 * "A similar task, “…”, used find with -name and -type, and wc with -l." Without options if it is risky: `-delete` is no hint for
 * a task that may only look.
 */
function hintOf(lesson: Lesson, masking: Masking): string[] {
  const programs = [...programsIn(lesson.actions())].slice(0, maxPrograms).map(([name, options]) => {
    const plain = data(name, 40);
    return options.length === 0 || isRisky(lesson)
      ? plain
      : `${plain} with ${listed(options.map((option) => data(option, 40)))}`;
  });
  return [`A similar task, “${data(masking.taskWithoutPlaces(lesson), taskChars)}”, used ${listed(programs)}.`];
}

/** A single line follows its label; several lines go below it. */
function exampleOf(lesson: Lesson, masking: Masking): string[] {
  const { chars, lines: maxLines } =
    exampleLimits[lesson.relation === 'similar' && !lesson.isClose ? 'similar' : 'direct'];
  const example = masking.example(lesson)?.trim() ?? '';
  if (example === '') return [];
  const bounded = clipAtLine(example, chars);
  const lines = bounded.split(/\r\n|[\n\r\u2028\u2029]/).slice(0, maxLines);
  const [first = ''] = lines;
  if (lines.length === 1) return [`${detailLabels.example} ${code(first)}`];
  return [detailLabels.example, ...lines.map((line) => `  ${code(line)}`)];
}

function stepsOf({ steps }: Insight, masking: Masking): string[] {
  return steps.length < 2 ? [] : [`${detailLabels.steps} ${data(masking.words(steps.join(' → ')), stepsChars)}`];
}

function indented(lines: readonly string[]): string[] {
  return lines.filter((line) => line !== '').map((line) => `   ${line}`);
}

/** Learnt text on one line, so that it can neither start a line nor close the block. */
function data(text: string, max: number): string {
  return withoutAdviceMarks(asData(text, max));
}

/** Like `data`, but keeps spaces and tabs, which matter in code. */
function code(line: string): string {
  return withoutAdviceMarks(
    line.replace(/[^\S \t]/g, ' ').replace(/[^ \t]+/g, (part) => asData(part, part.length * 4)),
  );
}

function sentence(text: string): string {
  return text === '' || /[.!?…][”"]?$/.test(text) ? text : `${text}.`;
}

import type { Insight } from '@whetstone/contracts';

import { closingLine, detailLabels, headOf, openingLine, withoutMarks } from '../echo/advice-marks.js';
import type { Action } from '../reflector/actions/action.js';
import { namesWhatTheTaskNames, readBrowserAction, targetOf, taskWords } from '../reflector/actions/browser-action.js';
import { handsInAnswer } from '../reflector/actions/given-answer.js';
import { isAboutItsTask } from '../reflector/run-reading.js';
import { shapeOfCalls } from './call-shape.js';
import { contentWords } from './content-words.js';
import { contrastInWords } from './contrast.js';
import { endsInWords } from './different-ends.js';
import type { Lesson } from './fold-hits.js';
import { far } from './relevance.js';

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
/** To the very task of an example the whole of it is of use: what is cut cannot be run. */
const wholeExampleChars = 1_500;
/** Of what failed, enough to know it again. */
const failedChars = 200;
const exampleLines = 12;
const wholeExampleLines = 60;
const inlineExampleChars = 160;
const reserve = '; see whether this one is';
const nearlyTheSame = 0.85;
/** With fewer words in common, requests are alike whomever and whatever they are about. */
const fewWords = 5;

/** As many lessons, from the first, as the budget has room for; the first is told in any case. */
export function composeLessons(lessons: readonly Lesson[], budgetChars: number): ComposedLesson[] {
  const composed: ComposedLesson[] = [];
  const told: Told = { examples: new Set(), conditions: new Set(), sentences: new Set() };
  let left = budgetChars;
  for (const lesson of lessons) {
    const text = textOf(lesson, told);
    if (composed.length > 0 && text.length > left) continue;
    composed.push({ lesson, text });
    told.examples.add(lesson.shown.insight.example);
    told.conditions.add(lesson.shown.insight.appliesWhen);
    for (const part of sentencesOf(lesson.shown.insight.content)) told.sentences.add(part);
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

/** What earlier lessons of the answer have said already. */
interface Told {
  examples: Set<string | undefined>;
  conditions: Set<string | undefined>;
  sentences: Set<string>;
}

function textOf(lesson: Lesson, told: Told): string {
  const { shown, support, sameTask, contrast, ends, uncalledFor } = lesson;
  const { example, appliesWhen, ...rest } = shown.insight;
  const isTold = example === undefined || told.examples.has(example) || sayTheSame(rest.content, example);
  const isWhole = isVeryTask(lesson);
  const usable = isTold || isWhole ? example : forAnotherTask(example, shown.intent);
  // That a lesson is for tasks like the very one that is asked about goes without saying.
  const isKnown = sameTask && isAboutItsTask(shown.insight);
  const when = appliesWhen === undefined ? '' : line(appliesWhen, whenChars) + reserveOn(lesson);
  const insight = {
    ...rest,
    ...(isTold || usable === undefined ? {} : { example: usable }),
    ...(isKnown || when === '' ? {} : { appliesWhen: told.conditions.has(appliesWhen) ? 'as above' : when }),
  };
  const first = `${headOf(insight.kind, support)} ${sentence(line(withoutTold(insight.content, told), contentChars))}`;
  const careful = uncalledFor && !isTold ? [`   ${caution}`] : [];
  const compared = ends ? endsInWords(ends) : contrast ? contrastInWords(contrast) : undefined;
  const against = compared === undefined ? [] : [`   ${line(compared, contrastChars)}`];
  return [first, ...against, ...detailsOf(insight, isWhole), ...careful].join('\n');
}

/** Where the task is far from the one asked about, the reader is to judge whether it is of the kind. */
function reserveOn({ relevance, shown }: Lesson): string {
  return relevance < far && isAboutItsTask(shown.insight) ? reserve : '';
}

/** Its ids and values are of use as they are. */
function isVeryTask({ relevance, shown }: Lesson): boolean {
  return relevance >= nearlyTheSame && contentWords(shown.intent).size >= fewWords;
}

/** Without its ids and values, the answer to its own question, and what was clicked for it alone. */
function forAnotherTask(example: string, ownTask: string): string | undefined {
  const words = taskWords(ownTask);
  const reusable = example
    .split('\n')
    .filter((part) => !handsInAnswer(part) && !isOfOneTask(readBrowserAction(part), words));
  return reusable.length === 0 ? undefined : shapeOfCalls(reusable.join('\n'));
}

/** Clicks on what its own task asked for, or by an id. */
function isOfOneTask(action: Action | undefined, ownTask: ReadonlySet<string>): boolean {
  return action !== undefined && (namesWhatTheTaskNames(action, ownTask) || /^\S*\d\S*$/.test(targetOf(action)));
}

/** A lesson without the sentences that an earlier one has said: the same advice on two errors, say. */
function withoutTold(content: string, { sentences }: Told): string {
  const news = sentencesOf(content).filter((part) => !sentences.has(part));
  return news.length === 0 ? content : news.join(' ');
}

function sentencesOf(content: string): string[] {
  return content.slice(0, 4 * contentChars).split(/(?<=[.!?]) (?=[A-Z])/);
}

/** An answer in plain words is its own example. */
function sayTheSame(content: string, example: string): boolean {
  const [told, shown] = [content, example].map((text) => text.replace(/\s+/g, ' ').trim());
  return shown !== '' && told?.includes(shown ?? '') === true;
}

function detailsOf(insight: Insight, isWhole: boolean): string[] {
  const when = insight.appliesWhen === undefined ? '' : `${detailLabels.when} ${sentence(insight.appliesWhen)}`;
  const unless =
    insight.notWhen === undefined ? '' : `${detailLabels.notWhen} ${sentence(line(insight.notWhen, whenChars))}`;
  const steps = addsOrder(insight) ? `${detailLabels.steps} ${line(insight.steps.join(' → '), stepsChars)}` : '';
  const conditions = [when, unless].filter((part) => part !== '').join(' ');
  return [conditions, steps, ...exampleOf(insight, isWhole)].filter((part) => part !== '').map((part) => `   ${part}`);
}

/** Steps are worth their room where most of what they name is news, and where an example does not show them already. */
function addsOrder({ steps, content, example }: Insight): boolean {
  const named = steps.flatMap((step) => step.match(/`[^`]+`/g) ?? []);
  const news = named.filter((part) => !content.includes(part));
  return steps.length > (example === undefined ? 1 : 2) && news.length > 0 && 2 * news.length >= named.length;
}

/** On the line where it is short; else below, indented, line by line. */
function exampleOf({ example, kind }: Insight, isWhole: boolean): string[] {
  if (example === undefined || example.trim() === '') return [];
  const label = kind === 'pitfall' ? detailLabels.failed : detailLabels.example;
  const most = kind === 'pitfall' ? failedChars : isWhole ? wholeExampleChars : exampleChars;
  const bounded = cut(withoutMarks(example.trim()), most);
  const lines = bounded.split(/\r\n|[\n\r\u2028\u2029]/).slice(0, isWhole ? wholeExampleLines : exampleLines);
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
  return /[.!?…][”"]?$/.test(text) ? text : `${text}.`;
}

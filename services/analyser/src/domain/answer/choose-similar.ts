import { type Action, type ActionKind, contentWords, jaccard, objectsOf } from '@whetstone/reading';

import type { Chosen } from './choose-lessons.js';
import { hintFrom, isCommand, programsIn } from './command-hints.js';
import { isInPersonsWords } from './decided-hits.js';
import { type Explanation, type Reason, sift } from './explanation.js';
import type { Lesson } from './fold-lessons.js';
import { isTypical, type TypicalChanges } from './typical-changes.js';

const maxIdeas = 3;
/** Lessons from similar tasks whose examples are parsed, which takes time. */
const maxRead = 10;
/** Of what a lesson shares with those chosen before it. */
const overlapWeight = 0.15;
/** From this share on, lessons of runs that made other changes are left out. */
const typicalShare = 0.3;
/** Least similarity at which the reply from another conversation is shown. */
const conversationFloor = 0.6;
/** Least nearness at which an example of a run that changed something is shown: further away, it may be the wrong change. */
const changeFloor = 0.55;

/** Kinds shown from similar tasks: their structure helps even where their values do not apply. */
const structured: ReadonlySet<ActionKind> = new Set(['sql', 'call', 'http', 'edit', 'code']);

interface SimilarChoice {
  typical?: TypicalChanges | undefined;
  explanation?: Explanation | undefined;
}

/** A few ideas from similar tasks: `advice` lists what worked there, the best first. */
export function chooseSimilar(advice: readonly Lesson[], { typical, explanation }: SimilarChoice): Chosen[] {
  const keep = (
    lessons: readonly Lesson[],
    passes: (lesson: Lesson, at: number, all: readonly Lesson[]) => boolean,
    reason: Reason,
  ) => sift(lessons, passes, reason, explanation);
  const { strategies: all, recoveries } = byKind(advice);
  const strategies = keep(
    all.filter(({ withheld }) => !withheld),
    (_, at) => at < maxRead,
    'too_many',
  );
  const withheld = all.filter((lesson) => lesson.withheld).slice(0, maxRead);
  const close = strategies.find(({ isClose, example }) => isClose && example !== undefined);
  if (close) {
    keep(advice, (lesson) => lesson === close, 'similar_only');
    return [{ lesson: close, as: 'example' }];
  }
  const verbal = keep(strategies.filter(isVerbal), appliesToSimilar, 'own_task_only');
  const inWords = keep(
    verbal.sort((a, b) => Number(isSaid(b)) - Number(isSaid(a))),
    (lesson, at, some) => !some.slice(0, at).some((before) => isDuplicate(before, lesson)),
    'folded_into_another',
  );
  const examples = keep(strategies.filter(isExample), isNearEnough, 'unclear_intent');
  const commands = strategies.filter(isBareCommand);
  const hasWhole = examples.some((lesson) => !lesson.isLookup);
  const whole = keep(examples, (lesson) => !(hasWhole && lesson.isLookup), 'similar_only');
  const usual = keep(whole, ofTypicalRun(whole, typical), 'not_typical');
  const firstLookup = usual.find(isLookup);
  const different = keep(usual, (one) => one === firstLookup || !isLookup(one), 'folded_into_another');
  // What people say, and a stated rule, is worth more than a third example.
  const hasWord = inWords.some((lesson) => lesson.insight.rule === 'rule' || isSaid(lesson));
  const shown = chooseDifferent(different).slice(0, hasWord ? maxIdeas - 1 : maxIdeas);
  const ideas: Chosen[] = shown.length > 0 ? shown.map(asExample) : hintFrom(commands, withheld);
  const isIdea = (lesson: Lesson) => ideas.some((idea) => idea.lesson.shown === lesson.shown);
  keep(different, isIdea, 'too_many');
  keep(commands, isIdea, 'unlike_command');
  for (const lesson of withheld)
    if (lesson.withheld && !isIdea(lesson)) explanation?.leave(lesson.shown, lesson.withheld);
  const words = keep(inWords, (_, at) => at < maxIdeas - ideas.length, 'too_many');
  const recovery = relatedRecovery(ideas, recoveries.slice(0, maxRead));
  keep(recoveries, (lesson) => lesson === recovery, 'unrelated_error');
  return [
    ...ideas,
    ...words.map((lesson): Chosen => ({ lesson, as: 'words' })),
    ...(recovery ? [{ lesson: recovery, as: 'recovery' } as const] : []),
  ];
}

function byKind(advice: readonly Lesson[]) {
  return {
    strategies: advice.filter(({ insight }) => insight.kind === 'strategy'),
    recoveries: advice.filter(({ insight }) => insight.kind === 'recovery' && insight.scope === 'error'),
  };
}

function isNearEnough({ insight, isLookup, nearness }: Lesson): boolean {
  return (insight.effects.length === 0 && !isLookup) || nearness >= changeFloor;
}

function asExample(lesson: Lesson): Chosen {
  return { lesson, as: 'example' };
}

/** How one lesson of a similar task is shown for its own sake. */
export function formAtSimilarTask(lesson: Lesson): Chosen['as'] {
  if (isStructured(lesson)) return 'example';
  return programsIn(lesson.actions()).size > 0 ? 'hint' : 'words';
}

function isSaid({ shown }: Lesson): boolean {
  return isInPersonsWords(shown);
}

/** Shown in words, not by what it does. */
function isVerbal(lesson: Lesson): boolean {
  return isSaid(lesson) || (!isStructured(lesson) && !isCommand(lesson));
}

function isExample(lesson: Lesson): boolean {
  return isStructured(lesson) && !isVerbal(lesson);
}

function isBareCommand(lesson: Lesson): boolean {
  return !isStructured(lesson) && !isVerbal(lesson);
}

/** An answer fits only its own question, a conversation a nearly identical one; rules hold in general. */
function appliesToSimilar(lesson: Lesson): boolean {
  const { insight, shown } = lesson;
  if (isSaid(lesson)) return true;
  return isConversation(lesson) ? shown.similarity >= conversationFloor : insight.rule !== 'reply';
}

/** One conversation is enough. */
function isDuplicate(before: Lesson, lesson: Lesson): boolean {
  const [first, second] = [before, lesson].map(({ insight }) => contentWords(insight.content));
  return (isConversation(before) && isConversation(lesson)) || jaccard(first ?? new Set(), second ?? new Set()) >= 0.5;
}

function isConversation({ insight }: Lesson): boolean {
  return insight.rule === 'talk';
}

function isStructured(lesson: Lesson): boolean {
  return lesson.actions().some(({ kind }) => structured.has(kind));
}

/** A run looked and changed nothing, which is said only once. */
function isLookup({ insight }: Lesson): boolean {
  return insight.rule === 'looked';
}

/** The actions of a lesson that may be shown for a similar task. */
export function structuredActions({ actions }: Pick<Lesson, 'actions'>): Action[] {
  return actions().filter(({ kind }) => structured.has(kind));
}

/** If many similar tasks make the same changes, keeps only lessons of runs that made them. */
function ofTypicalRun(lessons: readonly Lesson[], typical: TypicalChanges | undefined): (lesson: Lesson) => boolean {
  if (!typical || typical.share < typicalShare) return () => true;
  const matches = ({ shown }: Lesson) => isTypical(shown.run, typical);
  return lessons.some(matches) ? matches : () => true;
}

/** A few diverse lessons: each adds a table, a tool or a file that the earlier ones lack. */
function chooseDifferent(lessons: readonly Lesson[]): Lesson[] {
  const left = lessons.map((lesson, at) => ({
    lesson,
    objects: objectsIn(structuredActions(lesson)),
    rank: -0.02 * at,
  }));
  const chosen: typeof left = [];
  while (chosen.length < maxIdeas) {
    const overlap = (objects: ReadonlySet<string>) =>
      Math.max(0, ...chosen.map((candidate) => jaccard(candidate.objects, objects)));
    const [best] = left
      .filter(({ objects }) => overlap(objects) < 1)
      .map((candidate) => ({ candidate, score: candidate.rank - overlapWeight * overlap(candidate.objects) }))
      .sort((a, b) => b.score - a.score);
    if (!best) break;
    chosen.push(best.candidate);
    left.splice(left.indexOf(best.candidate), 1);
  }
  return chosen.map(({ lesson }) => lesson);
}

function objectsIn(actions: readonly Action[]): Set<string> {
  return new Set(actions.flatMap(objectsOf));
}

/** A recovery for an error that the shown ideas could hit, unless they already show the way past it. */
function relatedRecovery(ideas: readonly Chosen[], recoveries: readonly Lesson[]): Lesson | undefined {
  const shown = new Set(ideas.flatMap(({ lesson }) => lesson.forms));
  const touched = new Set(ideas.flatMap(({ lesson }) => lesson.actions().flatMap(objectsOf)));
  return recoveries.find(
    (lesson) =>
      !isShown(lesson.forms, shown) &&
      structuredActions(lesson).length > 0 &&
      lesson
        .actions()
        .flatMap(objectsOf)
        .some((object) => touched.has(object)),
  );
}

function isShown(forms: readonly string[], shown: ReadonlySet<string>): boolean {
  return forms.length > 0 && forms.every((form) => shown.has(form));
}

import { type Action, type ActionKind, contentWords, jaccard, objectsOf } from '@whetstone/reading';

import type { Chosen } from './choose-lessons.js';
import { hintFrom, isCommand } from './command-hints.js';
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

/** Kinds shown from similar tasks: their structure helps even where their values do not apply. */
const structured: ReadonlySet<ActionKind> = new Set(['sql', 'call', 'http', 'edit', 'code']);

/** A few ideas from similar tasks: `advice` lists what worked there, the best first. */
export function chooseSimilar(advice: readonly Lesson[], typical: TypicalChanges | undefined): Chosen[] {
  const strategies = advice.filter(({ insight }) => insight.kind === 'strategy').slice(0, maxRead);
  const reworded = strategies.find(({ difference, example }) => difference && example !== undefined);
  if (reworded) return [{ lesson: reworded, as: 'example' }];
  const inWords = strategies
    .filter((lesson) => !isStructured(lesson) && !isCommand(lesson) && appliesToSimilar(lesson))
    .filter((lesson, at, all) => !all.slice(0, at).some((before) => isDuplicate(before, lesson)));
  const chosen = chooseDifferent(keepOneLookup(preferTypical(strategies.filter(isStructured), typical)));
  // A stated rule is worth more than a third example.
  const shown = inWords.some(({ insight }) => insight.rule === 'rule') ? chosen.slice(0, maxIdeas - 1) : chosen;
  const ideas: Chosen[] = shown.length > 0 ? shown : hintFrom(strategies);
  const words = inWords.slice(0, maxIdeas - ideas.length).map((lesson): Chosen => ({ lesson, as: 'words' }));
  const recoveries = advice.filter(({ insight }) => insight.kind === 'recovery' && insight.scope === 'error');
  return [...ideas, ...words, ...relatedRecovery(ideas, recoveries.slice(0, maxRead))];
}

/** An answer fits only its own question, a conversation a nearly identical one; rules hold in general. */
function appliesToSimilar(lesson: Lesson): boolean {
  const { insight, shown } = lesson;
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

/** Says only once that a run looked and changed nothing. */
function keepOneLookup(lessons: readonly Lesson[]): Lesson[] {
  const first = lessons.find(({ insight }) => insight.rule === 'looked');
  return lessons.filter((lesson) => lesson === first || lesson.insight.rule !== 'looked');
}

/** The actions of a lesson that may be shown for a similar task. */
export function structuredActions({ actions }: Pick<Lesson, 'actions'>): Action[] {
  return actions().filter(({ kind }) => structured.has(kind));
}

/** If many similar tasks make the same changes, keeps only lessons of runs that made them. */
function preferTypical(lessons: readonly Lesson[], typical: TypicalChanges | undefined): readonly Lesson[] {
  if (!typical || typical.share < typicalShare) return lessons;
  const matching = lessons.filter((lesson) => isTypical(lesson.shown.run, typical));
  return matching.length > 0 ? matching : lessons;
}

/** A few diverse lessons: each adds a table, a tool or a file that the earlier ones lack. */
function chooseDifferent(lessons: readonly Lesson[]): Chosen[] {
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
  return chosen.map(({ lesson }) => ({ lesson, as: 'example' }));
}

function objectsIn(actions: readonly Action[]): Set<string> {
  return new Set(actions.flatMap(objectsOf));
}

/** A recovery for an error that the shown ideas could hit, unless they already show the way past it. */
function relatedRecovery(ideas: readonly Chosen[], recoveries: readonly Lesson[]): Chosen[] {
  const shown = new Set(ideas.flatMap(({ lesson }) => lesson.forms));
  const touched = new Set(ideas.flatMap(({ lesson }) => lesson.actions().flatMap(objectsOf)));
  const found = recoveries.find(
    (lesson) =>
      !isShown(lesson.forms, shown) &&
      structuredActions(lesson).length > 0 &&
      lesson
        .actions()
        .flatMap(objectsOf)
        .some((object) => touched.has(object)),
  );
  return found ? [{ lesson: found, as: 'recovery' }] : [];
}

function isShown(forms: readonly string[], shown: ReadonlySet<string>): boolean {
  return forms.length > 0 && forms.every((form) => shown.has(form));
}

import { type Action, type ActionKind, contentWords, jaccard, objectsOf } from '@whetstone/reading';

import { isRisky } from './admit-lessons.js';
import { hintFrom, isCommand } from './command-hints.js';
import type { Lesson } from './fold-lessons.js';
import { lowConfidence } from './judge-hits.js';
import { changeSetOf, type TypicalChanges } from './typical-changes.js';

/**
 * How a lesson is shown. `example`: with its task. `way`: another example for the same task. `words`: its text, without
 * an example. Commands from similar tasks: as a `hint`, the programs and options of one; or the `programs` that most of
 * them used.
 */
export interface Chosen {
  lesson: Lesson;
  as: 'example' | 'way' | 'recovery' | 'hint' | 'words' | { programs: readonly string[] };
}

interface Choice {
  maxRecommendations: number;
  /** What runs at similar tasks usually change. */
  typical?: TypicalChanges | undefined;
}

/** For the same task: an agent that sees many ways mixes them up. */
const maxWays = 2;
const maxIdeas = 3;
/** Lessons from similar tasks whose examples are parsed, which takes time. */
const maxRead = 10;
const weights = { confidence: 0.2, support: 0.05, same: 0.1, typical: 0.3, overlap: 0.15 };
const maxSupport = 8;
/** If this many runs agree on a way, what a single run did differently may have been luck. */
const minConsensusRuns = 4;
/** From this share on, lessons of runs that made other changes are left out. */
const typicalShare = 0.3;
/** Least similarity at which the reply from another conversation is shown. */
const conversationFloor = 0.6;

/** Kinds shown from similar tasks: their structure helps even where their values do not apply. */
const structured: ReadonlySet<ActionKind> = new Set(['sql', 'call', 'http', 'edit', 'code']);

/**
 * Picks the lessons to show, in order. If something is known to work for this very task, only that; otherwise a few
 * ideas from similar tasks and at most one warning. A failure never suppresses what works.
 */
export function chooseLessons(lessons: readonly Lesson[], choice: Choice): Chosen[] {
  const ranked = rank(withConsensus(lessons), choice);
  const direct = ranked.filter(({ relation }) => relation !== 'similar');
  const working = preferConfident(direct.filter(isAdvice));
  const chosen =
    working.length > 0 ? chooseDirect(working) : [...chooseFromSimilar(ranked, choice), ...warningFrom(direct)];
  return chosen.slice(0, choice.maxRecommendations);
}

function isAdvice({ insight }: Lesson): boolean {
  return insight.kind !== 'pitfall' && insight.polarity === 'success';
}

function rank(lessons: readonly (Lesson & { consensus: number })[], { typical }: Choice): Lesson[] {
  const scores = new Map(lessons.map((lesson) => [lesson, scoreOf(lesson, typical)]));
  return [...lessons].sort((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0));
}

function scoreOf(lesson: Lesson & { consensus: number }, typical: TypicalChanges | undefined): number {
  const { nearness, relation, insight, consensus, voteShift } = lesson;
  const agreed = weights.support * Math.log2(Math.min(consensus, maxSupport));
  const usual = typical && isTypical(lesson, typical) ? weights.typical * typical.share : 0;
  const same = relation === 'same' ? weights.same : 0;
  return nearness + weights.confidence * insight.confidence + agreed + voteShift + same + usual;
}

function isTypical({ shown }: Lesson, typical: TypicalChanges): boolean {
  return changeSetOf(shown.run) === typical.changes;
}

/** Low-confidence lessons are used only if there is nothing better. */
function preferConfident(lessons: readonly Lesson[]): Lesson[] {
  const confident = lessons.filter(({ insight }) => insight.confidence >= lowConfidence);
  return [...(confident.length > 0 ? confident : lessons)];
}

function chooseDirect(working: readonly Lesson[]): Chosen[] {
  const strategies = working.filter(({ insight }) => insight.kind === 'strategy');
  // Other values may need a different outcome, so the same task beats a variant.
  const same = strategies.filter(({ relation }) => relation === 'same');
  const ways = distinctWays(same.length > 0 ? same : strategies);
  if (ways.length === 0) return working.slice(0, 1).map((lesson) => ({ lesson, as: 'recovery' }));
  return ways.map((lesson, at) => ({ lesson, as: formOf(lesson, at > 0 && ways[0]?.example !== undefined) }));
}

/**
 * Near-identical runs support each other: among ways that one run each took, the one closest to the others ranks first.
 */
function withConsensus(lessons: readonly Lesson[]): (Lesson & { consensus: number })[] {
  const direct = lessons.filter((lesson) => lesson.relation !== 'similar' && isAdvice(lesson));
  const words = new Map(direct.map((lesson) => [lesson, new Set(lesson.forms.join(' ').split(/\s+/))]));
  const overlap = (a: Lesson, b: Lesson) => jaccard(words.get(a) ?? new Set(), words.get(b) ?? new Set());
  return lessons.map((lesson) => ({
    ...lesson,
    consensus: words.has(lesson)
      ? direct.reduce((sum, other) => sum + other.support * (other === lesson ? 1 : overlap(lesson, other)), 0)
      : lesson.support,
  }));
}

function formOf({ example }: Lesson, isAdditional: boolean): Chosen['as'] {
  if (example === undefined) return 'words';
  return isAdditional ? 'way' : 'example';
}

/** Different ways to do the task. A risky way is shown only if it is the best, and then alone. */
function distinctWays(strategies: readonly Lesson[]): Lesson[] {
  const [best] = strategies;
  if (!best || isRisky(best)) return best ? [best] : [];
  const safe = strategies.filter((lesson) => !isRisky(lesson));
  const isAgreed = best.support >= minConsensusRuns;
  const others = safe.filter(
    (lesson) => lesson !== best && !contains(lesson, best) && (!isAgreed || lesson.support > 1),
  );
  return [best, ...others].slice(0, maxWays);
}

/** The same actions plus some that were not needed: not another way. */
function contains(lesson: Lesson, best: Lesson): boolean {
  return best.forms.length > 0 && lesson.forms.join('\n').includes(best.forms.join('\n'));
}

/** A warning is in words, and only about the same task; observed failures come before a model's opinion. */
function warningFrom(direct: readonly Lesson[]): Chosen[] {
  const failed = direct.filter(({ insight, relation }) => insight.polarity === 'failure' && relation === 'same');
  const lesson = failed.find(({ insight }) => insight.rule !== 'model') ?? failed[0];
  return lesson ? [{ lesson, as: 'words' }] : [];
}

function chooseFromSimilar(ranked: readonly Lesson[], { typical }: Choice): Chosen[] {
  const advice = ranked.filter((lesson) => lesson.relation === 'similar' && isAdvice(lesson));
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
  const matching = lessons.filter((lesson) => isTypical(lesson, typical));
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
      .map((candidate) => ({ candidate, score: candidate.rank - weights.overlap * overlap(candidate.objects) }))
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

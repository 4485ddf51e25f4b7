import { jaccard } from '@whetstone/reading';

import { isRisky } from './admit-lessons.js';
import { chooseSimilar } from './choose-similar.js';
import type { Lesson } from './fold-lessons.js';
import { lowConfidence } from './judge-hits.js';
import { isTypical, type TypicalChanges } from './typical-changes.js';

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
const weights = { confidence: 0.2, support: 0.05, same: 0.1, typical: 0.3 };
const maxSupport = 8;
/** If this many runs agree on a way, what a single run did differently may have been luck. */
const minConsensusRuns = 4;

/**
 * Picks the lessons to show, in order. If something is known to work for this very task, only that; otherwise a few
 * ideas from similar tasks and at most one warning. A failure never suppresses what works.
 */
export function chooseLessons(lessons: readonly Lesson[], choice: Choice): Chosen[] {
  const ranked = rank(withConsensus(lessons), choice);
  const direct = ranked.filter(({ relation }) => relation !== 'similar');
  const similar = ranked.filter((lesson) => lesson.relation === 'similar' && isAdvice(lesson));
  const working = preferConfident(direct.filter(isAdvice));
  const chosen =
    working.length > 0 ? chooseDirect(working) : [...chooseSimilar(similar, choice.typical), ...warningFrom(direct)];
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
  const usual = typical && isTypical(lesson.shown.run, typical) ? weights.typical * typical.share : 0;
  const same = relation === 'same' ? weights.same : 0;
  return nearness + weights.confidence * insight.confidence + agreed + voteShift + same + usual;
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

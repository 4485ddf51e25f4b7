import { jaccard } from '@whetstone/reading';

import { isRisky } from './admit-lessons.js';
import { chooseSimilar, formAtSimilarTask } from './choose-similar.js';
import { isByPerson, isInPersonsWords } from './decided-hits.js';
import { type Explanation, type Reason, sift } from './explanation.js';
import type { Lesson } from './fold-lessons.js';
import { lowConfidence } from './judge-hits.js';
import { isTypical, type TypicalChanges } from './typical-changes.js';

/**
 * How a lesson is shown. `example`: with its task. `way`: another example for the same task. `words`: its text, without
 * an example. `said`: a person's text, with the example. Commands from similar tasks: as a `hint`, the programs and
 * options of one; or the `programs` that most of them used.
 */
/** Programs that similar tasks used, and at how many tasks. */
export interface UsedPrograms {
  programs: readonly string[];
  tasks: number;
}

export interface Chosen {
  lesson: Lesson;
  as: 'example' | 'way' | 'recovery' | 'hint' | 'words' | 'said' | UsedPrograms;
}

interface Choice {
  maxRecommendations: number;
  /** Whether a value occurs in the task. */
  isAsked(value: string): boolean;
  /** What runs at similar tasks usually change. */
  typical?: TypicalChanges | undefined;
  explanation?: Explanation | undefined;
}

/** What people say about the same task leaves room for what worked. */
const maxNotes = 3;
const weights = { confidence: 0.2, support: 0.05, same: 0.1, typical: 0.3, unasked: 0.02 };
const maxSupport = 8;
const maxUnasked = 3;

/**
 * Picks the lessons to show, in order. If something is known to work for this very task, only that; otherwise a few
 * ideas from similar tasks and at most one warning. A failure never suppresses what works. What is pinned comes first,
 * then what people say about this task, whatever else is known.
 */
export function chooseLessons(lessons: readonly Lesson[], choice: Choice): Chosen[] {
  const { maxRecommendations, explanation } = choice;
  const ranked = rank(withConsensus(lessons), choice);
  const notes = sift(ranked.filter(isNote), (_, at) => at < maxNotes, 'too_many', explanation);
  const direct = ranked.filter((lesson) => lesson.relation !== 'similar' && !isNote(lesson));
  const similar = ranked.filter((lesson) => lesson.relation === 'similar' && isAdvice(lesson));
  const works = direct.some(isAdvice);
  const working = preferConfident(works ? sift(direct, isAdvice, 'not_needed', explanation) : [], explanation);
  if (works) sift(similar, () => false, 'similar_only', explanation);
  const usual = works
    ? chooseDirect(working, explanation)
    : [...chooseSimilar(similar, choice), ...warningFrom(direct, explanation)];
  const told = notes.map((lesson): Chosen => ({ lesson, as: 'said' }));
  const chosen = withPinned(ranked, [...told, ...usual]).map(inPersonsWords);
  const kept = chosen.slice(0, maxRecommendations);
  sift(
    chosen.slice(maxRecommendations).map(({ lesson }) => lesson),
    () => false,
    'too_many',
    explanation,
  );
  return kept;
}

function withPinned(ranked: readonly Lesson[], usual: readonly Chosen[]): Chosen[] {
  const pinned = ranked.filter(isPinned);
  if (pinned.length === 0) return [...usual];
  const formOfPinned = (lesson: Lesson): Chosen['as'] => {
    if (!isAdvice(lesson)) return 'words';
    if (lesson.insight.kind === 'recovery') return 'recovery';
    return lesson.relation === 'similar' && !lesson.isClose ? formAtSimilarTask(lesson) : formOf(lesson, false);
  };
  return [
    ...pinned.map((lesson) => ({ lesson, as: formOfPinned(lesson) })),
    ...usual.filter(({ lesson }) => !isPinned(lesson)),
  ];
}

function isPinned({ state }: Lesson): boolean {
  return state === 'pinned';
}

/** A person's words about the same task that show no way to do it: they go with any way. */
function isNote(lesson: Lesson): boolean {
  const { relation, insight, example } = lesson;
  return relation !== 'similar' && isByPerson(insight) && (example === undefined || !isAdvice(lesson));
}

function inPersonsWords({ lesson, as }: Chosen): Chosen {
  return { lesson, as: isInPersonsWords(lesson.shown) && typeof as === 'string' ? 'said' : as };
}

export function isAdvice({ insight }: Lesson): boolean {
  return insight.kind !== 'pitfall' && insight.polarity === 'success';
}

function rank(lessons: readonly (Lesson & { consensus: number })[], { typical, isAsked }: Choice): Lesson[] {
  const scores = new Map(lessons.map((lesson) => [lesson, scoreOf(lesson, typical) - penaltyFor(lesson, isAsked)]));
  return [...lessons].sort(
    (a, b) => Number(isPinned(b)) - Number(isPinned(a)) || (scores.get(b) ?? 0) - (scores.get(a) ?? 0),
  );
}

function scoreOf(lesson: Lesson & { consensus: number }, typical: TypicalChanges | undefined): number {
  const { nearness, relation, insight, consensus, voteShift } = lesson;
  const agreed = weights.support * Math.log2(Math.min(consensus, maxSupport));
  const usual = typical && isTypical(lesson.shown.run, typical) ? weights.typical * typical.share : 0;
  const same = relation === 'same' ? weights.same : 0;
  return nearness + weights.confidence * insight.confidence + agreed + voteShift + same + usual;
}

/** Quoted text, a number, a path. */
const literal = /"[^"\n]+"|'[^'\n]+'|(?<![\w-])\d+(?!\w)|(?<!\S)\/[\w./*-]+/g;

/** What a way does beyond the task shows in its literals: `head -n 10`, where nobody asked for ten. */
function penaltyFor({ relation, example = '' }: Lesson, isAsked: Choice['isAsked']): number {
  if (relation === 'similar') return 0;
  const unasked = new Set(example.match(literal)?.filter((value) => !isAsked(value)));
  return weights.unasked * Math.min(unasked.size, maxUnasked);
}

/** Those that pass if there are any; otherwise all. */
function prefer(
  lessons: readonly Lesson[],
  passes: (lesson: Lesson) => boolean,
  reason: Reason,
  explanation: Explanation | undefined,
): Lesson[] {
  return lessons.some(passes) ? sift(lessons, passes, reason, explanation) : [...lessons];
}

/** Low-confidence lessons are used only if there is nothing better. */
function preferConfident(lessons: readonly Lesson[], explanation: Explanation | undefined): Lesson[] {
  return prefer(lessons, ({ insight }) => insight.confidence >= lowConfidence, 'low_confidence', explanation);
}

function chooseDirect(working: readonly Lesson[], explanation: Explanation | undefined): Chosen[] {
  const strategies = prefer(working, ({ insight }) => insight.kind === 'strategy', 'not_needed', explanation);
  if (strategies[0]?.insight.kind !== 'strategy') {
    return sift(strategies, (_, at) => at === 0, 'too_many', explanation).map((lesson) => ({ lesson, as: 'recovery' }));
  }
  // Other values may need a different outcome, so the same task beats a variant.
  const ways = distinctWays(prefer(strategies, isSame, 'other_values', explanation), explanation);
  return ways.map((lesson, at) => ({ lesson, as: formOf(lesson, at > 0 && ways[0]?.example !== undefined) }));
}

function isSame({ relation }: Lesson): boolean {
  return relation === 'same';
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

/**
 * One example of how to do the task: an agent that sees two mixes them up. If outcomes speak against it, another one
 * beside it, to find out which is better. A risky way is shown only if it is the best, and then alone.
 */
function distinctWays(strategies: readonly Lesson[], explanation: Explanation | undefined): Lesson[] {
  const [best] = strategies;
  if (!best) return [];
  const alone = isRisky(best);
  const safe = sift(strategies, (lesson) => lesson === best || !(alone || isRisky(lesson)), 'risky_way', explanation);
  const ways = sift(safe, (lesson) => lesson === best || !contains(lesson, best), 'same_way', explanation);
  const most = best.example === undefined || best.voteShift < 0 ? 2 : 1;
  return sift(ways, (_, at) => at < most, 'another_way', explanation);
}

/** The same actions plus some that were not needed: not another way. */
function contains(lesson: Lesson, best: Lesson): boolean {
  return best.forms.length > 0 && lesson.forms.join('\n').includes(best.forms.join('\n'));
}

/** A warning is in words, and only about the same task; observed failures come before a model's opinion. */
function warningFrom(direct: readonly Lesson[], explanation: Explanation | undefined): Chosen[] {
  const isWarning = ({ insight, relation }: Lesson) => insight.polarity === 'failure' && relation === 'same';
  const failed = sift(direct, isWarning, 'own_task_only', explanation);
  const best = failed.find(({ insight }) => insight.rule !== 'model') ?? failed[0];
  const chosen = sift(failed, (lesson) => lesson === best, 'too_many', explanation);
  return chosen.map((lesson) => ({ lesson, as: 'words' }));
}

import { isAboutItsTask } from '../reflector/run-reading.js';
import { jaccard } from './content-words.js';
import type { Lesson } from './fold-hits.js';
import { far } from './relevance.js';

export interface ChoiceConfig {
  maxRecommendations: number;
}

const kindWeight = { strategy: 0.08, recovery: 0, pitfall: 0 } as const;
const supportWeight = 0.02;
const confidenceWeight = 0.2;
const uncalledForCost = 0.1;
/** What being like an already chosen lesson costs. */
const likenessCost = 0.15;
/** As parts of the relevance of what is nearest: the further down in the answer, the nearer a lesson has to be. */
const nearEnough = { first: 0.65, firstIfKnown: 0.75, more: 0.85, aside: 0.85 };
/** From this relevance on something is known about the task: what is far from it only distracts, and what failed at others is not of it. */
const known = 0.7;
const firstOnes = 3;
/** A lesson is worth the less the longer its example is: what nobody can read nobody reuses. */
const longExample = { from: 160, to: 400, cost: 0.1 };
const maxAsides = 2;
const severalRuns = 4;
const doubt = 0.3;

/**
 * What to say, in the order in which to say it: what worked first, most relevant and best supported first, each unlike
 * those before it; then, in what room is left, what to avoid and what failed runs have found.
 */
export function chooseLessons(lessons: readonly Lesson[], { maxRecommendations }: ChoiceConfig): Lesson[] {
  const nearest = Math.max(0, ...lessons.map(({ relevance }) => relevance));
  const reach = nearest < known ? nearEnough.first : nearEnough.firstIfKnown;
  const near = lessons.filter(({ relevance }) => relevance >= nearest * reach);
  const advice = withoutUncalledFor(withoutDoubts(near.filter(isAdvice)));
  const worked = new Set(advice.flatMap(({ shown }) => linesOf(shown.insight.example)));
  const asides = near.filter(
    (lesson) =>
      !isAdvice(lesson) &&
      // What one run did in vain and another with success is no warning.
      !linesOf(lesson.shown.insight.example).some((line) => worked.has(line)) &&
      (advice.length === 0 || isCommonHabit(lesson) || lesson.relevance >= Math.max(known, nearest * nearEnough.aside)),
  );
  const room = advice.length === 0 ? maxRecommendations - 2 : Math.min(maxAsides, maxRecommendations - 1);
  const chosenAsides = withOneDoubt(unlikeOnes(asides, room));
  // Of what is all far a few ideas are worth telling, and no more.
  const most = nearest < far ? Math.min(firstOnes, maxRecommendations) : maxRecommendations;
  const chosen = withoutLoners(unlikeOnes(advice, most - chosenAsides.length)).filter(
    ({ relevance }, at) => at < firstOnes || relevance >= nearest * nearEnough.more,
  );
  return [...chosen, ...chosenAsides];
}

/** What led to a success. What a failed run has to say, its way past an error too, is said aside. */
function isAdvice({ shown }: Lesson): boolean {
  return shown.insight.polarity === 'success' && shown.insight.kind !== 'pitfall';
}

/** What went wrong in several runs and can in any task, such as a form that is rejected: worth saying to one that is less near. */
function isCommonHabit({ shown, support }: Lesson): boolean {
  return shown.insight.kind === 'pitfall' && support > 1 && !isAboutItsTask(shown.insight);
}

/** Where several runs at the very task agree, what one run did otherwise is left out: it may have been luck. */
function withoutLoners(advice: readonly Lesson[]): readonly Lesson[] {
  const [first] = advice;
  if (!first?.sameTask || first.support < severalRuns) return advice;
  return advice.filter(({ support, shown }) => support > 1 || shown.insight.kind === 'recovery');
}

/** What says only that it ended well, and not by what, is told where nobody knows more. */
function withoutDoubts(advice: readonly Lesson[]): readonly Lesson[] {
  const sure = advice.filter((lesson) => !isDoubt(lesson));
  return sure.length > 0 ? sure : advice;
}

/** A command that destroys what nobody asks to be destroyed is told, with its caution, where there is nothing else. */
function withoutUncalledFor(advice: readonly Lesson[]): readonly Lesson[] {
  const calledFor = advice.filter(({ uncalledFor }) => !uncalledFor);
  return calledFor.length > 0 ? calledFor : advice;
}

function isDoubt({ shown }: Lesson): boolean {
  return shown.insight.confidence < doubt;
}

/** One "this was not enough, nobody knows why" is a hint; two are noise. */
function withOneDoubt(warnings: readonly Lesson[]): Lesson[] {
  const firstDoubt = warnings.find(isDoubt);
  return warnings.filter((warning) => warning === firstDoubt || !isDoubt(warning));
}

function linesOf(example = ''): string[] {
  return example
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function unlikeOnes(lessons: readonly Lesson[], limit: number): Lesson[] {
  const left = new Map(lessons.map((lesson) => [lesson, scoreOf(lesson)]));
  const chosen: Lesson[] = [];
  while (chosen.length < limit && left.size > 0) {
    const [best] = [...left].reduce((a, b) => (b[1] > a[1] ? b : a));
    chosen.push(best);
    left.delete(best);
    for (const [other, score] of left) left.set(other, score - likenessCost * jaccard(best.words, other.words));
  }
  return chosen;
}

function scoreOf({ shown, relevance, support, voteShift, uncalledFor }: Lesson): number {
  const { kind, confidence, example } = shown.insight;
  const trust = confidenceWeight * confidence + supportWeight * Math.log2(support) + voteShift;
  return relevance + kindWeight[kind] + trust - (uncalledFor ? uncalledForCost : 0) - costOf(example);
}

function costOf(example = ''): number {
  const { from, to, cost } = longExample;
  return cost * Math.min(1, Math.max(0, (example.length - from) / (to - from)));
}

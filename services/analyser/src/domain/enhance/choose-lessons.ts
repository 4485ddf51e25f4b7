import { jaccard } from './content-words.js';
import type { Lesson } from './fold-hits.js';

export interface ChoiceConfig {
  maxRecommendations: number;
}

const kindWeight = { strategy: 0.08, recovery: 0, pitfall: 0 } as const;
const supportWeight = 0.02;
const confidenceWeight = 0.2;
const uncalledForCost = 0.1;
/** What being like an already chosen lesson costs. */
const likenessCost = 0.15;
const knownTask = 0.95;
const widestGap = 0.35;
const maxWarnings = 2;
const doubt = 0.3;

/**
 * What to say, in the order in which to say it: what worked first, most relevant and best supported first, each unlike
 * those before it; then, in what room is left, what to avoid.
 */
export function chooseLessons(lessons: readonly Lesson[], { maxRecommendations }: ChoiceConfig): Lesson[] {
  const near = withoutFarOnes(lessons);
  const advice = near.filter(({ shown }) => shown.insight.kind !== 'pitfall');
  const worked = new Set(advice.flatMap(({ shown }) => linesOf(shown.insight.example)));
  // What one run did in vain and another with success is no warning.
  const warnings = near.filter(
    ({ shown }) => shown.insight.kind === 'pitfall' && !linesOf(shown.insight.example).some((line) => worked.has(line)),
  );
  const room = advice.length === 0 ? maxRecommendations - 2 : Math.min(maxWarnings, maxRecommendations - 1);
  const chosenWarnings = withOneDoubt(unlikeOnes(warnings, room));
  return [...unlikeOnes(advice, maxRecommendations - chosenWarnings.length), ...chosenWarnings];
}

/** Where the very task is known, other tasks that are only roughly alike have nothing to add. */
function withoutFarOnes(lessons: readonly Lesson[]): readonly Lesson[] {
  const nearest = Math.max(0, ...lessons.map(({ relevance }) => relevance));
  return nearest < knownTask ? lessons : lessons.filter(({ relevance }) => relevance >= nearest - widestGap);
}

/** One "this was not enough, nobody knows why" is a hint; two are noise. */
function withOneDoubt(warnings: readonly Lesson[]): Lesson[] {
  const isDoubt = ({ shown }: Lesson) => shown.insight.confidence < doubt;
  const firstDoubt = warnings.find(isDoubt);
  return warnings.filter((warning) => warning === firstDoubt || !isDoubt(warning));
}

function linesOf(example = ''): string[] {
  return example.split('\n').map((line) => line.trim());
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
  const { kind, confidence } = shown.insight;
  const trust = confidenceWeight * confidence + supportWeight * Math.log2(support) + voteShift;
  return relevance + kindWeight[kind] + trust - (uncalledFor ? uncalledForCost : 0);
}

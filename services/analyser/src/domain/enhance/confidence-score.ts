import type { Lesson } from './fold-hits.js';

/**
 * The chance that the answer helps, from how near the nearest lesson's task is and how many runs back it: a logistic curve
 * fitted to answers whose usefulness is known. Monotone in relevance, support and the lessons' own confidence; to know what to avoid helps less than to know what to do.
 */
const curve = { intercept: -6.4, relevance: 9, support: 0.3, confidence: 1, warning: -1.5 };
/** What passed the relevance floor at all helps at least so often. */
const leastChance = 0.15;

export function confidenceScore(lessons: readonly Lesson[]): number {
  const scores = lessons.map(({ relevance, support, shown }) =>
    logistic(
      curve.intercept +
        curve.relevance * relevance +
        curve.support * Math.log2(Math.min(support, 8)) +
        curve.confidence * shown.insight.confidence +
        (shown.insight.kind === 'pitfall' ? curve.warning : 0),
    ),
  );
  if (scores.length === 0) return 0;
  const chance = leastChance + (1 - leastChance) * Math.max(...scores);
  return Math.round(chance * 1000) / 1000;
}

function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}

import type { Lesson } from './fold-hits.js';

/**
 * The chance that the answer helps: a logistic curve fitted to some two thousand answers of two trades whose usefulness is
 * known, half and half. Of what is told, the advice nearest to the task decides; to know only what to avoid helps less.
 */
const curve = { intercept: -4.3, relevance: 4.4, support: 0.25, confidence: 2.8, warning: -1 };
const mostSupport = 8;

export function confidenceScore(lessons: readonly Lesson[]): number {
  const aboutTask = lessons.filter(({ relevance }) => relevance > 0);
  const nearest = nearestOf(aboutTask.filter(({ shown }) => shown.insight.kind !== 'pitfall')) ?? nearestOf(aboutTask);
  if (!nearest) return 0;
  const { relevance, support, shown } = nearest;
  const chance = logistic(
    curve.intercept +
      curve.relevance * relevance +
      curve.support * Math.log2(Math.min(support, mostSupport)) +
      curve.confidence * shown.insight.confidence +
      (shown.insight.kind === 'pitfall' ? curve.warning : 0),
  );
  return Math.round(chance * 1000) / 1000;
}

function nearestOf(lessons: readonly Lesson[]): Lesson | undefined {
  return lessons.reduce<Lesson | undefined>(
    (best, lesson) => (best && best.relevance >= lesson.relevance ? best : lesson),
    undefined,
  );
}

function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}

import type { Lesson } from './fold-lessons.js';

const mostOfVotes = 0.05;

/**
 * The chance that the task is solved with the answer, by the best that is told. Taken from what a small real agent solved: three
 * of four with an example of the very task, about one of four with what is only alike, none with a caution alone.
 */
export function confidenceScore(lessons: readonly Lesson[]): number {
  const aboutTask = lessons.filter(({ insight }) => insight.scope !== 'format');
  return Math.round(1000 * Math.max(0, ...aboutTask.map(chanceOf))) / 1000;
}

function chanceOf({ relation, difference, insight, nearness, support, voteShift }: Lesson): number {
  if (insight.polarity === 'failure' || insight.kind === 'pitfall') return 0.05;
  const agreed = 1 - 1 / support;
  const votes = Math.max(-mostOfVotes, Math.min(mostOfVotes, voteShift));
  if (relation === 'same') return 0.7 + 0.1 * agreed + votes;
  if (relation === 'variant') return 0.65 + 0.05 * agreed + votes;
  if (difference) return 0.6 + votes;
  return 0.2 + 0.2 * nearness * nearness;
}

import type { Lesson } from './fold-lessons.js';

const mostOfVotes = 0.05;

/** The chance that the answer helps, by the best that is told: more for the very task, and the more runs agree. */
export function confidenceScore(lessons: readonly Lesson[]): number {
  const aboutTask = lessons.filter(({ insight }) => insight.scope !== 'format');
  return Math.round(1000 * Math.max(0, ...aboutTask.map(chanceOf))) / 1000;
}

function chanceOf({ relation, difference, insight, nearness, support, voteShift }: Lesson): number {
  if (insight.polarity === 'failure' || insight.kind === 'pitfall') return 0.2;
  const agreed = 1 - 1 / support;
  const votes = Math.max(-mostOfVotes, Math.min(mostOfVotes, voteShift));
  if (relation === 'same') return 0.7 + 0.2 * agreed + votes;
  if (relation === 'variant') return 0.65 + 0.1 * agreed + votes;
  if (difference) return 0.6 + votes;
  return 0.3 + 0.2 * nearness * nearness;
}

import type { Answer, Question } from './answerer.js';
import type { Interaction } from './interaction.js';

export const metrics = {
  rescue: 'rescue@3',
  paraphrased: 'rescue@3, paraphrased',
  tools: 'held out: winner’s tools in top 3',
  family: 'held out: same family of actions',
  falseAlarm: 'false alarm: unrelated tasks answered',
  answered: 'held out: own tasks answered',
  foreign: 'foreign winners per answer',
} as const;

export type Metric = keyof typeof metrics;

export interface Measure {
  metric: Metric;
  /** The domain, or who was asked about whose tasks. */
  data: string;
  value: number;
  /** How many attempts or tasks it is the mean of. */
  questions: number;
}

/** A question that was asked, what it was asked for and whether the answer had it. */
export interface Asked {
  metric: Metric;
  collection: string;
  question: Question;
  interaction: Interaction;
  answer: Answer;
  times: number;
  score: number;
}

export function meanOf(asked: readonly Pick<Asked, 'score' | 'times'>[]): { value: number; questions: number } {
  const questions = asked.reduce((sum, { times }) => sum + times, 0);
  const total = asked.reduce((sum, { score, times }) => sum + score * times, 0);
  return { value: questions === 0 ? 0 : total / questions, questions };
}

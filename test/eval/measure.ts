import type { Answer, Question } from './answerer.js';
import type { Interaction } from './interaction.js';

export const metrics = {
  rescue: 'rescue@3',
  paraphrased: 'rescue@3, paraphrased',
  tools: 'held out: winner’s tools in top 3',
  family: 'held out: same family of actions',
  familyOfFive: 'the same, silence counted as wrong',
  falseAlarm: 'false alarm: unrelated tasks answered',
  answered: 'held out: own tasks answered',
  foreign: 'foreign winners per answer',
  values: 'values of another case per answer',
} as const;

export type Metric = keyof typeof metrics;

export interface Measure {
  metric: Metric;
  /** The domain, or which domain was asked about which. */
  data: string;
  value: number;
  /** Number of attempts or tasks averaged. */
  questions: number;
  /** Half the 95 % interval over the distinct texts asked. */
  margin: number;
}

/** A question, its metric, and the score of its answer. */
export interface Asked {
  metric: Metric;
  data: string;
  collection: string;
  question: Question;
  interaction: Interaction;
  answer: Answer;
  times: number;
  score: number;
}

export function meanOf(asked: readonly Pick<Asked, 'score' | 'times'>[]): Omit<Measure, 'metric' | 'data'> {
  const questions = asked.reduce((sum, { times }) => sum + times, 0);
  if (questions === 0) return { value: 0, questions, margin: 0 };
  const value = asked.reduce((sum, { score, times }) => sum + score * times, 0) / questions;
  const spread = asked.reduce((sum, { score, times }) => sum + times * (score - value) ** 2, 0) / questions;
  return { value, questions, margin: 1.96 * Math.sqrt(spread / asked.length) };
}

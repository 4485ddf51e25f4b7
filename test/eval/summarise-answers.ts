import { median } from '../load/report.js';
import type { Asked } from './measure.js';

export interface AnswerSummary {
  answers: number;
  /** The share that said nothing. */
  empty: number;
  medianLength: number;
  longest: number;
}

/** Of all answers to tasks of the own domain. */
export function summariseAnswers(asked: readonly Asked[]): AnswerSummary {
  const own = asked.filter(({ metric }) => metric !== 'falseAlarm');
  const told = own.filter(({ answer }) => answer.recommendations.length > 0);
  const lengths = told.map(({ answer }) => answer.added.length);
  return {
    answers: own.length,
    empty: own.length === 0 ? 0 : 1 - told.length / own.length,
    medianLength: lengths.length === 0 ? 0 : median(lengths),
    longest: Math.max(0, ...lengths),
  };
}

import type { Metric } from './measure.js';

export interface Goal {
  atLeast?: number;
  atMost?: number;
}

/** The minimum for a service to be worth asking. */
export const goals: Record<Metric, Goal> = {
  rescue: { atLeast: 0.97 },
  paraphrased: { atLeast: 0.97 },
  tools: { atLeast: 0.77 },
  family: { atLeast: 0.42 },
  familyOfFive: {},
  falseAlarm: { atMost: 0.01 },
  answered: { atLeast: 0.8 },
  foreign: { atMost: 3 },
  values: { atMost: 0 },
};

export function isMet(value: number, { atLeast, atMost }: Goal): boolean {
  return (atLeast === undefined || value >= atLeast) && (atMost === undefined || value <= atMost);
}

export function describeGoal({ atLeast, atMost }: Goal): string {
  if (atLeast !== undefined) return `≥ ${atLeast}`;
  return atMost === undefined ? '' : `≤ ${atMost}`;
}

import { shuffled } from '../chance.js';
import { describeGoal, type Goal, isMet } from '../goals.js';
import { type Measure, type Metric, metrics } from '../measure.js';
import type { Recommending, StoredRun } from './start-stand-in.js';

const most = 5;

/** Random successful runs. */
export function createRandomRanker(): Recommending {
  let asked = 0;
  return (runs) => shuffled(successesOf(runs), ++asked).slice(0, most).map(tellRun);
}

/** The same runs for every task. */
export const blindRanker: Recommending = (runs) => successesOf(runs).slice(0, most).map(tellRun);

/** Everything any run ever did, in one recommendation. */
export const storeDump: Recommending = (runs) => (runs.length === 0 ? [] : [{ text: exampleOf(runs), runs }]);

/** Always silent. */
export const muteService: Recommending = () => [];

function tellRun(run: StoredRun): { text: string; runs: StoredRun[] } {
  return { text: `[what worked · 1 run] ${exampleOf([run])}`, runs: [run] };
}

function successesOf(runs: readonly StoredRun[]): StoredRun[] {
  return runs.filter(({ success }) => success === true);
}

function exampleOf(runs: readonly StoredRun[]): string {
  return ['Example:', ...runs.flatMap(({ turns }) => turns.map(({ decision }) => `  ${decision}`))].join('\n');
}

/**
 * What the small set that comes with the project must reach on every machine: well below what the service does, so that an honest change
 * of the ranking passes, and well above what one that does not rank can reach.
 */
export const gate: Record<Metric, Goal> = {
  rescue: { atLeast: 0.9 },
  paraphrased: { atLeast: 0.85 },
  tools: { atLeast: 0.25 },
  family: { atLeast: 0.3 },
  familyOfFive: {},
  falseAlarm: { atMost: 0.05 },
  answered: { atLeast: 0.4 },
  foreign: { atMost: 3 },
  values: { atMost: 0 },
};

/** Failures by metric; empty if it passes. Domains are pooled because each is small. */
export function failuresAt(thresholds: Record<Metric, Goal>, measures: readonly Measure[]): Map<Metric, string> {
  const failures = new Map<Metric, string>();
  for (const metric of Object.keys(thresholds) as Metric[]) {
    const those = measures.filter((measure) => measure.metric === metric);
    const questions = those.reduce((sum, measure) => sum + measure.questions, 0);
    const total = those.reduce((sum, measure) => sum + measure.value * measure.questions, 0);
    const value = questions === 0 ? 0 : total / questions;
    const goal = thresholds[metric];
    if (those.length === 0) failures.set(metric, `${metrics[metric]} was not measured`);
    else if (!isMet(value, goal)) {
      failures.set(metric, `${metrics[metric]}: ${value.toFixed(2)}, must be ${describeGoal(goal)}`);
    }
  }
  return failures;
}

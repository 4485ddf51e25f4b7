import { shuffled } from '../eval/chance.js';
import type { RunTurn } from './attempt-task.js';
import type { Task } from './world.js';

export type Advice = 'without' | 'with' | 'retrieval';
/** What was learnt before: runs at the same task too, only at other tasks, or the agent's own runs so far. */
export type Knowledge = 'seen' | 'new' | 'curve';

export interface Arm {
  name: string;
  by: Advice;
  knowledge?: Knowledge;
}

export const arms: readonly Arm[] = [
  { name: 'without', by: 'without' },
  ...(['seen', 'new', 'curve'] as const).flatMap((knowledge) =>
    (['with', 'retrieval'] as const).map((by): Arm => ({ name: `${by}-${knowledge}`, by, knowledge })),
  ),
];

/** One line of an arm's file. */
export interface Result {
  arm: string;
  world: string;
  task: string;
  round: number;
  /** The prompt in place of the task. */
  prompt: string;
  confidence?: number;
  turns: RunTurn[];
  solved: boolean;
  solvedInTheEnd: boolean;
}

/** Half of each family and half of the single tasks, by the seed. */
export function halvesOf(tasks: readonly Task[], seed: number): Map<string, 0 | 1> {
  const families = [...new Set(tasks.map(({ family }) => family))];
  const inOrder = families.flatMap((family) =>
    shuffled(
      tasks.filter((task) => task.family === family),
      seed,
    ),
  );
  return new Map(inOrder.map(({ id }, index) => [id, (index % 2) as 0 | 1]));
}

export interface PlannedRun {
  task: Task;
  round: number;
}

/** Task order of an arm: a curve repeats the tasks several times, each time in another order. */
export function planRuns(
  tasks: readonly Task[],
  { knowledge }: Arm,
  { seed, limit, rounds }: PlanOptions,
): PlannedRun[] {
  const chosen = shuffled(tasks, seed).slice(0, limit);
  if (knowledge !== 'curve') return chosen.map((task) => ({ task, round: 1 }));
  return Array.from({ length: rounds }, (_, index) =>
    shuffled(chosen, seed + index).map((task) => ({ task, round: index + 1 })),
  ).flat();
}

export interface PlanOptions {
  seed: number;
  limit: number;
  rounds: number;
}

import { shuffled } from '../chance.js';
import type { Recommending, StoredRun } from './start-stand-in.js';

const most = 5;

/** Any runs that succeeded, other ones each time. */
export function createRandomRanker(): Recommending {
  let asked = 0;
  return (runs) => shuffled(successesOf(runs), ++asked).slice(0, most).map(tellRun);
}

/** Always the same runs, whatever the task. */
export const blindRanker: Recommending = (runs) => successesOf(runs).slice(0, most).map(tellRun);

/** Everything that any run ever did, in one recommendation. */
export const storeDump: Recommending = (runs) => (runs.length === 0 ? [] : [{ text: exampleOf(runs), runs }]);

/** Never a word. */
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

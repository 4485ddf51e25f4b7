import { likeness } from './compare-actions.js';
import type { Step } from './read-steps.js';

/** Something failed, something else was done, and it worked. */
export interface Recovery {
  failed: Step;
  worked: Step;
  /** How many failing tries came before what worked, the first included. */
  tries: number;
  /** `worked` removed the obstacle, and then the very thing that had failed went through. */
  thenRepeated: boolean;
  /** Looks in between, which may have shown the way. */
  looks: Step[];
}

const reach = 8;
const sameGoal = 0.3;
const related = 0.15;

/** Errors that a later, different action got past, in order. Looks ahead a bounded number of steps: linear. */
export function findRecoveries(steps: readonly Step[]): Recovery[] {
  const recoveries: Recovery[] = [];
  let at = 0;
  while (at < steps.length) {
    const failed = steps[at];
    const recovery = failed?.outcome.kind === 'error' ? recoveryFrom(steps, at, failed) : undefined;
    if (!recovery) at++;
    else {
      recoveries.push(recovery);
      at = steps.indexOf(recovery.worked, at);
    }
  }
  return recoveries;
}

function recoveryFrom(steps: readonly Step[], at: number, failed: Step): Recovery | undefined {
  const between: Step[] = [];
  let tries = 1;
  let substitute: Step | undefined;
  for (const next of steps.slice(at + 1, at + 1 + reach)) {
    const continues = hasSameGoal(failed, next);
    if (next.outcome.kind === 'error') {
      if (!continues && next.action.kind !== failed.action.kind) break;
      tries++;
    } else if (isDeed(next)) {
      const recovery = { failed, tries, looks: between.filter(({ role }) => role === 'look') };
      const remedy = between.find(({ role }) => role === 'change');
      if (next.action.text !== failed.action.text) {
        if (continues) return { ...recovery, worked: next, thenRepeated: false };
        if (substitute === undefined && canReplace(failed, next)) substitute = next;
      } else if (remedy) return { ...recovery, worked: remedy, thenRepeated: true };
      between.push(next);
    }
  }
  return substitute ? { failed, worked: substitute, tries, thenRepeated: false, looks: [] } : undefined;
}

function isDeed({ action }: Step): boolean {
  return action.kind !== 'think' && action.kind !== 'finish' && action.kind !== 'reply';
}

/** The same program, tool or statement again, or a command that is mostly the same. */
function hasSameGoal(a: Step, b: Step): boolean {
  if (a.action.kind !== b.action.kind) return false;
  if (a.action.kind === 'tool') return a.action.name === b.action.name;
  if (a.action.kind === 'browser') return a.action.name === b.action.name;
  return likeness(a.action, b.action) >= sameGoal;
}

/** Another way to the same end: not a mere look round after a deed that failed. */
function canReplace(failed: Step, next: Step): boolean {
  if (failed.action.kind !== next.action.kind) return false;
  if (failed.action.kind === 'tool' || failed.action.kind === 'browser') return false;
  if (next.role !== 'look') return true;
  const isKin = failed.role === 'look' || failed.outcome.errorClass?.id === 'missing-program';
  return isKin && likeness(failed.action, next.action) >= related;
}

import { roleOf } from './action-role.js';
import { likeness } from './compare-actions.js';
import type { Step } from './read-steps.js';

/** Something failed, something else was done, and it worked. */
export interface Recovery {
  failed: Step;
  worked: Step;
  /** How many failing tries came before what worked, the first included. */
  tries: number;
}

const reach = 8;
const sameGoal = 0.3;

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
  let tries = 1;
  let substitute: Step | undefined;
  for (const next of steps.slice(at + 1, at + 1 + reach)) {
    const continues = hasSameGoal(failed, next);
    if (next.outcome.kind === 'error') {
      if (!continues && next.action.kind !== failed.action.kind) break;
      tries++;
    } else if (next.action.kind !== 'think' && next.action.kind !== 'finish' && next.action.kind !== 'reply') {
      if (continues && next.action.text !== failed.action.text) return { failed, worked: next, tries };
      if (substitute === undefined && canReplace(failed, next)) substitute = next;
    }
  }
  return substitute ? { failed, worked: substitute, tries } : undefined;
}

/** The same program, tool or statement again, or a command that is mostly the same. */
function hasSameGoal(a: Step, b: Step): boolean {
  if (a.action.kind !== b.action.kind) return false;
  if (a.action.kind === 'tool') return a.action.name === b.action.name;
  if (a.action.kind === 'browser')
    return a.action.name === b.action.name && a.label === b.label && a.label !== undefined;
  return likeness(a.action, b.action) >= sameGoal;
}

/** Another way to the same end: not a mere look round after a deed that failed. */
function canReplace(failed: Step, next: Step): boolean {
  if (failed.action.kind !== next.action.kind) return false;
  if (failed.action.kind === 'tool' || failed.action.kind === 'browser') return false;
  const isLook = roleOf(next.action) === 'look';
  return !isLook || (roleOf(failed.action) === 'look' && likeness(failed.action, next.action) >= 0.15);
}

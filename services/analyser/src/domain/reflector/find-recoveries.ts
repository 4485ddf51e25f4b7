import { wordsOfName } from './action-role.js';
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
  /** What was done in between: it may have shown or made the way. */
  between: Step[];
}

const reach = 8;
const sameGoal = 0.3;
const related = 0.15;
const lookingRound = new Set([
  'ls',
  'cat',
  'pwd',
  'which',
  'whereis',
  'type',
  'command',
  'echo',
  'env',
  'find',
  'dpkg',
  'apt',
  'whoami',
]);

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
  let found: Recovery | undefined;
  for (const next of steps.slice(at + 1, at + 1 + reach)) {
    if (next.outcome.kind === 'error') {
      if (found || (!hasSameGoal(failed, next) && next.action.kind !== failed.action.kind)) break;
      tries++;
    } else if (isDeed(next)) {
      const recovery = { failed, tries, between: [...between] };
      const remedy = between.find(({ role }) => role === 'change');
      if (isAgain(failed, next)) {
        // The same went through: what was done in between removed the obstacle.
        if (remedy) return { ...recovery, worked: remedy, thenRepeated: true };
      } else if (!found && hasSameGoal(failed, next)) found = { ...recovery, worked: next, thenRepeated: false };
      else if (!found && canReplace(failed, next))
        found = { ...recovery, worked: next, thenRepeated: false, between: [] };
      between.push(next);
    }
  }
  return found;
}

/** The very same again, or after a failed check another check. */
function isAgain(failed: Step, next: Step): boolean {
  return next.action.text === failed.action.text || (failed.role === 'check' && next.role === 'check');
}

function isDeed({ action }: Step): boolean {
  return action.kind !== 'think' && action.kind !== 'finish' && action.kind !== 'reply';
}

/** The same program, tool or statement again, or a command that is mostly the same. */
function hasSameGoal(a: Step, b: Step): boolean {
  if (a.action.kind !== b.action.kind) return false;
  if (a.action.kind === 'tool') return isSameTool(a.action.name, b.action.name);
  if (a.action.kind === 'browser') return a.action.name === b.action.name;
  return likeness(a.action, b.action) >= sameGoal;
}

/** `create_tasks_parallel` and `create_tasks_batch` are two ways to one end. */
function isSameTool(a: string, b: string): boolean {
  if (a === b) return true;
  const [first, second] = [wordsOfName(a), wordsOfName(b)];
  return first.length > 2 && second.length > 2 && first[0] === second[0] && first[1] === second[1];
}

/** Another way to the same end: not a mere look round after a deed that failed. */
function canReplace(failed: Step, next: Step): boolean {
  if (failed.action.kind !== next.action.kind) return false;
  if (failed.action.kind === 'tool' || failed.action.kind === 'browser') return false;
  if (next.role !== 'look') return true;
  const { id } = failed.outcome.errorClass ?? {};
  if (id === 'missing-program') return !lookingRound.has(next.action.name);
  return failed.role === 'look' && likeness(failed.action, next.action) >= related;
}

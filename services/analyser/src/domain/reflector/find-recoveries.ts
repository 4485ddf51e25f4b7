import type { Action } from './actions/action.js';
import { wordsOfName } from './actions/action-role.js';
import { targetOf } from './actions/browser-action.js';
import { likeness, overlap } from './actions/compare-actions.js';
import { thingsIn } from './actions/order-action.js';
import { readsSchema } from './actions/sql-statement.js';
import type { Step } from './read-steps.js';
import { readStages } from './shell/shell-command.js';

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
const sameThings = 0.5;
const sameArguments = 0.6;
const everywhere = /^(?:true|\/dev\/null|select|from|where|and|or|not|in|on|by|as|import|print)$/i;
const cannotBegin = new Set(['missing-program', 'missing-module', 'bad-option']);
const lookingRound = new Set([
  'ls',
  'cat',
  'nl',
  'head',
  'tail',
  'less',
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
      if (found || next.action.kind !== failed.action.kind) break;
      tries++;
    } else if (showsSchema(next) && !showsSchema(failed)) between.push(next);
    else if (isDeed(next)) {
      const recovery = { failed, tries, between: [...between] };
      const remedy = between.find(({ role }) => role === 'change');
      if (isAgain(failed, next)) {
        // The same went through: what was done in between removed the obstacle.
        if (remedy) return { ...recovery, worked: remedy, thenRepeated: true };
      } else if (!found && hasSameGoal(failed, next)) found = { ...recovery, worked: next, thenRepeated: false };
      else if (!found && canReplace(failed, next))
        found = { ...recovery, worked: next, thenRepeated: false, between: between.filter(showsSchema) };
      between.push(next);
    }
  }
  return found;
}

/** The very same again, or after a failed check another check, unless the first could not even begin. */
function isAgain(failed: Step, next: Step): boolean {
  if (next.action.text === failed.action.text) return true;
  return failed.role === 'check' && next.role === 'check' && !cannotBegin.has(failed.outcome.errorClass?.id ?? '');
}

function showsSchema({ action }: Step): boolean {
  return action.kind === 'sql' && readsSchema(action.text);
}

function isDeed({ action }: Step): boolean {
  return action.kind !== 'think' && action.kind !== 'finish' && action.kind !== 'reply';
}

/** The same program, tool or statement again, or a command that is mostly the same. */
function hasSameGoal(a: Step, b: Step): boolean {
  if (a.action.kind !== b.action.kind) return false;
  if (a.action.kind === 'tool') return isSameTool(a.action, b.action);
  if (a.action.kind === 'browser') return a.action.name === b.action.name && isSameTarget(a, b);
  // To go somewhere else is no way past a deed that failed.
  if (a.action.kind === 'order' && b.role === 'look' && a.role !== 'look') return false;
  if (a.action.kind === 'order') return overlap(thingsIn(a.action), thingsIn(b.action)) >= sameThings;
  return likeness(a.action, b.action) >= sameGoal;
}

/** Words to look for, or to type, can be any; what is clicked has to be the same thing by another name. */
function isSameTarget(a: Step, b: Step): boolean {
  if (/^(?:search|lookup|goto|navigate|open|type|fill)$/.test(a.action.name)) return true;
  const [wanted, found] = [a, b].map(({ label, action }) => wordsIn(label ?? targetOf(action)));
  return wanted === undefined || found === undefined || wanted.size === 0 || overlap(wanted, found) > 0;
}

function wordsIn(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/\p{L}{2,40}/gu));
}

/** `create_tasks_parallel` and `create_tasks_batch` are two ways to one end. */
function isSameTool(a: Action, b: Action): boolean {
  if (a.name === b.name) return true;
  const [first, second] = [wordsOfName(a.name), wordsOfName(b.name)];
  const given = (action: Action) => new Set(Object.keys(action.args));
  return (
    first.length > 2 &&
    first.slice(0, -1).join() === second.slice(0, -1).join() &&
    overlap(given(a), given(b)) >= sameArguments
  );
}

/** Both name one thing at least that is no option and no program: a file, a pattern, a number, a table. */
function isAboutTheSame(a: Action, b: Action): boolean {
  const [first, second] = [subjectsOf(a), subjectsOf(b)];
  return [...first].some((subject) => second.has(subject));
}

function subjectsOf({ text, kind }: Action): Set<string> {
  const programs = new Set(kind === 'shell' ? readStages(text).map(({ program }) => program) : []);
  const words = text.slice(0, 2_000).match(/[\w.*/~+-]{2,80}/g) ?? [];
  return new Set(words.filter((word) => !/^-.{0,2}$/.test(word) && !programs.has(word) && !everywhere.test(word)));
}

/** Another way to the same end: not a mere look round after a deed that failed. */
function canReplace(failed: Step, next: Step): boolean {
  if (failed.action.kind !== next.action.kind) return false;
  if (!/^(?:shell|sql|code)$/.test(failed.action.kind) || !isAboutTheSame(failed.action, next.action)) return false;
  // To read a test is no way to run it.
  if (failed.role === 'check') return next.role === 'check';
  if (next.role !== 'look') return true;
  const { id } = failed.outcome.errorClass ?? {};
  if (id === 'missing-program') return !lookingRound.has(next.action.name);
  return failed.role === 'look' && likeness(failed.action, next.action) >= related;
}

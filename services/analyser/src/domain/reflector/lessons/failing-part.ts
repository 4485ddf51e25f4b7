import type { Action } from '../actions/action.js';
import { targetOf } from '../actions/browser-action.js';
import { listed } from '../bounded-text.js';
import { generaliseError, withoutShellPrefix, withoutValue, withoutValuesOf } from '../generalise.js';
import type { Step } from '../read-steps.js';
import { readStages } from '../shell/shell-command.js';

/** Whom to blame in words: the program that complained, the tool, the query. */
export interface FailingPart {
  called: string;
  /** Whether `called` names several. */
  isPlural: boolean;
  /** What it said, in the form in which it comes back in another task. */
  error: string;
}

const plainNames = { sql: 'the query', code: 'the script', reply: 'the reply' } as const;

const errorChars = 140;

export function failingPart(step: Step): FailingPart {
  const { action, outcome } = step;
  const { speaker, called } = speakerOf(step);
  const message = outcome.error ?? '';
  const told = withoutValues(action, message);
  return { called, isPlural: called.includes(' and '), error: generaliseError(told, speaker, errorChars) };
}

/** Without what belongs to the very call. */
function withoutValues(action: Action, message: string): string {
  if (action.kind === 'tool') return withoutValuesOf(action.text, message);
  const target = action.kind === 'browser' ? targetOf(action) : '';
  return target.length < 3 ? message : withoutValue(message, target);
}

/** The speaker as the message calls it, to be taken off there. */
function speakerOf({ action, outcome }: Step): { speaker: string; called: string } {
  if (action.kind === 'sql' || action.kind === 'code' || action.kind === 'reply') {
    return { speaker: action.name, called: plainNames[action.kind] };
  }
  if (action.kind !== 'shell') return { speaker: action.name, called: `\`${action.name}\`` };
  const speaker = failingProgram({ action, outcome });
  if (speaker !== undefined) return { speaker, called: `\`${speaker}\`` };
  const programs = [...new Set(readStages(action.text).map(({ program }) => program))];
  const shown = programs.slice(0, 3).map((program) => `\`${program}\``);
  return { speaker: action.name, called: shown.length === 0 ? 'the command' : listed(shown) };
}

/** Programs that only run others: stages are told without them. */
const carriers = /^(?:sudo|nohup|time|env)$/;

/** The program of a command that complained, or that is missing, where the message says which. */
export function failingProgram({ action, outcome }: Pick<Step, 'action' | 'outcome'>): string | undefined {
  const speaker = /^([\w.+-]{1,30}): /.exec(withoutShellPrefix(outcome.error ?? ''))?.[1];
  if (speaker === undefined) return undefined;
  if (isCarriedBy(speaker, action)) return speaker;
  return readStages(action.text).find(({ program }) => program === speaker)?.program;
}

/** Whether a command runs its programs through `sudo` or the like. */
export function isCarriedBy(program: string, { text }: Action): boolean {
  return carriers.test(program) && new RegExp(`(?:^|[\\s;&|(])${program}\\s`).test(text.slice(0, 2_000));
}

const unknownValue =
  'What it was asked with is not known there: check how it is written, or look it up by something else that is known.';

/** What to do about the kind of error that a step ended in. */
export function adviceOn({ action, role, outcome }: Step): string | undefined {
  const { id, advice } = outcome.errorClass ?? {};
  // A look-up that does not know what it is asked with is no place to look that up.
  return id === 'not-found' && action.kind === 'tool' && role === 'look' ? unknownValue : advice;
}

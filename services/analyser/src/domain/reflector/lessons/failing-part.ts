import { listed } from '../bounded-text.js';
import { withoutShellPrefix } from '../generalise.js';
import type { Step } from '../read-steps.js';
import { readStages } from '../shell-command.js';

/** Whom to blame in words: the program that complained, the tool, the query. */
export interface FailingPart {
  /** As the error message calls it, to take it off there. */
  speaker: string;
  called: string;
}

const plainNames = { sql: 'the query', code: 'the script', reply: 'the reply' } as const;

export function failingPart({ action, outcome }: Step): FailingPart {
  if (action.kind === 'sql' || action.kind === 'code' || action.kind === 'reply') {
    return { speaker: action.name, called: plainNames[action.kind] };
  }
  if (action.kind !== 'shell') return { speaker: action.name, called: `\`${action.name}\`` };
  const programs = [...new Set(readStages(action.text).map(({ program }) => program))];
  const speaker = /^([\w.+-]{1,30}): /.exec(withoutShellPrefix(outcome.error ?? ''))?.[1];
  if (speaker !== undefined && programs.includes(speaker)) return { speaker, called: `\`${speaker}\`` };
  const shown = programs.slice(0, 3).map((program) => `\`${program}\``);
  return { speaker: action.name, called: shown.length === 0 ? 'the command' : listed(shown) };
}

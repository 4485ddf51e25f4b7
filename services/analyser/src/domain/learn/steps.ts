import type { Effect, Interaction, Turn } from '@whetstone/contracts';
import {
  type Action,
  bothEnds,
  effectsOf,
  normalForm,
  readActions,
  readingContext,
  withoutSpeaker,
} from '@whetstone/reading';

import { type Outcome, readOutcome } from './outcome.js';

/** One action of a run and its outcome. */
export interface Step {
  turn: number;
  action: Action;
  /** Normal form: equal for equivalent actions. */
  form: string;
  effects: readonly Effect[];
  /** `look` only reads; `talk` is words to a person. */
  role: 'look' | 'change' | 'talk';
  outcome: Outcome;
  /** The action was sent inside a code fence or back-ticks. */
  wrapped: boolean;
  /** The same action had the same result before. */
  repeats: boolean;
}

const maxResultChars = 20_000;
const comparedChars = 500;

/** The steps of an interaction, in order, in linear time and memory. */
export function readSteps({ turns: all, agentType }: Interaction): Step[] {
  const turns = bothEnds(all);
  const context = readingContext(
    turns.map(({ decision }) => decision),
    agentType,
  );
  const steps: Step[] = [];
  const seen = new Set<string>();
  for (const [at, { turn, decision, result }] of turns.entries()) {
    if (decision.trim() === '') continue;
    // The last one may be a closing word: "backup complete".
    const actions = readActions(decision, at === turns.length - 1 ? { ...context, takesBareWords: false } : context);
    for (const action of actions) {
      const outcome = readOutcome(action, lacksResult(result, action) ? resultFromNextTurn(turns, at, action) : result);
      const form = normalForm(action);
      const effects = effectsOf(action);
      const key = `${form}\0${outcome.text.slice(0, comparedChars)}`;
      steps.push({
        turn,
        action,
        form,
        effects,
        role: roleOf(action, effects),
        outcome,
        wrapped: isWrapped(decision, actions),
        repeats: seen.has(key),
      });
      seen.add(key);
    }
  }
  return steps;
}

/** What the agent did, without thoughts and without the final `finish`. */
export function deedsOf(steps: readonly Step[]): Step[] {
  return steps.filter(({ action }) => action.kind !== 'think' && action.kind !== 'finish');
}

/** They belong to the changes between them. */
const transaction = new Set(['BEGIN', 'START', 'SAVEPOINT', 'COMMIT', 'ROLLBACK']);

function roleOf({ kind, verb }: Action, effects: readonly Effect[]): Step['role'] {
  if (kind === 'reply' || kind === 'think' || kind === 'finish') return 'talk';
  const changes = kind === 'code' || kind === 'edit' || effects.length > 0;
  return changes || (kind === 'sql' && transaction.has(verb.toUpperCase())) ? 'change' : 'look';
}

/** Only for a single command, query or script. */
function isWrapped(decision: string, actions: readonly Action[]): boolean {
  const [only, ...more] = actions.filter(({ kind }) => kind !== 'think');
  if (more.length > 0 || (only?.kind !== 'command' && only?.kind !== 'sql' && only?.kind !== 'code')) return false;
  return decision.trim() !== only.text.trim() && (decision.trim().startsWith('`') || decision.includes('```'));
}

/** An empty result counts for a tool; a user's reply may follow in the next turn. */
function lacksResult(result: string | undefined, { kind }: Action): boolean {
  return result === undefined || (kind === 'reply' && result.trim() === '');
}

/** The result of a reply or call may be the input of the next turn, unless that repeats the whole history. */
function resultFromNextTurn(turns: readonly Turn[], at: number, { kind }: Action): string | undefined {
  const [current, next] = [turns[at], turns[at + 1]];
  if (!current || !next || (kind !== 'reply' && kind !== 'call' && kind !== 'http')) return undefined;
  const { inputs } = next;
  const isNew = inputs.trim() !== '' && inputs.length <= maxResultChars && inputs !== current.inputs;
  return isNew && !inputs.includes(current.decision.trim().slice(0, 200)) ? withoutSpeaker(inputs) : undefined;
}

import type { Interaction, Turn } from '@whetstone/contracts';

import { bothEnds } from '../both-ends.js';
import type { Action } from './actions/action.js';
import { type ActionRole, roleOf } from './actions/action-role.js';
import { labelOfElement } from './actions/browser-action.js';
import { agentGivesOrders } from './actions/order-action.js';
import { readActions } from './actions/read-actions.js';
import { unwrapDecision } from './actions/unwrap-decision.js';
import { type Outcome, readOutcome } from './read-outcome.js';
import { looksLikeShell } from './shell/shell-command.js';

/** One action of a run with what came of it. */
export interface Step {
  turn: number;
  action: Action;
  role: ActionRole;
  outcome: Outcome;
  /** On a browser page: what the element is called there. */
  label?: string;
  /** The same was done before and the same came back. */
  repeats: boolean;
}

const inputsLimit = 20_000;
const answerLimit = 20_000;
const speaker = /^\s*(?:user|human|customer|tool|function|observation)\s?:\s+/i;

/** The steps of an interaction, in order. Time and memory follow the size of the upload. */
export function readSteps({ turns: all, agentType }: Interaction): Step[] {
  const turns = bothEnds(all);
  const givesOrders = !namesShell(agentType) && agentGivesOrders(turns);
  const manner = { givesOrders, usesShell: !givesOrders && agentUsesShell(turns, agentType) };
  const steps: Step[] = [];
  const seen = new Set<string>();
  for (const [at, { turn, inputs, decision, result }] of turns.entries()) {
    if (decision.trim() === '') continue;
    for (const action of readActions(decision, manner)) {
      const outcome = readOutcome(action, isAbsent(result, action) ? answerIn(turns, at, action) : result);
      const key = `${action.text}\0${outcome.text.slice(0, 500)}`;
      const label = action.kind === 'browser' ? labelOfElement(action, inputs.slice(0, inputsLimit)) : undefined;
      steps.push({
        turn,
        action,
        role: roleOf(action),
        outcome,
        repeats: seen.has(key),
        ...(label === undefined ? {} : { label }),
      });
      seen.add(key);
    }
  }
  return steps;
}

/** A person who is silent says it in the next turn; a tool that is silent is done. */
function isAbsent(result: string | undefined, { kind }: Action): boolean {
  return result === undefined || (kind === 'reply' && result.trim() === '');
}

/** Where a turn has no result, what came of a reply or a tool call is what the next turn was told, unless that tells the whole story again. */
function answerIn(turns: readonly Turn[], at: number, { kind }: Action): string | undefined {
  const [told, next] = [turns[at], turns[at + 1]];
  if (!told || !next || (kind !== 'reply' && kind !== 'tool')) return undefined;
  const { inputs } = next;
  const isNew = inputs.trim() !== '' && inputs.length <= answerLimit && inputs !== told.inputs;
  return isNew && !inputs.includes(told.decision.trim().slice(0, 200)) ? inputs.replace(speaker, '') : undefined;
}

/** Whether what could be a command or could be words is a command: the agent's kind says so, or its other decisions do. */
function agentUsesShell(turns: readonly Turn[], agentType?: string): boolean {
  if (namesShell(agentType)) return true;
  const sample = turns
    .slice(0, 50)
    .map(({ decision }) => looksLikeShell(unwrapDecision(decision.slice(0, 4_000)).text));
  return sample.filter((verdict) => verdict === 'yes').length > sample.length / 3;
}

function namesShell(agentType = ''): boolean {
  return /bash|shell|terminal|cli|devops|sysadmin|ops\b/i.test(agentType);
}

/** Deeds: what the agent did to get on, without thoughts, and without saying that it is done. */
export function deedsOf(steps: readonly Step[]): Step[] {
  return steps.filter(({ action }) => action.kind !== 'think' && action.kind !== 'finish');
}

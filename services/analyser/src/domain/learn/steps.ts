import type { Effect, Interaction, Turn } from '@whetstone/contracts';
import { type Action, bothEnds, effectsOf, mannerOf, normalForm, readActions } from '@whetstone/reading';

import { type Outcome, readOutcome } from './outcome.js';

/** One action of a run with what came of it. */
export interface Step {
  turn: number;
  action: Action;
  /** In normal form: equal where the same was done. */
  form: string;
  effects: readonly Effect[];
  /** Looking changes nothing, changing is the deed, and talking is words to a person. */
  role: 'look' | 'change' | 'talk';
  outcome: Outcome;
  /** The decision had more around the action than the action: a fence, back-ticks. */
  dressed: boolean;
  /** The same was done before, and the same came back. */
  repeats: boolean;
}

const speakers = new Set('user human customer task instruction question observation system tool function'.split(' '));
const longestLabel = 20;
const answerLimit = 20_000;
const comparedChars = 500;

/** The steps of an interaction, in order. Time and memory follow the size of the upload. */
export function readSteps({ turns: all, agentType }: Interaction): Step[] {
  const turns = bothEnds(all);
  const manner = mannerOf(
    turns.map(({ decision }) => decision),
    agentType,
  );
  const steps: Step[] = [];
  const seen = new Set<string>();
  for (const [at, { turn, decision, result }] of turns.entries()) {
    if (decision.trim() === '') continue;
    const actions = readActions(decision, manner);
    for (const action of actions) {
      const outcome = readOutcome(action, isAbsent(result, action) ? answerIn(turns, at, action) : result);
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
        dressed: isDressed(decision, actions),
        repeats: seen.has(key),
      });
      seen.add(key);
    }
  }
  return steps;
}

/** Deeds: what the agent did to get on, without thoughts, and without saying that it is done. */
export function deedsOf(steps: readonly Step[]): Step[] {
  return steps.filter(({ action }) => action.kind !== 'think' && action.kind !== 'finish');
}

function roleOf({ kind }: Action, effects: readonly Effect[]): Step['role'] {
  if (kind === 'reply' || kind === 'think' || kind === 'finish') return 'talk';
  return kind === 'code' || kind === 'edit' || effects.length > 0 ? 'change' : 'look';
}

/** Only where one thing was sent that runs as it stands. */
function isDressed(decision: string, actions: readonly Action[]): boolean {
  const [only, ...more] = actions.filter(({ kind }) => kind !== 'think');
  if (more.length > 0 || (only?.kind !== 'command' && only?.kind !== 'sql' && only?.kind !== 'code')) return false;
  return decision.trim() !== only.text.trim() && (decision.trim().startsWith('`') || decision.includes('```'));
}

/** A person who is silent says it in the next turn; a tool that is silent is done. */
function isAbsent(result: string | undefined, { kind }: Action): boolean {
  return result === undefined || (kind === 'reply' && result.trim() === '');
}

/**
 * Where a turn has no result, what came of a reply or a call is what the next turn was told, unless that tells the whole story
 * again.
 */
function answerIn(turns: readonly Turn[], at: number, { kind }: Action): string | undefined {
  const [told, next] = [turns[at], turns[at + 1]];
  if (!told || !next || (kind !== 'reply' && kind !== 'call' && kind !== 'http')) return undefined;
  const { inputs } = next;
  const isNew = inputs.trim() !== '' && inputs.length <= answerLimit && inputs !== told.inputs;
  return isNew && !inputs.includes(told.decision.trim().slice(0, 200)) ? withoutSpeaker(inputs) : undefined;
}

/** Without who speaks: `user: …`. */
export function withoutSpeaker(text: string): string {
  const colon = text.slice(0, longestLabel).indexOf(':');
  return speakers.has(text.slice(0, colon).trim().toLowerCase()) ? text.slice(colon + 1).trimStart() : text;
}

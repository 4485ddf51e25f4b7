import type { Turn } from '@whetstone/contracts';

import { isKnownProgram } from '../shell/shell-vocabulary.js';
import type { Action } from './action.js';
import { unwrapDecision } from './unwrap-decision.js';

/** A few words that begin with a verb and are no sentence to a person. */
const order = /^[a-z][\w'-]*(?: [\w'"(),:/-]+){0,20}$/;
const toAPerson =
  /^(?:i|i'm|we|you|your|it|it's|the|this|that|there|he|she|they|my|a|an|can|could|would|will|what|how|why|where|when|who|which|please|yes|no|not|sorry|thanks|thank|ok|okay|hi|hello|sure|done|and|but|so|if)\b/;
const prompt = /^> ?/;
const fewest = 3;
const most = 0.7;
const sampled = 50;

/**
 * Whether an agent acts by short orders in words, as in a game or a simulated house: `take mug 1 from shelf 2`. A shell agent's
 * bare commands look alike, but are all programs.
 */
export function agentGivesOrders(turns: readonly Turn[]): boolean {
  const sample = turns.slice(0, sampled).map(({ decision }) => bareText(decision));
  const acts = sample.filter((text) => text !== '' && !isThought(text));
  const orders = acts.filter(isOrder);
  return (
    orders.length >= fewest &&
    orders.length >= most * acts.length &&
    orders.some((text) => !isKnownProgram(verbOf(text))) &&
    acts.every((text) => !/[|;&<>$]|(?:^|\s)--?[a-z]/.test(text))
  );
}

export function readOrder(text: string): Action | undefined {
  const bare = text.replace(prompt, '').trim();
  return isOrder(bare) ? { kind: 'order', name: verbOf(bare), args: {}, text: bare } : undefined;
}

/** `think: the mug may be in the cupboard` is no act. */
export function isThought(text: string): boolean {
  return /^(?:> ?)?(?:think|thought)\s?:/i.test(text);
}

/** The things that an order names, without their numbers and the small words between them. */
export function thingsIn({ text }: Action): Set<string> {
  const [, ...words] = text.toLowerCase().split(/[^a-z]+/);
  return new Set(words.filter((word) => word.length > 2 && !/^(?:the|from|into|onto|with|and|around|up)$/.test(word)));
}

function bareText(decision: string): string {
  return decision.length > 2_000 ? decision.slice(0, 200) : unwrapDecision(decision).text.replace(prompt, '').trim();
}

function isOrder(text: string): boolean {
  return text.length <= 200 && order.test(text) && !toAPerson.test(text);
}

function verbOf(text: string): string {
  return text.split(' ', 1)[0] ?? '';
}

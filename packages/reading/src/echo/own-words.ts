import type { Interaction, Turn } from '@whetstone/contracts';

import { sentencesOfAdvice, withoutEchoes } from './echoed-sentences.js';
import { takeAdviceOut } from './take-advice-out.js';

/** The text without what Whetstone put into it earlier. */
export function withoutAdvice(text: string): string {
  return takeAdviceOut(text, 'everything').own;
}

/**
 * What of an interaction is its own: advice that an agent was given is not evidence, wherever in the upload it comes back,
 * between its delimiters or without them, nor are the agent's words that only repeat it. What the agent did is, also where it
 * did what the advice says.
 */
export function ownWords(interaction: Interaction): Interaction {
  const advice: string[] = [];
  const query = handedOn(interaction.query);
  const turns = interaction.turns.map((turn) => withTexts(turn, { decision, others: handedOn }));
  if (advice.length === 0) return interaction;

  const sentences = sentencesOfAdvice(advice);
  const own = (text: string) => withoutEchoes(text, sentences);
  return { ...interaction, query, turns: turns.map((turn) => withTexts(turn, { decision: own, others: own })) };

  function handedOn(text: string): string {
    const taken = takeAdviceOut(text, 'everything');
    for (const piece of taken.advice) advice.push(piece);
    return taken.own;
  }

  /** Who repeats the task as it was handed out, advice and all, has not done anything yet. */
  function decision(text: string): string {
    const taken = takeAdviceOut(text, 'lines');
    for (const piece of taken.advice) advice.push(piece);
    return taken.advice.length > 0 && taken.own.trim() === query.trim() ? '' : taken.own;
  }
}

type Change = (text: string) => string;

function withTexts(turn: Turn, change: { decision: Change; others: Change }): Turn {
  const { inputs, decision, memory, result } = turn;
  return {
    ...turn,
    inputs: change.others(inputs),
    decision: change.decision(decision),
    ...(memory === undefined ? {} : { memory: change.others(memory) }),
    ...(result === undefined ? {} : { result: change.others(result) }),
  };
}

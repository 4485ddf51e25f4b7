import type { Interaction } from '@whetstone/contracts';

import { headAndTail, oneLine } from '@whetstone/reading';

const keptAtEachEnd = 10_000;
const greeting =
  /^(?:hi|hello|hey|good (?:morning|afternoon|evening)|greetings|dear \w+)(?: there| all| everyone| team)?\s?[!,.:–-]+\s+(?=\S)/i;
const uninformative =
  /^(?:hi|hello|hey|help|test|continue|go on|start|begin|yes|no|ok|okay|please|thanks|thank you|\?|\.|\s)*[!?.\s]*$/i;
const speaker = /^(?:user|human|customer|task|instruction|question|observation|system)\s?:\s+/i;

/** The task in the caller's words; where the query says nothing, the first thing that the agent was told. */
export function taskIntent({ query, turns }: Interaction): string {
  const asked = cleaned(query);
  if (isInformative(asked)) return asked;
  for (const { inputs } of turns.slice(0, 5)) {
    const told = cleaned(inputs);
    if (isInformative(told)) return told;
  }
  return asked;
}

export function isInformative(text: string): boolean {
  return /[\p{L}\p{N}]{2}/u.test(text) && !uninformative.test(text.slice(0, 200));
}

function cleaned(text: string): string {
  const bounded = headAndTail(text, keptAtEachEnd, keptAtEachEnd);
  return oneLine(bounded).replace(speaker, '').replace(greeting, '');
}

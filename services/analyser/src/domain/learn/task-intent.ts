import type { Interaction } from '@whetstone/contracts';

import { headAndTail, oneLine } from '@whetstone/reading';
import { phrases, wordsIn } from './phrases.js';

const keptAtEachEnd = 10_000;
const greeting = phrases('^ hi|hello|hey|greetings|good+morning|good+afternoon|good+evening|dear ~1 $');
const fillers = new Set(
  'hi hello hey help test continue go on start begin yes no ok okay please thanks thank you'.split(' '),
);
const speakers = new Set('user human customer task instruction question observation system tool function'.split(' '));
const longestLabel = 20;

/** The task in the caller's words; where the query says nothing, the first thing that the agent was told. */
export function taskIntent({ query, turns }: Interaction): string {
  const asked = cleaned(query);
  if (isInformative(asked)) return asked;
  return (
    turns
      .slice(0, 5)
      .map(({ inputs }) => cleaned(inputs))
      .find(isInformative) ?? asked
  );
}

export function isInformative(text: string): boolean {
  return wordsIn(text.slice(0, 200)).some((word) => word.length > 1 && !fillers.has(word));
}

function cleaned(text: string): string {
  return withoutGreeting(withoutSpeaker(oneLine(headAndTail(text, keptAtEachEnd, keptAtEachEnd))));
}

/** Without who speaks: `user: …`. */
export function withoutSpeaker(text: string): string {
  const colon = text.slice(0, longestLabel).indexOf(':');
  return speakers.has(text.slice(0, colon).trim().toLowerCase()) ? text.slice(colon + 1).trimStart() : text;
}

/** “Good morning! …”, “Dear Ann, …”, unless it is all there is. */
function withoutGreeting(text: string): string {
  const end = text.search(/[!,.:–-] /);
  const rest = text.slice(end + 1).trim();
  return end > 0 && rest !== '' && greeting(wordsIn(text.slice(0, Math.min(end, 60)))) ? rest : text;
}

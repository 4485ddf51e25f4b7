import { identifyingValues, oneLine } from '@whetstone/reading';

import type { Step } from './steps.js';

export interface StatedRule {
  text: string;
  /** The reply that states it. */
  step: Step;
}

/** A sentence that says what may or may not be: it holds for others as well. */
const modal =
  /\b(?:cannot|can only|must|may not|only if|only when|unless|not (?:allowed|possible|permitted|eligible)|non-?refundable)\b/i;
/** About this one talk: it asks, offers, tells what somebody did, or leans on what was said before. */
const aboutThisTalk =
  /^(?:Therefore|So|Thus|This|That|These|It|Since|As)\b|\b[Yy]ours?\b|[?“”"<>…]|\b(?:I|I'm|I've|me|my|let me|please|would you|you(?:r|'re)? (?:said|mentioned|want|would))\b/;
const words = { fewest: 6, most: 40 };

/**
 * A rule that the agent stated in its replies, without anything of the one case. In a run that succeeded it held.
 */
export function ruleSentence(deeds: readonly Step[]): StatedRule | undefined {
  for (const step of deeds) {
    if (step.action.kind !== 'reply') continue;
    for (const sentence of sentencesIn(step.action.text)) {
      const count = sentence.split(' ').length;
      const fits = count >= words.fewest && count <= words.most && modal.test(sentence);
      if (fits && !aboutThisTalk.test(sentence) && identifyingValues(sentence).length === 0)
        return { text: sentence, step };
    }
  }
  return undefined;
}

/** What a reply says, without what it asks. */
export function statementsIn(text: string): string {
  return sentencesIn(text)
    .filter((sentence) => !sentence.endsWith('?'))
    .join(' ');
}

function sentencesIn(text: string): string[] {
  return oneLine(text.slice(0, 4_000).replace(/[*_#`]/g, ''))
    .split(/(?<=[.!?])\s+/)
    .map((sentence) => sentence.replace(/^(?:unfortunately|however|note that|also|but),? /i, ''))
    .map((sentence) => sentence.charAt(0).toUpperCase() + sentence.slice(1));
}

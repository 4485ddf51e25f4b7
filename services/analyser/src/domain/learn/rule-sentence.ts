import { identifyingValues, oneLine } from '@whetstone/reading';

import { phrases, wordsIn } from './phrases.js';
import type { Step } from './steps.js';

export interface StatedRule {
  text: string;
  /** The reply that states it. */
  step: Step;
}

/** A sentence that says what may or may not be: it holds for others as well. */
const modal = phrases(
  'cannot, can only, must, may not, only if|when, unless, not allowed|possible|permitted|eligible, nonrefundable, non refundable',
);
/** About this one talk: it leans on what was said before, or speaks of the two who talk. */
const aboutThisTalk = phrases(
  '^ therefore|so|thus|this|that|these|it|since|as, i|im|ive|me|my|your|yours|please, would you, you said|want|would',
);
const quotesOrAsks = [...'?“”"<>…'];
const length = { fewest: 6, most: 40 };

/**
 * A rule that the agent stated in its replies, without anything of the one case. In a run that succeeded it held.
 */
export function ruleSentence(deeds: readonly Step[]): StatedRule | undefined {
  for (const step of deeds) {
    if (step.action.kind !== 'reply') continue;
    for (const sentence of sentencesIn(step.action.text)) {
      const count = sentence.split(' ').length;
      if (count < length.fewest || count > length.most || quotesOrAsks.some((mark) => sentence.includes(mark)))
        continue;
      const words = wordsIn(sentence);
      if (modal(words) && !aboutThisTalk(words) && identifyingValues(sentence).length === 0)
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

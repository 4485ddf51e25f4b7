import type { SearchTexts } from '@whetstone/contracts';

import { withoutAdvice } from '../echo/own-words.js';
import { withoutOpening } from '../senses/preamble.js';
import { reduceToIntent } from './reduce-to-intent.js';

/** What to search for, of an input of any length and its context. Earlier advice in them is not part of the task. */
export function searchTexts(inputText: string, context: Readonly<Record<string, string>>): SearchTexts {
  return {
    task: reduceToIntent(ownTask(inputText)),
    context: reduceToIntent(ownContext(context)),
  };
}

export function ownTask(inputText: string): string {
  return withoutOpening(withoutAdvice(inputText).trim()).trim() || inputText;
}

export function ownContext(context: Readonly<Record<string, string>>): string {
  return Object.values(context).map(withoutAdvice).join('\n');
}

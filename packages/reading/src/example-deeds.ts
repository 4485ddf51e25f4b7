import type { Effect } from '@whetstone/contracts';

import { effectsOf } from './effects.js';
import { normalForm } from './normal-form.js';
import { readExample } from './read-actions.js';

/** What an example does: its actions in normal form and their effects, each once. */
export function exampleDeeds(example: string): { actions: string[]; effects: Effect[] } {
  const actions = readExample(example);
  return {
    actions: [...new Set(actions.map(normalForm))],
    effects: [...new Set(actions.flatMap(effectsOf))],
  };
}

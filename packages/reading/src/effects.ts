import { type Effect, effects as order } from '@whetstone/contracts';
import type { Action } from './action.js';
import { callEffects, editEffects, requestEffects } from './call-effects.js';
import { codeEffects } from './code-effects.js';
import type { Findings } from './findings.js';
import { shellEffects } from './shell-effects.js';
import { statementEffects } from './statement-effects.js';

export { asksFor } from './asked-effects.js';

/** How often a text that is run may hand on another one, and how many are read in all. */
const deepest = 5;
const mostTexts = 200;

const readers = { command: shellEffects, sql: statementEffects, code: codeEffects };

/** What an action does to the world beyond reading it, in the order of the contracts; nothing for what only reads or talks. */
export function effectsOf(action: Action): Effect[] {
  const effects = new Set<Effect>();
  let waiting: Findings[] = [findingsOf(action)];
  let read = 0;
  for (let depth = 0; waiting.length > 0; depth++) {
    const next: Findings[] = [];
    for (const { effects: found, executed } of waiting) {
      for (const effect of found) effects.add(effect);
      for (const { kind, text } of executed) {
        read += 1;
        if (depth >= deepest || read > mostTexts) effects.add('unreadable');
        else next.push(readers[kind](text));
      }
    }
    waiting = next;
  }
  return order.filter((effect) => effects.has(effect));
}

function findingsOf(action: Action): Findings {
  // What the reader gave up on may be anything.
  if (action.kind === 'code' && action.verb === 'unreadable') return { effects: new Set(['unreadable']), executed: [] };
  switch (action.kind) {
    case 'command':
    case 'sql':
    case 'code':
      return readers[action.kind](action.text);
    case 'call':
      return callEffects(action);
    case 'http':
      return requestEffects(action);
    case 'edit':
      return editEffects(action);
    default:
      return { effects: new Set(), executed: [] };
  }
}

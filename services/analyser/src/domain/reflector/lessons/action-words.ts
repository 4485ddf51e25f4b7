import { describeSql } from '../actions/sql-statement.js';
import type { Step } from '../read-steps.js';
import { shownLine } from '../shell/describe-command.js';
import { browserWords } from './browser-strategy.js';
import { orderWords } from './order-strategy.js';

/** What a step did, in a few general words: its programs, its tool, how the query is built. */
export function inWords(step: Step): string {
  const { action } = step;
  if (action.kind === 'browser') return browserWords(step);
  if (action.kind === 'order') return `“${orderWords(step)}”`;
  if (action.kind === 'shell') return shownLine(action.text, 4) ?? 'another command';
  if (action.kind !== 'sql') return `\`${action.name}\``;
  const features = describeSql(action.text);
  return features === '' ? 'a plain query' : `a query with ${features}`;
}

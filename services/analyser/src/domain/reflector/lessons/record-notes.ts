import type { Step } from '../read-steps.js';
import { type Facts, factsInWords, factsOf, readsRecordOf, sharedFacts } from '../records/record-facts.js';

const mostWrites = 100;
const lookBack = 200;

/**
 * By tool, how it stood with the records that it changed: in a run that succeeded that made the call the right one. Of very many
 * calls the last ones, each with what was read not long before it.
 */
export function recordNotes(deeds: readonly Step[], writes: readonly Step[]): Map<string, string> {
  const byTool = new Map<string, Facts[]>();
  for (const write of writes.slice(-mostWrites)) {
    const at = deeds.indexOf(write);
    const read = deeds.slice(Math.max(0, at - lookBack), at).findLast((step) => readsRecordOf(step, write));
    byTool.set(write.action.name, [...(byTool.get(write.action.name) ?? []), read ? factsOf(read) : new Map()]);
  }
  const notes = [...byTool].map(([tool, all]): [string, string] => [tool, factsInWords(sharedFacts(all))]);
  return new Map(notes.filter(([, facts]) => facts !== ''));
}

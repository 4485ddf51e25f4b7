import type { Step } from '../read-steps.js';
import { type Facts, factsInWords, factsOf, readsRecordOf, sharedFacts } from '../records/record-facts.js';

/** By tool, how it stood with the records that it changed: in a run that succeeded that made the call the right one. */
export function recordNotes(deeds: readonly Step[], writes: readonly Step[]): Map<string, string> {
  const byTool = new Map<string, Facts[]>();
  for (const write of writes) {
    const read = deeds.slice(0, deeds.indexOf(write)).findLast((step) => readsRecordOf(step, write));
    byTool.set(write.action.name, [...(byTool.get(write.action.name) ?? []), read ? factsOf(read) : new Map()]);
  }
  const notes = [...byTool].map(([tool, all]): [string, string] => [tool, factsInWords(sharedFacts(all))]);
  return new Map(notes.filter(([, facts]) => facts !== '').map(([tool, facts]) => [tool, facts]));
}

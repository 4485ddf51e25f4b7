import type { Evidence } from '../evidence.js';
import { checkContents } from './check-contents.js';
import { checkEnds } from './check-ends.js';
import { checkPlaces } from './check-places.js';
import { checkRows } from './check-rows.js';
import { type Problem, problem } from './verdict.js';

/** Compares what clients were promised with what there is in the end. Every broken promise, in words. */
export function checkPromises(evidence: Evidence): Problem[] {
  return [
    ...checkEnds(evidence),
    ...checkRows(evidence),
    ...checkContents(evidence),
    ...checkPlaces(evidence),
    ...evidence.leaks.map((text) => problem('leaked', text)),
    ...evidence.oddities.map((text) => problem('odd', text)),
  ];
}

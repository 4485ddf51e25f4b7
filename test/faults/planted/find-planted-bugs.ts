import { createRandomness } from '../../support/randomness.js';
import type { Kind } from '../checker/verdict.js';
import { openMembers } from '../open-members.js';
import { runScenario } from '../scenarios/run-scenario.js';
import type { System } from '../systems/system.js';

/** What the checker finds in a system that loses uploads and doubles insights. */
export async function findPlantedBugs(system: System): Promise<Set<Kind>> {
  const problems = await runScenario({
    system,
    members: await openMembers(system, 2),
    random: createRandomness(),
    paceMs: 100,
    endWithinMs: 10_000,
    answerWithinMs: 20_000,
    faults: [{ title: 'planted bugs', strike: ({ load }) => load.more(40) }],
  });
  return new Set(problems.map(({ kind }) => kind));
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createRandomness } from '../../support/randomness.js';
import { openMembers } from '../open-members.js';
import { runScenario } from '../scenarios/run-scenario.js';
import type { System } from '../systems/system.js';

const timeoutMs = 5 * 60_000;

/** As a test: the checker finds what was planted in a system that loses uploads and doubles insights. */
export function findsPlantedBugs(name: string, start: (folder: string) => Promise<System>): void {
  let folder: string;
  let system: System | undefined;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whetstone-planted-'));
  });

  afterEach(async () => {
    await system?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it(
    `the checker finds bugs that were planted in a running ${name}: lost uploads, doubled insights`,
    async () => {
      system = await start(folder);

      const problems = await runScenario({
        system,
        members: await openMembers(system, 2),
        random: createRandomness(),
        paceMs: 100,
        endWithinMs: 10_000,
        answerWithinMs: 20_000,
        faults: [{ title: 'planted bugs', strike: ({ load }) => load.more(40) }],
      });

      const found = problems.map(({ kind }) => kind);
      expect(found).toContain('unended');
      expect(found).toContain('doubled');
    },
    timeoutMs,
  );
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createRandomness } from '../support/randomness.js';
import { openMembers } from './open-members.js';
import { preload } from './planted/preload.js';
import { runScenario } from './scenarios/run-scenario.js';
import { startStandaloneSystem } from './systems/start-standalone-system.js';
import type { System } from './systems/system.js';

let folder: string;
let system: System;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whetstone-planted-'));
});

afterEach(async () => {
  await system.stop();
  await rm(folder, { recursive: true, force: true });
});

it('the checker finds bugs that were planted in a running product: a lost upload, a doubled insight', async () => {
  const env = { ...preload('planted-bugs'), WHETSTONE_RATE_LIMIT_PER_SECOND: '0' };
  system = await startStandaloneSystem({ folder, env });
  const members = await openMembers(system, 2);

  const problems = await runScenario({
    title: 'planted bugs',
    system,
    members,
    random: createRandomness(),
    paceMs: 100,
    endWithinMs: 10_000,
    answerWithinMs: 10_000,
    fault: ({ load }) => load.more(40),
  });

  const found = new Set(problems.map(({ kind }) => kind));
  expect(found).toContain('unended');
  expect(found).toContain('doubled');
}, 300_000);

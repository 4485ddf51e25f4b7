import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findPlantedBugs } from './planted/find-planted-bugs.js';
import { preload } from './planted/preload.js';
import { startStandaloneSystem } from './systems/start-standalone-system.js';
import type { System } from './systems/system.js';

let folder: string;
let system: System | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whetstone-planted-'));
});

afterEach(async () => {
  await system?.stop();
  await rm(folder, { recursive: true, force: true });
});

it('the checker finds bugs that were planted in a running product: lost uploads, doubled insights', async () => {
  const env = { ...preload('standalone-bugs'), WHETSTONE_RATE_LIMIT_PER_SECOND: '0' };
  system = await startStandaloneSystem({ folder, env });

  const found = await findPlantedBugs(system);

  expect(found).toContain('unended');
  expect(found).toContain('doubled');
}, 300_000);

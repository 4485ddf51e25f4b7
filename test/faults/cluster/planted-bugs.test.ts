import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findPlantedBugs } from '../planted/find-planted-bugs.js';
import { preload } from '../planted/preload.js';
import { startClusterSystem } from '../systems/start-cluster-system.js';
import type { System } from '../systems/system.js';

let folder: string;
let system: System | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whetstone-planted-'));
});

afterEach(async () => {
  await system?.stop();
  await rm(folder, { recursive: true, force: true });
}, 120_000);

it('the checker finds bugs that were planted in a running cluster: lost uploads, doubled insights', async () => {
  const bugs = preload('cluster-bugs');
  system = await startClusterSystem({
    folder,
    replicas: { gateway: 1, analyser: 1, indexer: 1, status: 1 },
    settings: { gateway: { ...bugs, WHETSTONE_RATE_LIMIT_PER_SECOND: '0' }, indexer: bugs },
  });

  const found = await findPlantedBugs(system);

  expect(found).toContain('unended');
  expect(found).toContain('doubled');
}, 300_000);

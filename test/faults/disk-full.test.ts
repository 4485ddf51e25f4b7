import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createRandomness } from '../support/randomness.js';
import { extent } from './extent.js';
import { openMembers } from './open-members.js';
import { fillDisk } from './scenarios/faults.js';
import { runScenario } from './scenarios/run-scenario.js';
import { mountSmallDisk, type SmallDisk } from './systems/small-disk.js';
import { startStandaloneSystem } from './systems/start-standalone-system.js';
import type { System } from './systems/system.js';

let folder: string;
let disk: SmallDisk | undefined;
let system: System | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whetstone-disk-'));
  disk = await mountSmallDisk(join(folder, 'data'), 64);
});

afterEach(async () => {
  await system?.stop();
  await disk?.unmount();
  await rm(folder, { recursive: true, force: true });
});

it('a full disk: uploads are refused, nothing acknowledged is lost, and it goes on when there is room again', async () => {
  if (!disk) {
    process.stdout.write('LEFT OUT: a full disk. Mounting a small one needs root.\n');
    expect(process.env['WHETSTONE_TEST_REQUIRE_ALL']).not.toBe('1');
    return;
  }
  const small = disk;
  system = await startStandaloneSystem({
    folder,
    env: { WHETSTONE_RATE_LIMIT_PER_SECOND: '0', WHETSTONE_WORK_LIMIT_BYTES_PER_SECOND: '0' },
  });
  const members = await openMembers(system, 3);

  const problems = await runScenario({
    system,
    members,
    random: createRandomness(),
    paceMs: extent.paceMs,
    faults: [{ title: 'a full disk', strike: (stage) => fillDisk(stage, small, extent.fullMs) }],
  });

  expect(problems).toEqual([]);
});

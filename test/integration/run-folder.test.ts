import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { makeRunFolder } from '../support/run-folder.js';

describe('the folder of a run of tests', () => {
  let parent: string;
  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), 'whetstone-runs-'));
  });
  afterAll(() => rm(parent, { recursive: true, force: true }));

  it('takes those of runs that have ended with it, and leaves those of others and everything else', async () => {
    const running = await makeRunFolder(parent);
    const { pid: ended } = spawnSync(process.execPath, ['--version']);
    const left = join(parent, basename(running).replace(`-${process.pid}-`, `-${ended}-`));
    const foreign = join(parent, `whetstone-tests-elsewhere-${ended}-abc`);
    const other = join(parent, 'whetstone-cluster-abc');
    for (const folder of [left, foreign, other]) {
      await mkdir(folder);
      await writeFile(join(folder, 'file'), '');
    }

    const own = await makeRunFolder(parent);
    expect([left, running, foreign, other, own].map((folder) => existsSync(folder))).toEqual([
      false,
      true,
      true,
      true,
      true,
    ]);
  });
});

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { projectFolder } from './product.js';

/** One project of jest.config.mjs, and why it cannot run on this machine, where it cannot. */
interface Suite {
  project: string;
  missing(): string | undefined;
}

const alwaysThere = () => undefined;

/** A suite that needs an engine says here how to see that the engine is missing, and how to get it. */
const suites: Suite[] = [
  { project: 'integration', missing: alwaysThere },
  { project: 'acceptance', missing: alwaysThere },
];

/** Runs what can run and says loudly what was left out. WHETSTONE_TEST_REQUIRE_ALL makes leaving anything out a failure. */
function main(): void {
  const leftOut = suites.flatMap(({ project, missing }) => missing()?.replace(/^/, `${project}: `) ?? []);
  const projects = suites.filter(({ missing }) => missing() === undefined).map(({ project }) => project);
  const jest = join(projectFolder, 'node_modules/jest/bin/jest.js');
  const { status } = spawnSync(
    process.execPath,
    [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      jest,
      '--runInBand',
      ...process.argv.slice(2),
      '--selectProjects',
      ...projects,
    ],
    { cwd: projectFolder, stdio: 'inherit' },
  );
  console.log(`\nRan ${projects.join(' and ')}. ${leftOut.length === 0 ? 'Nothing was left out.' : 'LEFT OUT:'}`);
  for (const one of leftOut) console.log(`  ${one}`);
  const incomplete = leftOut.length > 0 && process.env['WHETSTONE_TEST_REQUIRE_ALL'] === '1';
  process.exitCode = incomplete ? 1 : (status ?? 1);
}

main();

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { guard } from '@whetstone/dev';

import { projectFolder } from './product.js';

export interface JestRun {
  project: string;
  files: RegExp | undefined;
  /** Test files at a time. */
  atOnce: number;
  env: Record<string, string>;
  /** Further arguments for jest, from the command line. */
  args: readonly string[];
}

/** One run of jest. */
export async function runJest({ project, files, atOnce, env, args }: JestRun): Promise<boolean> {
  const child = spawn(
    process.execPath,
    [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      join(projectFolder, 'node_modules/jest/bin/jest.js'),
      ...(atOnce === 1 ? ['--runInBand'] : ['--maxWorkers', String(atOnce)]),
      // A choice of files on the command line may leave a suite without any; without such a choice that is a mistake.
      ...(args.length > 0 ? ['--passWithNoTests', ...args] : []),
      ...(files ? ['--testPathIgnorePatterns', everythingBut(files)] : []),
      '--selectProjects',
      project,
    ],
    // A group of its own, so that jest and its workers can be ended together when we are: with Ctrl-C, or killed.
    { cwd: projectFolder, env: { ...process.env, ...env }, stdio: 'inherit', detached: true },
  );
  const unguard = guard(-(child.pid as number));
  const [code] = (await once(child, 'exit')) as [number | null];
  unguard();
  return code === 0;
}

/** jest matches what it shall leave out against the whole path. */
function everythingBut(files: RegExp): string {
  const below = files.source.replace(/^\^/, '');
  return `^(?!.*/test/dist/${below})`;
}

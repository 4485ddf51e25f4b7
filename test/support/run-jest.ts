import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { guard } from '@whetstone/deploy';

import { projectFolder } from './product.js';

export interface JestRun {
  project: string;
  files?: RegExp | undefined;
  /** Test files at a time; one by default. */
  atOnce?: number;
  env: Record<string, string>;
  /** Additional jest arguments from the command line. */
  args: readonly string[];
  /** `afterwards` while another run prints. */
  prints?: 'meanwhile' | 'afterwards';
}

export async function runJest(run: JestRun): Promise<boolean> {
  const { project, files, atOnce = 1, env, args, prints = 'meanwhile' } = run;
  const output = prints === 'meanwhile' ? 'inherit' : 'pipe';
  const child = spawn(
    process.execPath,
    [
      join(projectFolder, 'node_modules/jest/bin/jest.js'),
      ...(atOnce === 1 ? ['--runInBand'] : ['--maxWorkers', String(atOnce)]),
      // Arguments may select no file of a suite; without arguments that is a mistake.
      ...(args.length > 0 ? ['--passWithNoTests', ...args] : []),
      ...(files ? ['--testPathIgnorePatterns', everythingBut(files)] : []),
      '--selectProjects',
      project,
    ],
    // Its own process group, so that jest and its workers end together with us, by Ctrl-C or a kill.
    { cwd: projectFolder, env: { ...process.env, ...env }, stdio: ['inherit', output, output], detached: true },
  );
  const unguard = guard(-(child.pid as number));
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes: Buffer) => printed.push(bytes));
  const [code] = (await once(child, 'close')) as [number | null];
  unguard();
  process.stdout.write(Buffer.concat(printed));
  return code === 0;
}

/** jest matches ignore patterns against the whole path. */
function everythingBut(files: RegExp): string {
  const below = files.source.replace(/^\^/, '');
  return `^(?!.*/test/dist/${below})`;
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { guard } from '@whetstone/deploy';

import { inheritedEnvironment, projectFolder } from '../support/product.js';

export interface TestRun {
  passed: boolean;
  tookMs: number;
  /** Duration of each test file, by its path in the project. */
  filesMs: ReadonlyMap<string, number>;
  printed: string;
}

/** Links to the project, with a real copy of one package's compiled code that may be changed. */
export interface PackageCopy {
  /** Path in the copy of a project file. */
  inCopy(file: string): string;
  /** Runs these test files in the copy; a timeout counts as a failure. */
  test(files: readonly string[], withinMs: number): Promise<TestRun>;
}

const running = new Set<number>();

/** Kills running tests after an interruption. */
export function killTests(): void {
  for (const pid of running) process.kill(-pid, 'SIGKILL');
}

/** @param packagePath relative to the project */
export async function copyPackage(packagePath: string, folder: string): Promise<PackageCopy> {
  const place = join(folder, packagePath);
  await mkdir(place, { recursive: true });
  for (const [from, to, real] of [
    [projectFolder, folder, packagePath.split('/')[0]],
    [join(projectFolder, dirname(packagePath)), dirname(place), packagePath.split('/').at(-1)],
    [join(projectFolder, packagePath), place, 'dist'],
  ] as const) {
    for (const entry of await readdir(from)) {
      if (entry !== real && entry !== '.git') await symlink(join(from, entry), join(to, entry));
    }
  }
  await cp(join(projectFolder, packagePath, 'dist'), join(place, 'dist'), { recursive: true });
  await mkdir(join(folder, 'temporary'));
  const results = join(folder, 'results.json');
  const inCopy = (file: string) => join(folder, file.slice(projectFolder.length));
  const config = {
    rootDir: folder,
    roots: [join(place, 'dist')],
    testEnvironment: 'node',
    transform: {},
    testMatch: ['**/*.test.js'],
    cacheDirectory: join(folder, 'jest-cache'),
  };
  return {
    inCopy,
    async test(files, withinMs) {
      const began = Date.now();
      const child = spawn(
        process.execPath,
        [
          '--experimental-vm-modules',
          '--disable-warning=ExperimentalWarning',
          join(projectFolder, 'node_modules/jest/bin/jest.js'),
          ...['--config', JSON.stringify(config), '--runInBand', '--bail', '--watchman=false'],
          ...['--json', '--outputFile', results, '--testTimeout', '60000'],
          ...['--runTestsByPath', ...files.map(inCopy)],
        ],
        {
          cwd: folder,
          env: { ...inheritedEnvironment(), TMPDIR: join(folder, 'temporary') },
          stdio: ['ignore', 'pipe', 'pipe'],
          detached: true,
        },
      );
      const pid = child.pid as number;
      const unguard = guard(-pid);
      running.add(pid);
      const late = setTimeout(() => process.kill(-pid, 'SIGKILL'), withinMs);
      const printed: Buffer[] = [];
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => printed.push(bytes));
      const [code] = (await once(child, 'close')) as [number | null];
      clearTimeout(late);
      running.delete(pid);
      unguard();
      const tookMs = Date.now() - began;
      const filesMs = code === 0 ? await readTimes(results, folder) : new Map<string, number>();
      return { passed: code === 0, tookMs, filesMs, printed: Buffer.concat(printed).toString() };
    },
  };
}

async function readTimes(results: string, folder: string): Promise<Map<string, number>> {
  const { testResults } = JSON.parse(await readFile(results, 'utf8')) as {
    testResults: { name: string; startTime: number; endTime: number }[];
  };
  return new Map(
    testResults.map(({ name, startTime, endTime }) => [
      join(projectFolder, name.slice(folder.length)),
      endTime - startTime,
    ]),
  );
}

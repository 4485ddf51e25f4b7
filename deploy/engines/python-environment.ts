import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Fetchable } from './fetch-once.js';
import { findPython, pythonCandidates, leastPython as usualPython } from './prerequisites.js';
import { lastLines, runProgram } from './processes.js';

export interface PythonPackages {
  /** Part of the folder name. */
  name: string;
  /** Shown to people. */
  title: string;
  version: string;
  megabytes: number;
  /** The file with every pinned package and the hashes of its wheels. */
  requirements: URL;
  /** The minor version of Python 3 that they need, if not the usual one. */
  leastPython?: number;
}

/** Packages in their own virtual environment, installed by pip, which verifies every wheel against its pinned hashes. */
export async function pythonEnvironment(packages: PythonPackages): Promise<Fetchable> {
  const { name, title, version, megabytes, requirements, leastPython = usualPython } = packages;
  const python = await findPython(pythonCandidates, leastPython);
  if (!python) throw new Error(`${title}: needs Python 3.${leastPython} or newer with venv`);
  const digest = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex');
  return {
    // The folder holds compiled code for one Python on one platform.
    name: `${name}-${version}-python${python.version}-${platform()}-${arch()}-${digest.slice(0, 12)}`,
    title: `${title} ${version} (Python packages by pip, about ${megabytes} MB)`,
    async fetch(folder) {
      await run(`make a Python environment for ${title}`, python.command, ['-m', 'venv', folder]);
      const install = ['install', '--quiet', '--disable-pip-version-check', '--no-deps', '--only-binary', ':all:'];
      const pinned = ['--require-hashes', '-r', fileURLToPath(requirements)];
      await run(`fetch ${title} ${version}`, pythonOf(folder), ['-m', 'pip', ...install, ...pinned]);
    },
  };
}

/** Works wherever the folder is moved, unlike the scripts beside it. */
export function pythonOf(folder: string): string {
  return join(folder, 'bin', 'python');
}

async function run(what: string, command: string, args: string[]): Promise<void> {
  const { ok, output } = await runProgram(command, args);
  if (!ok) throw new Error(`Could not ${what}:\n${lastLines(output)}`);
}

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Fetchable } from '../fetch-once.js';
import { findPython } from '../prerequisites.js';
import { lastLines, runProgram } from '../run-program.js';

const requirements = new URL('../../engines/milvus-lite/requirements.txt', import.meta.url);
const version = '3.2.2';

/** Milvus Lite in a Python environment of its own, by the machine's own pip, which checks every wheel against its pinned hashes. */
export async function milvusLiteEnvironment(): Promise<Fetchable> {
  const python = await findPython();
  if (!python) throw new Error('Milvus Lite needs Python 3.10 or newer with venv');
  const digest = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex');
  return {
    // The folder holds compiled code for one Python on one platform.
    name: `milvus-lite-${version}-python${python.version}-${platform()}-${arch()}-${digest.slice(0, 12)}`,
    title: `Milvus Lite ${version} (Python packages by pip, about 450 MB)`,
    async fetch(folder) {
      await run('make a Python environment', python.command, ['-m', 'venv', folder]);
      const install = ['install', '--quiet', '--disable-pip-version-check', '--no-deps', '--only-binary', ':all:'];
      await run('fetch Milvus Lite', pythonOf(folder), [
        '-m',
        'pip',
        ...install,
        '--require-hashes',
        '-r',
        fileURLToPath(requirements),
      ]);
    },
  };
}

/** An environment is run by this program; it works wherever the folder is moved, unlike the scripts beside it. */
export function pythonOf(folder: string): string {
  return join(folder, 'bin', 'python');
}

async function run(what: string, command: string, args: string[]): Promise<void> {
  const { ok, output } = await runProgram(command, args);
  if (!ok) throw new Error(`Could not ${what} ${version}:\n${lastLines(output)}`);
}

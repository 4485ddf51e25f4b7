import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { inheritedEnvironment } from './environment.js';
import type { Fetchable } from './fetch-once.js';
import { findGo } from './prerequisites.js';
import { lastLines, runProgram } from './processes.js';

export interface GoProgram {
  name: string;
  version: string;
  /** The folder with its go.mod and go.sum. */
  module: URL;
  /** Import path of its main package. */
  main: string;
  /** Additional arguments of `go build`. */
  args?: readonly string[];
}

/** A program built by the machine's own Go, which verifies every module against go.sum. */
export async function goProgram({ name, version, module, main, args = [] }: GoProgram): Promise<Fetchable> {
  const cwd = fileURLToPath(module);
  return {
    name: `${name}-${version}-${platform()}-${arch()}-${(await digestOf(cwd, [main, ...args])).slice(0, 12)}`,
    title: `${name} ${version} (built by Go)`,
    async fetch(folder) {
      const go = await findGo();
      if (!go) throw new Error(`${name} needs Go to be built`);
      const build = ['build', '-trimpath', '-buildvcs=false', '-mod=readonly', ...args];
      // No C compiler needed.
      const env = { ...inheritedEnvironment(), CGO_ENABLED: '0' };
      const { ok, output } = await runProgram(go.command, [...build, '-o', goProgramIn(folder, name), main], {
        cwd,
        env,
      });
      if (!ok) throw new Error(`Go could not build ${name} ${version}:\n${lastLines(output)}`);
    },
  };
}

export function goProgramIn(folder: string, name: string): string {
  return join(folder, name);
}

async function digestOf(folder: string, args: readonly string[]): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(args));
  for (const file of (await readdir(folder)).sort()) hash.update(await readFile(join(folder, file)));
  return hash.digest('hex');
}

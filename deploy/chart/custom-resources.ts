import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Fetchable } from '../engines/fetch-once.js';
import { findGo } from '../engines/prerequisites.js';
import { lastLines, runProgram } from '../engines/run-program.js';
import { schemasOfCustomResources } from './schemas-of-custom-resources.js';

/** A Go module that carries the definitions of its custom resources. */
interface PinnedModule {
  path: string;
  version: string;
  /** As go.sum has it. */
  sum: string;
  folder: string;
}

const pinned = new URL('../../chart/pinned/custom-resources/modules.json', import.meta.url);

/** Schemas of the custom resources that the chart may make, for kubeconform: `<group>/<kind>_<version>.json`. */
export async function customResources(): Promise<Fetchable> {
  const list = await readFile(pinned, 'utf8');
  const modules = JSON.parse(list) as PinnedModule[];
  return {
    name: `custom-resources-${createHash('sha256').update(list).digest('hex').slice(0, 12)}`,
    title: `schemas of custom resources (of ${modules.length} Go modules)`,
    async fetch(folder) {
      for (const module of modules) {
        const definitions = join(await download(module), module.folder);
        for (const file of (await readdir(definitions)).filter((name) => name.endsWith('.yaml'))) {
          const schemas = schemasOfCustomResources(await readFile(join(definitions, file), 'utf8'));
          for (const { group, name, schema } of schemas) {
            await mkdir(join(folder, group), { recursive: true });
            await writeFile(join(folder, group, `${name}.json`), JSON.stringify(schema));
          }
        }
      }
    },
  };
}

/** The folder of the module's files, once Go has found them to be the pinned ones. */
async function download({ path, version, sum }: PinnedModule): Promise<string> {
  const go = await findGo();
  if (!go) throw new Error(`${path} is fetched by Go, which is not here`);
  const { ok, stdout, output } = await runProgram(go.command, ['mod', 'download', '-json', `${path}@${version}`], {
    // Outside of any module, so that nothing else is looked at.
    cwd: tmpdir(),
  });
  if (!ok) throw new Error(`Go could not fetch ${path} ${version}:\n${lastLines(output)}`);
  const got = JSON.parse(stdout) as { Dir: string; Sum: string };
  if (got.Sum !== sum) throw new Error(`${path} ${version} has the checksum ${got.Sum} instead of ${sum}`);
  return got.Dir;
}

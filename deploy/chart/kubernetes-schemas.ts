import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Fetchable } from '../engines/fetch-once.js';
import { findPython } from '../engines/prerequisites.js';
import { lastLines, runProgram } from '../engines/processes.js';
import { pythonOf } from '../engines/python-environment.js';

/** The oldest supported version, as Chart.yaml has it, and the newest. */
export const kubernetesVersions: readonly [oldest: string, newest: string] = ['1.32', '1.37'];

const requirements = new URL('../../chart/pinned/kubernetes-schemas/requirements.txt', import.meta.url);

/** Kubernetes' own schemas, for kubeconform: `v<version>/<kind>-<group>-<version>.json`. A Python package contains them as JSON. */
export async function kubernetesSchemas(): Promise<Fetchable> {
  const pinned = `${await readFile(requirements, 'utf8')}${kubernetesVersions.join(' ')}`;
  return {
    name: `kubernetes-schemas-${createHash('sha256').update(pinned).digest('hex').slice(0, 12)}`,
    title: `schemas of Kubernetes ${kubernetesVersions.join(' and ')} (a Python package by pip, 23 MB)`,
    async fetch(folder) {
      const work = join(folder, 'work');
      await unpack(work);
      for (const version of kubernetesVersions) {
        const from = join(work, 'kubernetes_validate/kubernetes-json-schema', `v${version}.0-local-strict`);
        await takeSchemas(from, join(folder, `v${version}`));
      }
      await rm(work, { recursive: true, force: true });
    },
  };
}

/** pip verifies the wheel against its pinned hash. */
async function unpack(folder: string): Promise<void> {
  const python = await findPython();
  if (!python) throw new Error('The Kubernetes schemas need Python 3.10 or newer with venv');
  const environment = join(folder, 'environment');
  await run(python.command, ['-m', 'venv', environment]);
  const pinned = ['--no-deps', '--only-binary', ':all:', '--require-hashes', '-r', fileURLToPath(requirements)];
  const target = ['--quiet', '--disable-pip-version-check', '--no-compile', '--target', folder];
  await run(pythonOf(environment), ['-m', 'pip', 'install', ...target, ...pinned]);
}

/** The schemas refer to each other by URL; kubeconform needs files. */
async function takeSchemas(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const name of (await readdir(from)).filter((file) => file.endsWith('.json'))) {
    const { $id: _, ...schema } = JSON.parse(await readFile(join(from, name), 'utf8')) as Record<string, unknown>;
    const text = JSON.stringify(schema).replaceAll('"/api/_definitions.json#', '"_definitions.json#');
    await writeFile(join(to, name), text);
  }
}

async function run(command: string, args: string[]): Promise<void> {
  const { ok, output } = await runProgram(command, args);
  if (!ok) throw new Error(`Could not fetch the Kubernetes schemas:\n${lastLines(output)}`);
}

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { helm } from '@whetstone/deploy';

import { type Engines, openEngines } from './engines.js';
import { createKubectl, runCommand } from './kubectl.js';
import { type Options, readOptions, usage } from './options.js';
import { createRelease, rootSecretName } from './release.js';
import { runSteps } from './run-steps.js';
import { createSteps } from './steps.js';

/** The whole life of an installation on a real cluster. Exits with 0 if every step passed. */
async function main(options: Options): Promise<boolean> {
  const steps = createSteps(console.log);
  const folder = await mkdtemp(join(tmpdir(), 'whetstone-kubernetes-'));
  const kubectl = createKubectl(`whetstone-test-${randomBytes(3).toString('hex')}`);
  let engines: Engines | undefined;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void cleanUp().finally(() => process.exit(1)));
  }
  engines = await steps.take('Kafka and Milvus', () => openEngines(options, folder));
  try {
    if (!engines) return false;
    const made = await steps.take(`namespace ${kubectl.namespace}, PodSecurity restricted enforced`, async () => {
      await makeNamespace(kubectl.namespace);
      await kubectl.apply(rootSecret());
      return true;
    });
    if (!made) return false;
    const command = await helm({ say: console.log });
    const release = createRelease({ helm: command, kubectl, options, engines, folder });
    await runSteps({ steps, helm: command, kubectl, release, engines, folder, options });
  } finally {
    console.log(steps.summary());
    if (steps.failed && options.keep) console.log(`Kept: namespace ${kubectl.namespace}, ${folder}`);
    else await cleanUp();
  }
  return !steps.failed;

  async function cleanUp(): Promise<void> {
    await runCommand('kubectl', [
      'delete',
      'namespace',
      kubectl.namespace,
      '--ignore-not-found',
      '--timeout=180s',
    ]).catch((error: Error) => console.error(error.message));
    await engines?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function makeNamespace(name: string): Promise<void> {
  const labels = Object.fromEntries(
    ['enforce', 'warn', 'audit'].map((mode) => [`pod-security.kubernetes.io/${mode}`, 'restricted']),
  );
  const manifest = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
  await runCommand('kubectl', ['create', '--filename', '-'], JSON.stringify(manifest));
}

function rootSecret(): object {
  const stringData = { 'root-secret': randomBytes(32).toString('hex') };
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: rootSecretName }, stringData };
}

let options: Options | undefined;
try {
  options = readOptions(process.argv.slice(2));
} catch (error) {
  console.error(`${(error as Error).message}\n\n${usage}`);
}
process.exitCode = options && (await main(options)) ? 0 : 1;

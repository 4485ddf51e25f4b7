import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { serviceNames } from '@whetstone/deploy';

import { projectFolder } from '../support/product.js';
import type { Engines } from './engines.js';
import { type Kubectl, runCommand } from './kubectl.js';
import type { Options } from './options.js';

/** The chart in the cluster. */
export interface Release {
  readonly name: string;
  install(): Promise<void>;
  /** With topics that a single broker cannot hold; resolves with what the hook said, and rejects if it did not refuse. */
  installRefused(): Promise<string>;
  /** Rolls every pod of every service. */
  upgrade(): Promise<void>;
  /** What the chart's own test printed. */
  test(): Promise<string>;
  notes(): Promise<string>;
  uninstall(): Promise<void>;
}

export const rootSecretName = 'whetstone-root';
export const chart = join(projectFolder, 'charts/whetstone');
export const waiting = ['--wait', '--timeout', '10m'];

export interface ReleaseOptions {
  helm: string;
  kubectl: Kubectl;
  options: Options;
  engines: Engines;
  /** For the file with our values. */
  folder: string;
}

export function createRelease({ helm, kubectl, options, engines, folder }: ReleaseOptions): Release {
  const name = 'try';
  const valuesFile = join(folder, 'values.json');
  const run = (...args: string[]) => runCommand(helm, ['--namespace', kubectl.namespace, ...args]);
  const files = [valuesFile, ...options.values].flatMap((file) => ['--values', file]);
  async function install(...args: string[]): Promise<void> {
    await writeFile(valuesFile, JSON.stringify(valuesFor(options, engines)));
    await run('upgrade', '--install', name, chart, ...files, ...args, ...waiting);
  }

  return {
    name,
    install,
    async installRefused() {
      const refused = await install('--set', 'topics.acceptWeaker=false').then(
        () => false,
        () => true,
      );
      if (!refused) throw new Error('Installed with topics that are too weak');
      return kubectl.run('logs', `job/${name}-whetstone-topics`, '--all-containers');
    },
    async upgrade() {
      await run('upgrade', name, chart, ...files, '--set', 'secretsRevision=second', ...waiting);
    },
    test: () => run('test', name, '--logs', '--timeout', '10m'),
    notes: () => run('get', 'notes', name),
    async uninstall() {
      await run('uninstall', name, ...waiting);
    },
  };
}

function valuesFor({ registry, tag, pullPolicy, cpu }: Options, { kafka, milvus, own }: Engines): object {
  const requests = cpu ? { resources: { requests: { cpu } } } : {};
  return {
    image: { registry, tag, pullPolicy },
    rootSecret: { existingSecret: rootSecretName },
    kafka: { brokers: kafka },
    milvus: { address: milvus },
    topics: { acceptWeaker: own },
    ...Object.fromEntries(serviceNames.map((service) => [service, requests])),
  };
}

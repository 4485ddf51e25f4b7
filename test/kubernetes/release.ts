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
  /** Rolls every pod of every service. */
  upgrade(): Promise<void>;
  /** What the chart's own test printed. */
  test(): Promise<string>;
  notes(): Promise<string>;
  uninstall(): Promise<void>;
}

export const rootSecretName = 'whetstone-root';
const chart = join(projectFolder, 'charts/whetstone');
/** All pods, and those that replace them in an upgrade, find room on one small node. */
const modest = { resources: { requests: { cpu: '50m' } } };
const waiting = ['--wait', '--timeout', '10m'];

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
  return {
    name,
    async install() {
      await writeFile(valuesFile, JSON.stringify(valuesFor(options, engines)));
      await run('install', name, chart, ...files, ...waiting);
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

function valuesFor({ registry, tag, pullPolicy }: Options, { kafka, milvus, own }: Engines): object {
  return {
    image: { registry, tag, pullPolicy },
    rootSecret: { existingSecret: rootSecretName },
    kafka: { brokers: kafka },
    milvus: { address: milvus },
    topics: { acceptWeaker: own },
    ...Object.fromEntries(serviceNames.map((service) => [service, modest])),
  };
}

import { execFile, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { type ChartTools, chartTools } from '@whetstone/deploy';
import { parseAllDocuments } from 'yaml';

import { projectFolder } from '../../support/product.js';

export const chartFolder = join(projectFolder, 'charts/whetstone');

/** The common cases, by their names: `minimal` is `ci/minimal-values.yaml`. */
export const cases: readonly string[] = readdirSync(join(chartFolder, 'ci'))
  .filter((name) => name.endsWith('-values.yaml'))
  .map((name) => name.replace('-values.yaml', ''));

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  spec?: Record<string, unknown>;
  data?: Record<string, string>;
}

export interface Ended {
  ok: boolean;
  stdout: string;
  /** stdout and stderr. */
  output: string;
}

/** Arguments of helm that give it the values of a case. */
export function valuesOf(name: string): string[] {
  return ['--values', join(chartFolder, 'ci', `${name}-values.yaml`)];
}

/** Call it at the top of a test file. */
export function tools(): () => ChartTools {
  let found: ChartTools | undefined;
  beforeAll(async () => {
    found = await chartTools();
  }, 1_800_000);
  return () => {
    if (!found) throw new Error('The tools are known once beforeAll has run');
    return found;
  };
}

export function run(command: string, args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(command, args, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      resolve({ ok: error === null, stdout, output: `${stdout}${stderr}` || String(error?.message) });
    });
  });
}

export async function runWithInput(command: string, args: readonly string[], input: string): Promise<Ended> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  child.stdin.end(input);
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { ok: code === 0, stdout, output: `${stdout}${stderr}` };
}

/** Arguments of helm without a cluster: some builds of it assume one that is too old for the chart. */
export function onNewest({ kubernetesVersions: [, newest] }: ChartTools): string[] {
  return ['--kube-version', newest];
}

/** What `helm install` would send to the cluster. Throws what helm says where it refuses. */
export async function render(tools: ChartTools, args: readonly string[]): Promise<string> {
  const all = ['template', 'try', chartFolder, '--namespace', 'place', ...onNewest(tools), ...args];
  const { ok, stdout, output } = await run(tools.helm, all);
  if (!ok) throw new Error(output);
  return stdout;
}

export function manifestsIn(rendered: string): Manifest[] {
  return parseAllDocuments(rendered)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
}

import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { inheritedEnvironment } from '../engines/environment.js';
import type { Fetchable } from '../engines/fetch-once.js';
import { findGo } from '../engines/prerequisites.js';
import { lastLines, runProgram } from '../engines/processes.js';

export interface GoProgram {
  /** Of the program, and of the folder in `pinned/` with its go.mod and go.sum. */
  name: string;
  version: string;
  /** Import path of its main package. */
  main: string;
  /** Additional arguments of `go build`. */
  args?: readonly string[];
}

/** A program built by the machine's own Go, which verifies every module against go.sum. */
export async function goProgram({ name, version, main, args = [] }: GoProgram): Promise<Fetchable> {
  const module = fileURLToPath(new URL(`../../chart/pinned/${name}/`, import.meta.url));
  return {
    name: `${name}-${version}-${platform()}-${arch()}-${(await digestOf(module, [main, ...args])).slice(0, 12)}`,
    title: `${name} ${version} (built by Go)`,
    async fetch(folder) {
      const go = await findGo();
      if (!go) throw new Error(`${name} needs Go to be built`);
      const build = ['build', '-trimpath', '-buildvcs=false', '-mod=readonly', ...args];
      // No C compiler needed.
      const env = { ...inheritedEnvironment(), CGO_ENABLED: '0' };
      const { ok, output } = await runProgram(go.command, [...build, '-o', goProgramIn(folder, name), main], {
        cwd: module,
        env,
      });
      if (!ok) throw new Error(`Go could not build ${name} ${version}:\n${lastLines(output)}`);
    },
  };
}

export function goProgramIn(folder: string, name: string): string {
  return join(folder, name);
}

async function digestOf(module: string, args: readonly string[]): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(args));
  for (const file of (await readdir(module)).sort()) hash.update(await readFile(join(module, file)));
  return hash.digest('hex');
}

const helmVersion = '3.22.0';
const small = ['-ldflags', '-s -w'];

/** As in helm's makefile: the Kubernetes version to assume without a cluster, that of the client library. */
function assumingKubernetes(minor: number, more = ''): string[] {
  const places = ['lint/rules', 'chartutil'].map((path) => `helm.sh/helm/v3/pkg/${path}`);
  const flags = places.map((place) => `-X ${place}.k8sVersionMajor=1 -X ${place}.k8sVersionMinor=${minor}`);
  return ['-ldflags', ['-s -w', ...flags, more].join(' ').trim()];
}

/** The versions match go.mod in `pinned/`. */
export const chartPrograms = {
  helm: () =>
    goProgram({
      name: 'helm',
      version: helmVersion,
      main: 'helm.sh/helm/v3/cmd/helm',
      args: assumingKubernetes(37, `-X helm.sh/helm/v3/internal/version.version=v${helmVersion}`),
    }),
  helmUnittest: () =>
    goProgram({
      name: 'helm-unittest',
      version: '1.1.2',
      main: 'github.com/helm-unittest/helm-unittest/cmd/helm-unittest',
      args: assumingKubernetes(36),
    }),
  kubeconform: () =>
    goProgram({
      name: 'kubeconform',
      version: '0.8.0',
      main: 'github.com/yannh/kubeconform/cmd/kubeconform',
      args: small,
    }),
  podSecurity: () => goProgram({ name: 'pod-security', version: '0.34.10', main: '.', args: small }),
  promtool: () =>
    goProgram({
      name: 'promtool',
      version: '0.315.0',
      main: 'github.com/prometheus/prometheus/cmd/promtool',
      // Without the clients of every cloud, which checking rules does not need.
      args: ['-tags', 'remove_all_sd', ...small],
    }),
};

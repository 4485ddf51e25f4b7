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
  /** Of the program, and of the folder in `engines/` with its go.mod and go.sum. */
  name: string;
  version: string;
  /** Import path of its main package. */
  main: string;
  /** Further arguments for `go build`. */
  args?: readonly string[];
}

/** A program by the machine's own Go, which checks every module against go.sum. */
export async function goProgram({ name, version, main, args = [] }: GoProgram): Promise<Fetchable> {
  const module = fileURLToPath(new URL(`../../chart/pinned/${name}/`, import.meta.url));
  return {
    name: `${name}-${version}-${platform()}-${arch()}-${(await digestOf(module, [main, ...args])).slice(0, 12)}`,
    title: `${name} ${version} (built by Go)`,
    async fetch(folder) {
      const go = await findGo();
      if (!go) throw new Error(`${name} is built by Go, which is not here`);
      const build = ['build', '-trimpath', '-buildvcs=false', '-mod=readonly', ...args];
      // Without C, so that no compiler for it is needed.
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

/** What helm's own makefile tells the linker: which Kubernetes to assume where none is asked. It is that of the client library. */
function assumingKubernetes(minor: number, more = ''): string[] {
  const places = ['lint/rules', 'chartutil'].map((path) => `helm.sh/helm/v3/pkg/${path}`);
  const flags = places.map((place) => `-X ${place}.k8sVersionMajor=1 -X ${place}.k8sVersionMinor=${minor}`);
  return ['-ldflags', ['-s -w', ...flags, more].join(' ').trim()];
}

/** Versions are those of the go.mod in `engines/`. */
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
      // Without the clients of every cloud, which the checks of rules do not use.
      args: ['-tags', 'remove_all_sd', ...small],
    }),
};

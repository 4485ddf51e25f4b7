import type { Fetchable } from '../engines/fetch-once.js';
import { type GoProgram, goProgram } from '../engines/go-program.js';

const helmVersion = '3.22.0';
const small = ['-ldflags', '-s -w'];

function pinned(program: Omit<GoProgram, 'module'>): Promise<Fetchable> {
  return goProgram({ ...program, module: new URL(`../../chart/pinned/${program.name}/`, import.meta.url) });
}

/** As in helm's makefile: the Kubernetes version to assume without a cluster, that of the client library. */
function assumingKubernetes(minor: number, more = ''): string[] {
  const places = ['lint/rules', 'chartutil'].map((path) => `helm.sh/helm/v3/pkg/${path}`);
  const flags = places.map((place) => `-X ${place}.k8sVersionMajor=1 -X ${place}.k8sVersionMinor=${minor}`);
  return ['-ldflags', ['-s -w', ...flags, more].join(' ').trim()];
}

/** The versions match go.mod in `pinned/`. */
export const chartPrograms = {
  helm: () =>
    pinned({
      name: 'helm',
      version: helmVersion,
      main: 'helm.sh/helm/v3/cmd/helm',
      args: assumingKubernetes(37, `-X helm.sh/helm/v3/internal/version.version=v${helmVersion}`),
    }),
  helmUnittest: () =>
    pinned({
      name: 'helm-unittest',
      version: '1.1.2',
      main: 'github.com/helm-unittest/helm-unittest/cmd/helm-unittest',
      args: assumingKubernetes(36),
    }),
  kubeconform: () =>
    pinned({
      name: 'kubeconform',
      version: '0.8.0',
      main: 'github.com/yannh/kubeconform/cmd/kubeconform',
      args: small,
    }),
  podSecurity: () => pinned({ name: 'pod-security', version: '0.34.10', main: '.', args: small }),
  promtool: () =>
    pinned({
      name: 'promtool',
      version: '0.315.0',
      main: 'github.com/prometheus/prometheus/cmd/promtool',
      // Without the clients of every cloud, which checking rules does not need.
      args: ['-tags', 'remove_all_sd', ...small],
    }),
};

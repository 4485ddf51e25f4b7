import { goProgram } from './go-program.js';

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

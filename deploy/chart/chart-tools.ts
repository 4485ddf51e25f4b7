import { type Fetchable, type FetchOptions, fetchOnce } from '../engines/fetch-once.js';
import { goProgramIn } from '../engines/go-program.js';
import { findHelm } from '../engines/prerequisites.js';
import { customResources } from './custom-resources.js';
import { chartPrograms } from './go-programs.js';
import { kubernetesSchemas, kubernetesVersions } from './kubernetes-schemas.js';

/** Programs and schemas that check the chart. */
export interface ChartTools {
  helm: string;
  kubeconform: string;
  helmUnittest: string;
  promtool: string;
  /** Kubernetes' own checks for the level `restricted`: see `pinned/pod-security`. */
  podSecurity: string;
  /** For kubeconform's `-schema-location`, for one version of Kubernetes. */
  schemaLocations(kubernetesVersion: string): string[];
  kubernetesVersions: readonly [oldest: string, newest: string];
}

/** Without helm if the machine has a recent one. */
export async function chartToolsFetchables(): Promise<Fetchable[]> {
  const ownHelm = await findHelm();
  const { helm: fetchedHelm, ...others } = chartPrograms;
  const builds = [...(ownHelm ? [] : [fetchedHelm]), ...Object.values(others)];
  return Promise.all([...builds.map((build) => build()), kubernetesSchemas(), customResources()]);
}

/** Fetches what is missing. */
export async function chartTools(options: FetchOptions = {}): Promise<ChartTools> {
  const program = async (name: keyof typeof chartPrograms, file: string) =>
    goProgramIn(await fetchOnce(await chartPrograms[name](), options), file);
  const schemas = await fetchOnce(await kubernetesSchemas(), options);
  const custom = await fetchOnce(await customResources(), options);
  return {
    helm: await helm(options),
    kubeconform: await program('kubeconform', 'kubeconform'),
    helmUnittest: await program('helmUnittest', 'helm-unittest'),
    promtool: await program('promtool', 'promtool'),
    podSecurity: await program('podSecurity', 'pod-security'),
    kubernetesVersions,
    schemaLocations: (version) => [
      `${schemas}/v${version}/{{.ResourceKind}}{{.KindSuffix}}.json`,
      `${custom}/{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json`,
    ],
  };
}

/** The machine's own if it is recent enough, otherwise a fetched one. */
export async function helm(options: FetchOptions = {}): Promise<string> {
  const own = await findHelm();
  return own?.command ?? goProgramIn(await fetchOnce(await chartPrograms.helm(), options), 'helm');
}

import type { Manifest } from './chart.js';

export interface PodTemplate {
  /** Whose pods these are: `Deployment/try-whetstone-gateway`. */
  owner: string;
  template: { metadata?: Record<string, unknown>; spec: PodSpec };
}

export interface PodSpec {
  containers: Container[];
  initContainers?: Container[];
  automountServiceAccountToken?: boolean;
  terminationGracePeriodSeconds?: number;
}

export interface Container {
  name: string;
  image: string;
  env?: { name: string; value?: string; valueFrom?: unknown }[];
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
}

/** The pods that manifests lead to, whatever makes them. */
export function podTemplatesIn(manifests: readonly Manifest[]): PodTemplate[] {
  return manifests.flatMap((manifest) => {
    const template = templateOf(manifest);
    return template ? [{ owner: `${manifest.kind}/${manifest.metadata.name}`, template }] : [];
  });
}

function templateOf({ kind, metadata, spec }: Manifest): PodTemplate['template'] | undefined {
  if (kind === 'Pod') return { metadata, spec: spec as unknown as PodSpec };
  const { template, jobTemplate } = (spec ?? {}) as {
    template?: unknown;
    jobTemplate?: { spec: { template: unknown } };
  };
  return (jobTemplate?.spec.template ?? template) as PodTemplate['template'] | undefined;
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { cases, type Ended, manifestsIn, onNewest, render, run, runWithInput, tools, valuesOf } from './chart.js';
import { podTemplatesIn } from './pod-templates.js';

const chart = tools();

/** What kubeconform says to manifests, which it names as they are named here. */
async function conform(version: string, manifests: Record<string, string>): Promise<Ended> {
  const { kubeconform, schemaLocations } = chart();
  const locations = schemaLocations(version).flatMap((location) => ['-schema-location', location]);
  const folder = await mkdtemp(join(tmpdir(), 'whetstone-manifests-'));
  try {
    for (const [name, text] of Object.entries(manifests)) await writeFile(join(folder, `${name}.yaml`), text);
    // One resource after another, so that it reads the schemas of Kubernetes, which are large, once.
    return await run(kubeconform, ['-n', '1', '-strict', '-summary', ...locations, folder]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

it('the chart renders what Kubernetes and the operators know, and nothing that they do not', async () => {
  for (const version of chart().kubernetesVersions) {
    const rendered: Record<string, string> = {};
    for (const name of cases) rendered[name] = await render(chart(), [...valuesOf(name), '--kube-version', version]);
    const { ok, output } = await conform(version, rendered);
    if (!ok) throw new Error(`Kubernetes ${version}: ${output}`);
    expect(output).toContain(`found in ${cases.length} files`);
  }
});

describe.each(cases)('the chart with the values of %s', (name) => {
  let rendered: string;
  beforeAll(async () => {
    rendered = await render(chart(), valuesOf(name));
  });

  it('is found good by helm', async () => {
    const args = ['lint', '--strict', 'charts/whetstone', ...onNewest(chart()), ...valuesOf(name)];
    const { ok, output } = await run(chart().helm, args);
    if (!ok) throw new Error(output);
  });

  it('renders the same each time', async () => {
    expect(await render(chart(), valuesOf(name))).toBe(rendered);
  });

  it('makes pods that PodSecurity restricted admits', async () => {
    const templates = podTemplatesIn(manifestsIn(rendered));
    expect(templates).not.toEqual([]);
    const lines = templates.map(({ template }) => `${JSON.stringify(template)}\n`).join('');
    const { ok, stdout, output } = await runWithInput(chart().podSecurity, [], lines);
    if (!ok) throw new Error(output);
    const refused = stdout.split('\n').flatMap((why, index) => (why ? `${templates[index]?.owner}: ${why}` : []));
    expect(refused).toEqual([]);
  });

  it('makes no Secret, and puts none into the environment of a container', async () => {
    const manifests = manifestsIn(rendered);
    expect(manifests.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    const containers = podTemplatesIn(manifests).flatMap(({ owner, template: { spec } }) =>
      [...spec.containers, ...(spec.initContainers ?? [])].map((container) => ({ owner, ...container })),
    );
    const fromSecrets = containers.flatMap(({ owner, env = [] }) =>
      env.filter(({ valueFrom }) => JSON.stringify(valueFrom ?? {}).includes('secretKeyRef')).map(() => owner),
    );
    expect(fromSecrets).toEqual([]);
  });

  it('gives no pod a token of Kubernetes', async () => {
    const templates = podTemplatesIn(manifestsIn(rendered));
    const withToken = templates.filter(({ template }) => template.spec.automountServiceAccountToken !== false);
    expect(withToken.map(({ owner }) => owner)).toEqual([]);
  });
});

describe('the checks of manifests', () => {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'loose' },
    spec: { containers: [{ name: 'a', image: 'b', privileged: true }] },
  };

  it('refuse fields that Kubernetes does not have', async () => {
    const { ok, output } = await conform(chart().kubernetesVersions[0], { pod: JSON.stringify(pod) });
    expect(ok).toBe(false);
    expect(output).toContain("additional properties 'privileged' not allowed");
  });

  it('refuse fields that an operator does not have', async () => {
    const monitor = {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'ServiceMonitor',
      metadata: { name: 'm' },
      spec: { selector: {}, endpoints: [{ prot: 'ops' }] },
    };
    const { ok, output } = await conform(chart().kubernetesVersions[0], { monitor: JSON.stringify(monitor) });
    expect(ok).toBe(false);
    expect(output).toContain("additional properties 'prot' not allowed");
  });

  it('refuse a pod that is not restricted', async () => {
    const { stdout } = await runWithInput(chart().podSecurity, [], `${JSON.stringify(pod)}\n`);
    expect(stdout).toMatch(/allowPrivilegeEscalation != false.*runAsNonRoot != true/);
  });
});

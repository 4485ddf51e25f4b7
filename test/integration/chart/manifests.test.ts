import { cases, manifestsIn, render, run, runWithInput, tools, valuesOf } from './chart.js';
import { podTemplatesIn } from './pod-templates.js';

const chart = tools();

describe.each(cases)('the chart with the values of %s', (name) => {
  it('is found good by helm', async () => {
    const { ok, output } = await run(chart().helm, ['lint', '--strict', 'charts/whetstone', ...valuesOf(name)]);
    if (!ok) throw new Error(output);
  });

  it('renders what Kubernetes and the operators know, and nothing that they do not', async () => {
    const { kubernetesVersions, kubeconform, schemaLocations } = chart();
    for (const version of kubernetesVersions) {
      const rendered = await render(chart(), [...valuesOf(name), '--kube-version', version]);
      const locations = schemaLocations(version).flatMap((location) => ['-schema-location', location]);
      const { ok, output } = await runWithInput(kubeconform, ['-strict', '-summary', ...locations], rendered);
      if (!ok) throw new Error(`Kubernetes ${version}: ${output}`);
    }
  });

  it('renders the same each time', async () => {
    const [first, second] = await Promise.all([render(chart(), valuesOf(name)), render(chart(), valuesOf(name))]);
    expect(second).toBe(first);
  });

  it('makes pods that PodSecurity restricted admits', async () => {
    const templates = podTemplatesIn(manifestsIn(await render(chart(), valuesOf(name))));
    expect(templates).not.toEqual([]);
    const lines = templates.map(({ template }) => `${JSON.stringify(template)}\n`).join('');
    const { ok, stdout, output } = await runWithInput(chart().podSecurity, [], lines);
    if (!ok) throw new Error(output);
    const refused = stdout.split('\n').flatMap((why, index) => (why ? `${templates[index]?.owner}: ${why}` : []));
    expect(refused).toEqual([]);
  });

  it('makes no Secret, and puts none into the environment of a container', async () => {
    const manifests = manifestsIn(await render(chart(), valuesOf(name)));
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
    const templates = podTemplatesIn(manifestsIn(await render(chart(), valuesOf(name))));
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
    const { kubeconform, kubernetesVersions, schemaLocations } = chart();
    const locations = schemaLocations(kubernetesVersions[0] as string).flatMap((one) => ['-schema-location', one]);
    const { ok, output } = await runWithInput(kubeconform, ['-strict', ...locations], JSON.stringify(pod));
    expect(ok).toBe(false);
    expect(output).toContain("additional properties 'privileged' not allowed");
  });

  it('refuse fields that an operator does not have', async () => {
    const { kubeconform, kubernetesVersions, schemaLocations } = chart();
    const locations = schemaLocations(kubernetesVersions[0] as string).flatMap((one) => ['-schema-location', one]);
    const monitor = {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'ServiceMonitor',
      metadata: { name: 'm' },
      spec: { selector: {}, endpoints: [{ prot: 'ops' }] },
    };
    const { ok, output } = await runWithInput(kubeconform, ['-strict', ...locations], JSON.stringify(monitor));
    expect(ok).toBe(false);
    expect(output).toContain("additional properties 'prot' not allowed");
  });

  it('refuse a pod that is not restricted', async () => {
    const { stdout } = await runWithInput(chart().podSecurity, [], `${JSON.stringify(pod)}\n`);
    expect(stdout).toMatch(/allowPrivilegeEscalation != false.*runAsNonRoot != true/);
  });
});

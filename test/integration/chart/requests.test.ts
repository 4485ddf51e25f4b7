import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { chartFolder, type Manifest, manifestsIn, render, tools, valuesOf } from './chart.js';
import { type Container, podTemplatesIn } from './pod-templates.js';

const chart = tools();
const readme = readFileSync(join(chartFolder, 'README.md'), 'utf8').replaceAll(/\s+/g, ' ');

interface Requests {
  cores: number;
  mebibytes: number;
}

describe('what the pods request by default', () => {
  let manifests: Manifest[];
  beforeAll(async () => {
    manifests = manifestsIn(await render(chart(), valuesOf('minimal')));
  });

  it('is the sum that the README states, at rest and during an upgrade', () => {
    const deployments = manifests.filter(({ kind }) => kind === 'Deployment');
    expect(deployments).toHaveLength(4);
    const each = deployments.map((one) => ({ replicas: Number(one.spec?.['replicas']), ...requestsOf([one]) }));
    const hook = requestsOf(manifests.filter(({ kind }) => kind === 'Job'));
    const atRest = sumOf(each.map(({ replicas, cores, mebibytes }) => times(replicas, { cores, mebibytes })));
    const more = sumOf([...each, hook]);

    expect(readme).toContain(`request ${text(atRest)} in total`);
    expect(readme).toContain(`An upgrade takes up to ${text(more)} more`);
  });

  it('is stated for every container, with a limit of memory and none of CPU', () => {
    const containers = podTemplatesIn(manifests).flatMap(({ template }) => template.spec.containers);
    for (const { resources } of containers) {
      expect(resources).toEqual({
        requests: { cpu: expect.any(String), memory: expect.any(String) },
        limits: { memory: expect.any(String) },
      });
    }
  });
});

function requestsOf(manifests: readonly Manifest[]): Requests {
  const containers = podTemplatesIn(manifests).flatMap(({ template }) => template.spec.containers);
  return sumOf(containers.map(requestsOfContainer));
}

function requestsOfContainer({ resources }: Container): Requests {
  const { cpu = '', memory = '' } = resources?.requests ?? {};
  if (!/^\d+m$/.test(cpu) || !/^\d+Mi$/.test(memory)) throw new Error(`Not as expected: ${cpu}, ${memory}`);
  return { cores: Number.parseInt(cpu, 10) / 1000, mebibytes: Number.parseInt(memory, 10) };
}

function sumOf(all: readonly Requests[]): Requests {
  return all.reduce(
    (sum, { cores, mebibytes }) => ({ cores: sum.cores + cores, mebibytes: sum.mebibytes + mebibytes }),
    {
      cores: 0,
      mebibytes: 0,
    },
  );
}

function times(number: number, { cores, mebibytes }: Requests): Requests {
  return { cores: number * cores, mebibytes: number * mebibytes };
}

function text({ cores, mebibytes }: Requests): string {
  return `${cores.toFixed(1)} cores and ${(mebibytes / 1024).toFixed(1)} GiB`;
}

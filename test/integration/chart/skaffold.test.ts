import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type ImageName, imageNames } from '@whetstone/deploy';
import { parse } from 'yaml';

import { projectFolder } from '../../support/product.js';
import { manifestsIn, render, tools } from './chart.js';
import { podTemplatesIn } from './pod-templates.js';

interface Setup {
  build: { artifacts: { image: string; docker: { dockerfile: string; target: string } }[] };
  deploy: {
    helm: {
      releases: {
        name: string;
        chartPath: string;
        valuesFiles: string[];
        setValueTemplates: Record<string, string>;
      }[];
    };
  };
  portForward: { resourceType: string; resourceName: string; port: number }[];
}

const chart = tools();
const { profiles, ...plain } = parse(readFileSync(join(projectFolder, 'skaffold.yaml'), 'utf8')) as Setup & {
  profiles: (Setup & { name: string })[];
};
const setups: [string, Setup, readonly ImageName[]][] = [
  ['without a profile', plain, imageNames],
  ...profiles.map((profile): [string, Setup, readonly ImageName[]] => [
    profile.name,
    profile,
    [profile.name as ImageName],
  ]),
];

describe.each(setups)('skaffold.yaml, %s', (_, { build, deploy, portForward }, expected) => {
  it('builds its images from their targets', () => {
    expect(build.artifacts).toEqual(
      expected.map((target) => ({
        image: `whetstone-${target}`,
        docker: { dockerfile: 'deploy/images/Dockerfile', target },
      })),
    );
  });

  it('installs the chart with values that it takes, runs what was built and nothing else, and leads there', async () => {
    for (const { name, chartPath, valuesFiles, setValueTemplates } of deploy.helm.releases) {
      expect([name, chartPath]).toEqual(['whetstone', 'charts/whetstone']);
      // As skaffold fills them in: the name of an image, with what a variable cannot have replaced.
      const images = Object.entries(setValueTemplates).map(([value, template]) => {
        const [, image = ''] = /^\{\{\.IMAGE_FULLY_QUALIFIED_(\w+)\}\}$/.exec(template) ?? [];
        return `${value}=built/${image.replaceAll('_', '-')}:tag`;
      });
      const values = valuesFiles.flatMap((file) => ['--values', join(projectFolder, file)]);
      const args = [...values, ...images.flatMap((image) => ['--set', image]), '--set', `fullnameOverride=${name}`];
      const manifests = manifestsIn(await render(chart(), args));

      const used = podTemplatesIn(manifests).flatMap(({ template }) =>
        template.spec.containers.map(({ image }) => image),
      );
      const built = build.artifacts.map(({ image }) => `built/${image}:tag`);
      expect(used.filter((image) => !built.includes(image))).toEqual([]);
      for (const { resourceName } of portForward) {
        expect(
          manifests.filter(({ kind, metadata }) => kind === 'Service' && metadata.name === resourceName),
        ).toHaveLength(1);
      }
    }
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { imageContents } from './image-contents.js';
import { readSbom, type Sbom, sbomFile, sbomOfImage } from './image-sbom.js';
import { imageNames, imageSpecs } from './image-specs.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
let all: Sbom;

beforeAll(async () => {
  all = await readSbom(root);
});

describe.each(imageNames)('the bill of materials of the image %s', (name) => {
  it('lists exactly the packages of the image, and Node, each once', async () => {
    const spec = imageSpecs[name];
    const contents = await imageContents(root, spec);

    const sbom = await sbomOfImage({ root, all, spec, contents });

    const inImage = [...contents.packages, ...contents.bundled, ...contents.workspaces].map((folder) => {
      const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
      return `${manifest.name}@${manifest.version}`;
    });
    const listed = sbom.components.map((component) => component['bom-ref']);
    expect(listed.sort()).toEqual([...new Set(inImage), `node@${process.versions.node}`].sort());
    const refs = new Set([...listed, sbom.metadata.component['bom-ref']]);
    expect(
      sbom.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]).filter((ref) => !refs.has(ref)),
    ).toEqual([]);
  });

  it('names the digest and the licence of everything that is not ours', async () => {
    const spec = imageSpecs[name];

    const { components, metadata } = await sbomOfImage({ root, all, spec, contents: await imageContents(root, spec) });

    expect(metadata.component).toMatchObject({ name: `whetstone-${name}`, version: '1.0.0' });
    const foreign = components.filter(({ 'bom-ref': ref }) => !/^(@whetstone\/|node@)/.test(ref));
    expect(foreign.length).toBeGreaterThan(10);
    for (const component of foreign) {
      expect(component).toMatchObject({
        purl: expect.stringMatching(/^pkg:npm\//),
        hashes: [{ alg: 'SHA-512' }],
        licenses: [expect.anything()],
      });
    }
  });
});

it('the same contents give the same bill of materials, so that layers can be cached', async () => {
  const spec = imageSpecs.status;
  const contents = await imageContents(root, spec);
  const later = { ...all, serialNumber: 'urn:uuid:other', metadata: { ...all.metadata, timestamp: 'later' } };

  expect(await sbomOfImage({ root, all: later, spec, contents })).toEqual(
    await sbomOfImage({ root, all, spec, contents }),
  );
});

it('a package that the lock file does not know stops the build', async () => {
  const spec = imageSpecs.status;
  const without = { ...all, components: all.components.filter(({ 'bom-ref': ref }) => !ref.startsWith('kafkajs@')) };

  await expect(sbomOfImage({ root, all: without, spec, contents: await imageContents(root, spec) })).rejects.toThrow(
    /package-lock\.json lacks kafkajs@.*, which whetstone-status@.* contains/,
  );
});

it('images say where it is', () => {
  const dockerfile = readFileSync(join(root, 'deploy/images/Dockerfile'), 'utf8');

  expect(dockerfile).toContain(`whetstone.sbom="/app/${sbomFile}"`);
});

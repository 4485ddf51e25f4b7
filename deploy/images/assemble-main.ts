import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { assembleImage, type Machine } from './assemble-image.js';
import { readSbom } from './image-sbom.js';
import { imageNames, imageSpecs } from './image-specs.js';

/** Node's names for the architectures of image builders. */
const architectures: Readonly<Record<string, Machine['architecture']>> = { amd64: 'x64', arm64: 'arm64' };

/** `node …/assemble-main.js ARCHITECTURE FOLDER`, in the root of the repository: writes the contents of all images, one folder each. */
const [named = '', folder = ''] = process.argv.slice(2);
const architecture = architectures[named];
if (architecture === undefined) {
  throw new Error(`Images are for ${Object.keys(architectures).join(' and ')}, not for '${named}'`);
}
await mkdir(folder);
const root = process.cwd();
const sbom = await readSbom(root);
for (const name of imageNames) {
  const into = join(resolve(folder), name);
  await assembleImage({
    root,
    spec: imageSpecs[name],
    sbom,
    machine: { platform: 'linux', architecture },
    into,
  });
}

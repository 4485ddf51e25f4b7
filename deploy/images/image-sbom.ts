import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { lastLines, runProgram } from '../engines/processes.js';
import type { ImageContents } from './image-contents.js';
import type { ImageSpec } from './image-specs.js';

/** CycloneDX, as far as it is read or changed here. */
export interface Sbom {
  serialNumber?: string;
  metadata: { timestamp?: string; component: Record<string, unknown> };
  components: { 'bom-ref': string; [field: string]: unknown }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/** The file at the root of every image. */
export const sbomFile = 'sbom.cdx.json';

/** The bill of materials of everything in the lock file. */
export async function readSbom(root: string): Promise<Sbom> {
  const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--loglevel', 'error'];
  const { ok, stdout, output } = await runProgram('npm', args, { cwd: root });
  if (!ok) throw new Error(`npm sbom failed:\n${lastLines(output)}`);
  return JSON.parse(stdout) as Sbom;
}

interface ImageToDescribe {
  /** The built repository. */
  root: string;
  /** Of the whole repository. */
  all: Sbom;
  spec: ImageSpec;
  contents: Pick<ImageContents, 'packages' | 'bundled' | 'workspaces'>;
}

/** The bill of materials of one image: exactly its packages, and Node. The same contents give the same bytes. */
export async function sbomOfImage({ root, all, spec, contents }: ImageToDescribe): Promise<Sbom> {
  const { version } = await manifestIn('.');
  const image = `whetstone-${basename(spec.service)}@${version}`;
  const node = `node@${process.versions.node}`;
  const refs = new Set<string>();
  for (const folder of [...contents.packages, ...contents.bundled, ...contents.workspaces]) {
    const manifest = await manifestIn(folder);
    refs.add(`${manifest.name}@${manifest.version}`);
  }
  const components = all.components.filter((component) => refs.delete(component['bom-ref']));
  if (refs.size > 0) throw new Error(`package-lock.json lacks ${[...refs].join(', ')}, which ${image} contains`);
  const known = new Set(components.map((component) => component['bom-ref']));
  const { serialNumber: _, metadata, dependencies, ...rest } = all;
  const { timestamp: __, component, ...tools } = metadata;
  const names = { 'bom-ref': image, type: 'application', name: image.split('@')[0], purl: `pkg:generic/${image}` };
  return {
    ...rest,
    metadata: { ...tools, component: { ...component, ...names } },
    components: [
      { 'bom-ref': node, type: 'platform', name: 'node', version: process.versions.node, purl: `pkg:generic/${node}` },
      ...components,
    ],
    dependencies: [
      { ref: image, dependsOn: [node, ...known] },
      ...dependencies
        .filter(({ ref }) => known.has(ref))
        .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => known.has(other)) })),
    ],
  };

  async function manifestIn(folder: string): Promise<{ name: string; version: string }> {
    return JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));
  }
}

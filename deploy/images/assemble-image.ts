import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

import { imageContents } from './image-contents.js';
import { type Sbom, sbomFile, sbomOfImage } from './image-sbom.js';
import { commandLine, type ImageSpec } from './image-specs.js';

export interface AssembleOptions {
  /** The built repository. */
  root: string;
  spec: ImageSpec;
  /** Of the whole repository. */
  sbom: Sbom;
  /** Platform of the binaries. */
  machine: Machine;
  /** Target folder: one subfolder per layer, those that change least first. */
  into: string;
}

export const layers = ['packages', 'assets', 'modules'] as const;

const papers = ['LICENSE', 'NOTICE'];

/** Copies the contents of an image, at the same paths as in the repository. */
export async function assembleImage({ root, spec, sbom, machine, into }: AssembleOptions): Promise<void> {
  const contents = await imageContents(root, spec);
  const { modules, assets, workspaces, packages } = contents;
  for (const layer of layers) await mkdir(join(into, layer), { recursive: true });

  for (const folder of packages) {
    const from = join(root, folder);
    await cp(from, join(into, 'packages', folder), {
      recursive: true,
      dereference: true,
      // Nested packages are listed on their own if they are needed.
      filter: (path) => isNeededAtRunTime(relative(from, path), machine),
    });
  }
  for (const asset of assets) await copy(asset, 'assets');
  for (const file of [...modules, ...papers, 'package.json']) await copy(file, 'modules');
  for (const workspace of workspaces) {
    const manifest = join(workspace, 'package.json');
    await copy(manifest, 'modules');
    const { name } = JSON.parse(await readFile(join(root, manifest), 'utf8')) as { name: string };
    await link(join('node_modules', name), workspace);
  }
  await link(join('bin', 'whetstone'), commandLine);
  const itsSbom = await sbomOfImage({ root, all: sbom, spec, contents });
  await writeFile(join(into, 'modules', sbomFile), `${JSON.stringify(itsSbom, null, 2)}\n`);

  async function copy(path: string, layer: (typeof layers)[number]): Promise<void> {
    await cp(join(root, path), join(into, layer, path), { recursive: true });
  }

  async function link(path: string, to: string): Promise<void> {
    const place = join(into, 'modules', path);
    await mkdir(dirname(place), { recursive: true });
    await symlink(relative(dirname(path), to), place);
  }
}

/** As Node names them. */
export interface Machine {
  platform: NodeJS.Platform;
  architecture: NodeJS.Architecture;
}

const platformFolder = /(?:^|\/)(aix|android|darwin|freebsd|linux|openharmony|win32)[-/](\w+)(?=\/|$)/;
/** Types, sources, source maps and build files. */
const source = /\.(?:[cm]?ts|map|tsbuildinfo|c|cc|cpp|h|hpp|gyp|gypi)$/;
/** The images have glibc. */
const foreignLibrary = /\.musl\.node$/;

/** @param path of a file or folder, relative to its package */
export function isNeededAtRunTime(path: string, { platform, architecture }: Machine): boolean {
  if (path === 'node_modules' || source.test(path) || foreignLibrary.test(path)) return false;
  const [folder, itsPlatform, itsArchitecture] = platformFolder.exec(path) ?? [];
  return folder === undefined || (itsPlatform === platform && itsArchitecture === architecture);
}

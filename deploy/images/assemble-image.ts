import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

import { imageContents } from './image-contents.js';
import { commandLine, type ImageSpec } from './image-specs.js';

export interface AssembleOptions {
  /** Of the repository, built. */
  root: string;
  spec: ImageSpec;
  /** What its binaries are for. */
  machine: Machine;
  /** Where it is put. The three folders in it are laid over one another, those that change least first. */
  into: string;
}

export const layers = ['packages', 'assets', 'modules'] as const;

/** Files that go with every copy. */
const papers = ['LICENSE', 'NOTICE'];

/** Brings together what an image has, at the paths that it has in the repository. */
export async function assembleImage({ root, spec, machine, into }: AssembleOptions): Promise<void> {
  const { modules, assets, workspaces, packages } = await imageContents(root, spec);
  for (const layer of layers) await mkdir(join(into, layer), { recursive: true });

  for (const folder of packages) {
    const from = join(root, folder);
    await cp(from, join(into, 'packages', folder), {
      recursive: true,
      dereference: true,
      // Packages within a package are packages of their own, and needed or not.
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
/** Types, sources and maps of what is there compiled, and what builds it. */
const source = /\.(?:[cm]?ts|map|tsbuildinfo|c|cc|cpp|h|hpp|gyp|gypi)$/;
/** Binaries for the other C library; the images have glibc. */
const foreignLibrary = /\.musl\.node$/;

/** Whether a file or folder of a package, by its path in there, is of use to a process on this machine. */
export function isNeededAtRunTime(path: string, { platform, architecture }: Machine): boolean {
  if (path === 'node_modules' || source.test(path) || foreignLibrary.test(path)) return false;
  const [folder, itsPlatform, itsArchitecture] = platformFolder.exec(path) ?? [];
  return folder === undefined || (itsPlatform === platform && itsArchitecture === architecture);
}

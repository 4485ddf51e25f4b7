import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { commandLine, type ImageSpec, mainOf } from './image-specs.js';
import { traceModules } from './trace-modules.js';

/** Contents of an image, as paths from the root of the repository. */
export interface ImageContents {
  modules: Set<string>;
  assets: Set<string>;
  /** Workspaces that the modules belong to. */
  workspaces: Set<string>;
  /** Folders of third-party packages. */
  packages: Set<string>;
  /** Folders of third-party packages that are inside built files. */
  bundled: Set<string>;
  /** Modules of the command line that the image lacks. */
  leftOut: Set<string>;
}

/** Its built pages hold its dependencies. */
const bundler = 'packages/console';

/** Exactly what the service and the command line reach. */
export async function imageContents(root: string, spec: ImageSpec): Promise<ImageContents> {
  const service = await traceModules({ root, entries: [mainOf(spec)], without: [] });
  const command = await traceModules({ root, entries: [commandLine], without: spec.commandWithout });
  const modules = new Set([...service.modules, ...command.modules]);
  const workspaces = new Set([...modules].map((module) => module.split('/').slice(0, 2).join('/')));
  return {
    modules,
    // A program that starts itself names one of its modules.
    assets: new Set([...service.assets, ...command.assets].filter((asset) => !modules.has(asset))),
    workspaces,
    bundled: workspaces.has(bundler) ? await dependenciesOf(root, bundler) : new Set(),
    packages: new Set([
      ...(await findPackages(root, service.packages)),
      ...(await findPackages(root, command.packages)),
    ]),
    leftOut: command.leftOut,
  };
}

async function dependenciesOf(root: string, workspace: string): Promise<Set<string>> {
  const { dependencies = {} } = JSON.parse(await readFile(join(root, workspace, 'package.json'), 'utf8')) as Manifest;
  return findPackages(root, new Map(Object.keys(dependencies).map((name) => [name, new Set([workspace])])));
}

interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

/**
 * The folders of these packages and all their dependencies, resolved as Node does. Optional peers are left to whoever imports
 * them.
 */
export async function findPackages(
  root: string,
  wanted: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<Set<string>> {
  const folders = new Set<string>();
  for (const [name, importers] of wanted) {
    for (const from of importers) await add(name, from, true);
  }
  return folders;

  async function add(name: string, from: string, needed: boolean): Promise<void> {
    if (name.startsWith('@types/')) return;
    const folder = await find(name, from);
    if (folder === undefined) {
      if (needed) throw new Error(`The package ${name}, which ${from} needs, is not installed`);
      return;
    }
    if (folders.has(folder)) return;
    folders.add(folder);
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
      (await manifestIn(folder)) ?? {};
    for (const next of Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies })) {
      if (peerDependenciesMeta?.[next]?.optional && !dependencies?.[next]) continue;
      await add(next, folder, optionalDependencies?.[next] === undefined);
    }
  }

  async function find(name: string, from: string): Promise<string | undefined> {
    for (let folder = from; ; folder = dirname(folder)) {
      const candidate = join(folder, 'node_modules', name);
      if (await manifestIn(candidate)) return candidate;
      if (folder === '.') return undefined;
    }
  }

  async function manifestIn(folder: string): Promise<Manifest | undefined> {
    try {
      return JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8')) as Manifest;
    } catch (error) {
      if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
      throw error;
    }
  }
}

import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

/**
 * The folders, from the root, of these packages and of everything that they depend on in turn, found as Node finds them. Peers
 * that are optional are whoever's that imports them.
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

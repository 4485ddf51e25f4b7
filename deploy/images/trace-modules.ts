import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';

export interface TraceOptions {
  /** Of the repository, built. */
  root: string;
  /** From there. */
  entries: readonly string[];
  /** Imports that are not followed, nor whatever is loaded on demand and cannot do without them. */
  without: readonly string[];
}

/** All paths are from the root. */
export interface Traced {
  /** Modules of our own. */
  modules: Set<string>;
  /** Other files and folders that they use. */
  assets: Set<string>;
  /** Packages of others that they import, each with the folders that do. */
  packages: Map<string, Set<string>>;
  /** Modules that are loaded on demand and left out. */
  leftOut: Set<string>;
}

const ownScope = '@whetstone/';

/** Follows the imports of our own modules from the entries on, as Node would. */
export async function traceModules({ root, entries, without }: TraceOptions): Promise<Traced> {
  const traced: Traced = { modules: new Set(), assets: new Set(), packages: new Map(), leftOut: new Set() };
  const known = new Map<string, Promise<ModuleNeeds>>();
  for (const entry of entries) await include(entry);
  return traced;

  async function include(module: string): Promise<void> {
    if (traced.modules.has(module)) return;
    traced.modules.add(module);
    const needs = await read(module);
    for (const name of needs.imports) {
      if (without.includes(name)) throw new Error(`${module} imports ${name} at once, which was to be left out`);
      const target = locate(module, name);
      if (target !== undefined) await include(target);
    }
    for (const name of needs.importsOnDemand) {
      const target = without.includes(name) ? name : locate(module, name);
      if (target === undefined) continue;
      if (await cannotDoWithout(name, target)) traced.leftOut.add(target);
      else await include(target);
    }
    for (const path of needs.files) {
      const target = relative(root, resolve(root, dirname(module), path));
      if (target.endsWith('.js')) await include(target);
      else traced.assets.add(target);
    }
  }

  /** Whether it imports, at once, something that is to be left out. */
  async function cannotDoWithout(name: string, module: string, seen = new Set<string>()): Promise<boolean> {
    if (without.includes(name)) return true;
    if (seen.has(module)) return false;
    seen.add(module);
    for (const next of (await read(module)).imports) {
      if (without.includes(next)) return true;
      const target = locate(module, next, false);
      if (target !== undefined && (await cannotDoWithout(next, target, seen))) return true;
    }
    return false;
  }

  /** The module of our own that is meant; of others' packages it takes note. */
  function locate(from: string, name: string, note = true): string | undefined {
    if (name.startsWith('node:')) return undefined;
    if (name.startsWith('.')) return join(dirname(from), name);
    if (name.startsWith(ownScope)) return relative(root, createRequire(join(root, from)).resolve(name));
    if (note) {
      const importers = traced.packages.get(packageOf(name)) ?? new Set();
      traced.packages.set(packageOf(name), importers.add(dirname(from)));
    }
    return undefined;
  }

  function read(module: string): Promise<ModuleNeeds> {
    const reading = known.get(module) ?? readFile(join(root, module), 'utf8').then((text) => needsOf(text, module));
    known.set(module, reading);
    return reading;
  }
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** What a compiled module names that has to be there when it runs, as it is written. */
export interface ModuleNeeds {
  imports: string[];
  /** Loaded later, if at all. */
  importsOnDemand: string[];
  /** Files and folders beside the module: scripts of workers, models, protocols. */
  files: string[];
}

/** Where it begins a line, so that none is seen inside of a text. */
const comment = /^\s*(?:\/\*[\s\S]*?\*\/|\/\/.*$)/gm;
const staticImport = /^(?:import|export)\b(?:[^;'"]*\bfrom)?\s*['"]([^'"]+)['"]/gm;
const dynamicImport = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;
const required = /\bcreateRequire\(import\.meta\.url\)(?:\.resolve)?\(\s*['"]([^'"]+)['"]\s*\)/g;
const fileBeside = /\bnew URL\(\s*(?:'([^']+)'|`([^`]+)`),\s*import\.meta\.url\)/g;

/**
 * Reads what the compiler wrote, whose imports begin lines. Throws on an import or a use of `import.meta` that does not say
 * what it is about: an image would lack it, and nobody would know before it ran.
 */
export function needsOf(source: string, name: string): ModuleNeeds {
  const code = source.replaceAll(comment, '');
  const importsOnDemand = found(code, dynamicImport);
  const requires = found(code, required);
  const files = found(code, fileBeside).map(unchangingPart);
  if (count(code, /\bimport\(/g) !== importsOnDemand.length) throw unclear(name, 'import(…)');
  if (count(code, /\bimport\.meta\b/g) !== requires.length + files.length) throw unclear(name, 'import.meta');
  return { imports: [...found(code, staticImport), ...requires], importsOnDemand, files };
}

/** A path with a variable in it stands for the folder before that. */
function unchangingPart(path: string): string {
  const [fixed = ''] = path.split('${');
  return fixed === path ? path : fixed.slice(0, fixed.lastIndexOf('/') + 1);
}

function found(code: string, pattern: RegExp): string[] {
  return [...code.matchAll(pattern)].map(([, one, other]) => one ?? other ?? '');
}

function count(code: string, pattern: RegExp): number {
  return [...code.matchAll(pattern)].length;
}

function unclear(name: string, what: string): Error {
  return new Error(`${name} uses ${what} in a way that does not tell what an image needs; write it out in one piece`);
}

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';

export interface TraceOptions {
  /** The built repository. */
  root: string;
  /** Relative to the root. */
  entries: readonly string[];
  /** Imports to skip, together with every dynamically imported module that needs one. */
  without: readonly string[];
}

/** Paths are relative to the root. */
export interface Traced {
  /** Our own modules. */
  modules: Set<string>;
  /** Other files and folders they use. */
  assets: Set<string>;
  /** Third-party packages they import, each with the folders of the importers. */
  packages: Map<string, Set<string>>;
  /** Dynamically imported modules that were skipped. */
  leftOut: Set<string>;
}

const ownScope = '@whetstone/';

/** Follows the imports of our own modules, as Node would. */
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
      if (without.includes(name)) throw new Error(`${module} statically imports ${name}, which the image leaves out`);
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

  /** Whether it statically imports something to skip. */
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

  /** Our own module; undefined for third-party packages, which it records. */
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

/** What a compiled module needs at run time, as written in its source. */
export interface ModuleNeeds {
  imports: string[];
  /** Dynamic imports. */
  importsOnDemand: string[];
  /** Files and folders beside the module: worker scripts, models, protos. */
  files: string[];
}

/** Only at the start of a line, so that strings are left alone. */
const comment = /^\s*(?:\/\*[\s\S]*?\*\/|\/\/.*$)/gm;
const staticImport = /^(?:import|export)\b(?:[^;'"]*\bfrom)?\s*['"]([^'"]+)['"]/gm;
const dynamicImport = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;
const required = /\bcreateRequire\(import\.meta\.url\)(?:\.resolve)?\(\s*['"]([^'"]+)['"]\s*\)/g;
const fileBeside = /\bnew URL\(\s*(?:'([^']+)'|`([^`]+)`),\s*import\.meta\.url\)/g;

/**
 * Reads compiler output, whose imports start lines. Throws on an import or a use of `import.meta` that it cannot resolve:
 * otherwise the image would lack a file, and nobody would know before it ran.
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

/** A path with a variable stands for its folder. */
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
  return new Error(`${name} uses ${what} in a way that the image tracer cannot resolve; use a literal path`);
}

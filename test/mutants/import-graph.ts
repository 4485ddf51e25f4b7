import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** `from './x.js'`, `import './x.js'`, `import('./x.js')`, and entry points of workers and child processes. */
const specifiers = /(?:from|import|import\()\s*['"](\.{1,2}\/[^'"]+)['"]|new URL\(\s*['"](\.{1,2}\/[^'"]+\.js)['"]/g;

/** All modules under a folder. */
export function modulesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.js'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** The test files that reach a module, fewest imports first. */
export function createTestFinder(folder: string): (file: string) => string[] {
  const importers = new Map<string, string[]>();
  for (const module of modulesIn(folder)) {
    for (const [, imported, started] of readFileSync(module, 'utf8').matchAll(specifiers)) {
      const file = resolve(dirname(module), (imported ?? started) as string);
      importers.set(file, [...(importers.get(file) ?? []), module]);
    }
  }
  return (file) => {
    const seen = new Set([file]);
    for (const module of seen) for (const importer of importers.get(module) ?? []) seen.add(importer);
    return [...seen].filter((module) => module.endsWith('.test.js'));
  };
}

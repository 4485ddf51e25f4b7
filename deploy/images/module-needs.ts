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

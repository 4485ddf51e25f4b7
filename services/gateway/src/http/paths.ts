import { type OperationId, problem, routes } from '@whetstone/contracts';
import { invalid } from './refusals.js';

/** What Express matches. Without capture groups, which it would decode and reject by itself. */
export function patternOf(template: string): string | RegExp {
  if (!template.includes('{')) return template;
  return new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`);
}

/** Finds the template of a path, without running what answers it. */
export function createTemplateOf(templates: readonly string[]): (url: string) => string | undefined {
  const patterns = templates.map((template) => ({ template, pattern: patternOf(template) }));
  return (url) => {
    const [path = ''] = url.split(/[?#]/, 1);
    const found = patterns.find(({ pattern }) => (typeof pattern === 'string' ? pattern === path : pattern.test(path)));
    return found?.template;
  };
}

/** The part of a path that the operation's template names, decoded. Throws a Refusal with 422. */
export function pathParameter(path: string, id: OperationId, name: string): string {
  return partOf(path, routes[id].path, name);
}

/** The part of a path that a template names, decoded. Throws a Refusal with 422. */
export function partOf(path: string, template: string, name: string): string {
  const at = template.split('/').indexOf(`{${name}}`);
  try {
    return decodeURIComponent(path.split('/')[at] ?? '');
  } catch {
    throw invalid([problem('string_unicode', ['path', name])]);
  }
}

/** The query string, without its question mark. */
export function queryOf(url: string): string {
  const [withoutFragment = ''] = url.split('#', 1);
  const start = withoutFragment.indexOf('?');
  return start < 0 ? '' : withoutFragment.slice(start + 1);
}

import { blank, type Problem, problem, tooLong, tooShort } from './problems.js';
import { tenantIdSchema } from './requests.js';

export const absent: QueryParameter = { isRepeated: false, isUnreadable: false };

export function repeated(type: 'string_type' | 'float_type' | 'bool_type' | 'int_type', loc: string[]): Problem {
  const { msg } = problem(type, loc);
  return { loc, msg: `${msg}: the parameter is given more than once`, type };
}

export interface QueryParameter {
  /** `undefined` if it cannot be decoded. */
  text?: string;
  isRepeated: boolean;
  /** Bad percent encoding, or not UTF-8. */
  isUnreadable: boolean;
}

export type QueryParameters = ReadonlyMap<string, QueryParameter>;

/** A required text; adds to `problems` what is wrong with it. */
export function readText(
  parameters: QueryParameters,
  name: 'tenant_id' | 'intent' | 'confirm',
  problems: Problem[],
): string {
  const loc = ['query', name];
  const { text, isRepeated, isUnreadable } = parameters.get(name) ?? absent;
  if (isUnreadable) problems.push(problem('string_unicode', loc));
  else if (isRepeated) problems.push(repeated('string_type', loc));
  else if (text === undefined) problems.push(problem('missing', loc));
  else if (text === '') problems.push(tooShort(loc, 1));
  else if (name === 'intent' && text.trim() === '') problems.push(blank(loc));
  else if (name === 'tenant_id' && [...text].length > tenantIdSchema.maxLength) {
    problems.push(tooLong(loc, tenantIdSchema.maxLength));
  }
  return text ?? '';
}

/** Reads the named parameters of a query string, which comes without its question mark. */
export function readQuery(query: string, names: readonly string[]): QueryParameters {
  const parameters = new Map<string, QueryParameter>();
  for (const pair of query.split('&')) {
    const end = pair.indexOf('=');
    const name = decode(end < 0 ? pair : pair.slice(0, end));
    if (name === undefined || !names.includes(name)) continue;
    const text = decode(end < 0 ? '' : pair.slice(end + 1));
    const parameter = { isRepeated: parameters.has(name), isUnreadable: text === undefined };
    parameters.set(name, text === undefined ? parameter : { ...parameter, text });
  }
  return parameters;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

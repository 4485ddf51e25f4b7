import {
  blank,
  notOneOf,
  notPrintable,
  type Problem,
  problem,
  tooGreat,
  tooLong,
  tooShort,
  tooSmall,
} from './problems.js';
import { tenantIdSchema } from './requests.js';

export const absent: QueryParameter = { isRepeated: false, isUnreadable: false };

export function repeated(type: 'string_type' | 'int_type' | 'float_type' | 'bool_type', loc: string[]): Problem {
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

/** An optional text; an empty one counts as absent. */
export function readOptionalText(
  parameters: QueryParameters,
  name: string,
  longest: number,
  problems: Problem[],
): string | undefined {
  const loc = ['query', name];
  const { text = '', isRepeated, isUnreadable } = parameters.get(name) ?? absent;
  if (isUnreadable) problems.push(problem('string_unicode', loc));
  else if (isRepeated) problems.push(repeated('string_type', loc));
  else if ([...text].length > longest) problems.push(tooLong(loc, longest));
  else if (text !== '' && text.trim() === '') problems.push(blank(loc));
  return text === '' ? undefined : text;
}

/** One of a few words. */
export function readChoice<Choice extends string>(
  parameters: QueryParameters,
  name: string,
  choices: readonly Choice[],
  problems: Problem[],
): Choice | undefined {
  const loc = ['query', name];
  const { text = '', isRepeated, isUnreadable } = parameters.get(name) ?? absent;
  const choice = choices.find((one) => one === text);
  if (isRepeated) problems.push(repeated('string_type', loc));
  else if (isUnreadable || (!choice && text !== '')) problems.push(notOneOf(loc, choices));
  return choice;
}

export function readInteger(
  parameters: QueryParameters,
  name: string,
  { least, most, usual }: { least: number; most: number; usual: number },
  problems: Problem[],
): number {
  const loc = ['query', name];
  const { text = '', isRepeated, isUnreadable } = parameters.get(name) ?? absent;
  if (isRepeated) problems.push(repeated('int_type', loc));
  else if (!isUnreadable && text === '') return usual;
  else if (isUnreadable || !/^\s*[+-]?\d+\s*$/.test(text)) problems.push(problem('int_parsing', loc));
  else if (Number(text) < least) problems.push(tooSmall(loc, least));
  else if (Number(text) > most) problems.push(tooGreat(loc, most));
  return Number(text);
}

export const pageLimits = { least: 1, most: 200, usual: 50 };
const longestCursor = 2000;

/** Of operations that answer in pages. */
export const pageParameters = {
  limit: {
    type: 'integer',
    minimum: pageLimits.least,
    maximum: pageLimits.most,
    default: pageLimits.usual,
    description: 'How many on a page.',
  },
  cursor: { type: 'string', maxLength: longestCursor, description: 'The `next_cursor` of the previous page.' },
} as const;

export interface Page {
  limit: number;
  cursor?: string;
}

export function readPage(parameters: QueryParameters, problems: Problem[]): Page {
  const cursor = readOptionalText(parameters, 'cursor', longestCursor, problems);
  const limit = readInteger(parameters, 'limit', pageLimits, problems);
  if (cursor !== undefined && !/^[\x20-\x7e]+$/.test(cursor)) problems.push(notPrintable(['query', 'cursor']));
  return { limit, ...(cursor === undefined ? {} : { cursor }) };
}

export const noSuchCursor: Problem = {
  loc: ['query', 'cursor'],
  msg: 'Input should be the cursor of a previous page',
  type: 'value_error',
};

const yes = new Set(['1', 'true', 't', 'yes', 'y', 'on']);
const no = new Set(['0', 'false', 'f', 'no', 'n', 'off']);

/** `undefined` if it is absent or empty. */
export function readOptionalFlag(parameters: QueryParameters, name: string, problems: Problem[]): boolean | undefined {
  const { text, isUnreadable } = parameters.get(name) ?? absent;
  return !isUnreadable && (text ?? '') === '' ? undefined : readFlag(parameters, name, problems);
}

export function readFlag(parameters: QueryParameters, name: string, problems: Problem[]): boolean {
  const loc = ['query', name];
  const { text = 'false', isRepeated, isUnreadable } = parameters.get(name) ?? absent;
  const word = text.toLowerCase();
  if (isRepeated) problems.push(repeated('bool_type', loc));
  else if (isUnreadable || !(yes.has(word) || no.has(word))) problems.push(problem('bool_parsing', loc));
  return yes.has(word);
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

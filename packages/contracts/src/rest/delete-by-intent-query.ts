import type { Checked } from './body-checks.js';
import { blank, type Problem, problem, tooGreat, tooLong, tooShort, tooSmall } from './problems.js';
import { tenantIdSchema } from './requests.js';

const defaultSimilarityThreshold = 0.5;

export const deleteByIntentParameters = {
  tenant_id: tenantIdSchema,
  intent: {
    type: 'string',
    pattern: '\\S',
    description: 'The kind of task to forget, in any words. At least one non-blank character.',
  },
  similarity_threshold: {
    type: ['number', 'null'],
    minimum: 0,
    maximum: 1,
    default: defaultSimilarityThreshold,
    description:
      'Deletes insights whose intent has at least this cosine similarity. 0.5 covers a whole neighbourhood of tasks, 0.8 ' +
      'about one task. Empty or `null` means the default.',
  },
  dry_run: {
    type: 'boolean',
    default: false,
    description: 'Only count and list what would be deleted; delete nothing.',
  },
} as const;

export interface DeleteByIntentQuery {
  tenantId: string;
  intent: string;
  similarityThreshold: number;
  dryRun: boolean;
}

const names = Object.keys(deleteByIntentParameters);
const number = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;
const notFinite = /^\s*[+-]?(?:nan|inf|infinity)\s*$/i;
const yes = new Set(['1', 'true', 't', 'yes', 'y', 'on']);
const no = new Set(['0', 'false', 'f', 'no', 'n', 'off']);

/** Each parameter may be given once; unknown ones are ignored. */
export function readDeleteByIntentQuery(query: string): Checked<DeleteByIntentQuery> {
  const parameters = readQuery(query, names);
  const problems: Problem[] = [];
  const tenantId = readText('tenant_id');
  const intent = readText('intent');
  const similarityThreshold = readThreshold();
  const dryRun = readFlag();
  return problems.length > 0 ? { problems } : { body: { tenantId, intent, similarityThreshold, dryRun } };

  function readText(name: 'tenant_id' | 'intent'): string {
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

  function readThreshold(): number {
    const loc = ['query', 'similarity_threshold'];
    const { text = '', isRepeated, isUnreadable } = parameters.get('similarity_threshold') ?? absent;
    if (isRepeated) problems.push(repeated('float_type', loc));
    else if (!isUnreadable && (text === '' || text === 'null')) return defaultSimilarityThreshold;
    else if (notFinite.test(text)) problems.push(problem('finite_number', loc));
    else if (isUnreadable || !number.test(text)) problems.push(problem('float_parsing', loc));
    else if (Number(text) < 0) problems.push(tooSmall(loc, 0));
    else if (Number(text) > 1) problems.push(tooGreat(loc, 1));
    return Number(text);
  }

  function readFlag(): boolean {
    const loc = ['query', 'dry_run'];
    const { text = 'false', isRepeated, isUnreadable } = parameters.get('dry_run') ?? absent;
    if (isRepeated) problems.push(repeated('bool_type', loc));
    else if (isUnreadable || !(yes.has(text.toLowerCase()) || no.has(text.toLowerCase()))) {
      problems.push(problem('bool_parsing', loc));
    }
    return yes.has(text.toLowerCase());
  }
}

const absent: QueryParameter = { isRepeated: false, isUnreadable: false };

function repeated(type: 'string_type' | 'float_type' | 'bool_type', loc: string[]): Problem {
  const { msg } = problem(type, loc);
  return { loc, msg: `${msg}: the parameter is given more than once`, type };
}

interface QueryParameter {
  /** `undefined` if it cannot be decoded. */
  text?: string;
  isRepeated: boolean;
  /** Bad percent encoding, or not UTF-8. */
  isUnreadable: boolean;
}

/** Reads the named parameters of a query string, which comes without its question mark. */
function readQuery(query: string, names: readonly string[]): Map<string, QueryParameter> {
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

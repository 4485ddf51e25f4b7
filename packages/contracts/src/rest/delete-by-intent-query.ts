import type { Checked } from './body-checks.js';
import { type Problem, problem, tooGreat, tooSmall } from './problems.js';
import { absent, readFlag, readQuery, readText, repeated } from './query-parameters.js';
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
      'about one task. 0 is not everything: a cosine can be negative, so the most unlike insights stay; `DELETE ' +
      '/collections` erases all. Empty or `null` means the default.',
  },
  dry_run: {
    type: 'boolean',
    default: false,
    description: 'Only count and list what would be deleted, and count what would stay; delete nothing.',
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

/** Each parameter may be given once; unknown ones are ignored. */
export function readDeleteByIntentQuery(query: string): Checked<DeleteByIntentQuery> {
  const parameters = readQuery(query, names);
  const problems: Problem[] = [];
  const tenantId = readText(parameters, 'tenant_id', problems);
  const intent = readText(parameters, 'intent', problems);
  const similarityThreshold = readThreshold();
  const dryRun = readFlag(parameters, 'dry_run', problems);
  return problems.length > 0 ? { problems } : { body: { tenantId, intent, similarityThreshold, dryRun } };

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
}

import type { Checked } from './body-checks.js';
import type { Problem } from './problems.js';
import { readQuery, readText } from './query-parameters.js';
import { tenantIdSchema } from './requests.js';

export const eraseCollectionParameters = {
  tenant_id: tenantIdSchema,
  confirm: { type: 'string', minLength: 1, maxLength: 512, description: 'Repeats the `tenant_id`.' },
} as const;

export interface EraseCollectionQuery {
  tenantId: string;
}

const names = Object.keys(eraseCollectionParameters);
/** Of a deletion by intent: whoever sends them expects less to be deleted than everything. */
const narrowing = ['intent', 'similarity_threshold', 'dry_run'];

/** Each parameter must be given once; unknown ones are ignored, except those that would narrow a deletion. */
export function readEraseCollectionQuery(query: string): Checked<EraseCollectionQuery> {
  const parameters = readQuery(query, [...names, ...narrowing]);
  const problems: Problem[] = [];
  const tenantId = readText(parameters, 'tenant_id', problems);
  const confirm = readText(parameters, 'confirm', problems);
  for (const name of narrowing) if (parameters.has(name)) problems.push(notAccepted(name));
  if (problems.length === 0 && confirm !== tenantId) problems.push(unconfirmed);
  return problems.length > 0 ? { problems } : { body: { tenantId } };
}

export const unconfirmed: Problem = {
  loc: ['query', 'confirm'],
  msg: 'Input should repeat the tenant_id',
  type: 'value_error',
};

function notAccepted(name: string): Problem {
  const msg = 'Extra inputs are not permitted: this erases the whole collection';
  return { loc: ['query', name], msg, type: 'extra_forbidden' };
}

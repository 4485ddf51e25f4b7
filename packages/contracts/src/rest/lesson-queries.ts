import type { InsightKind } from '../messages/insight.js';
import { type LessonSort, type LessonState, lessonSorts } from '../messages/lessons.js';
import type { Checked } from './body-checks.js';
import { insightKinds, lessonStates } from './lessons.js';
import type { Problem } from './problems.js';
import { pageParameters, readChoice, readOptionalText, readPage, readQuery, readText } from './query-parameters.js';
import { tenantIdSchema } from './requests.js';

const longestText = 2000;
/** Empty, or not blank. */
const optionalText = { type: 'string', maxLength: longestText, pattern: '^$|\\S' } as const;

export const tenantParameters = { tenant_id: tenantIdSchema } as const;

export const listLessonsParameters = {
  tenant_id: tenantIdSchema,
  q: {
    ...optionalText,
    description: 'A task or some words: lists what `enhance_task` would search, the most relevant first.',
  },
  kind: { type: 'string', enum: insightKinds, description: 'Only lessons of this kind.' },
  state: { type: 'string', enum: lessonStates, description: 'Only lessons in this state.' },
  agent_type: { ...optionalText, description: 'Only lessons for this kind of agent.' },
  sort: {
    type: 'string',
    enum: lessonSorts,
    description:
      '`recent`: learnt last, the default. `support`: most runs. `harm`: most often told to runs that failed. ' +
      '`relevance`: nearest to `q`, and the only one with `q`.',
  },
  limit: pageParameters.limit,
  cursor: { ...pageParameters.cursor, description: 'The `cursor` of the previous page.' },
} as const;

export interface ListLessonsQuery {
  tenantId: string;
  query?: string;
  kind?: InsightKind;
  state?: LessonState;
  agentType?: string;
  sort: LessonSort;
  limit: number;
  cursor?: string;
}

/** Each parameter may be given once; empty and unknown ones are ignored. */
export function readListLessonsQuery(query: string): Checked<ListLessonsQuery> {
  const parameters = readQuery(query, Object.keys(listLessonsParameters));
  const problems: Problem[] = [];
  const text = (name: string) => readOptionalText(parameters, name, longestText, problems);
  const tenantId = readText(parameters, 'tenant_id', problems);
  const [q, agentType] = [text('q'), text('agent_type')];
  const kind = readChoice(parameters, 'kind', insightKinds, problems);
  const state = readChoice(parameters, 'state', lessonStates, problems);
  const sort = readChoice(parameters, 'sort', lessonSorts, problems);
  const page = readPage(parameters, problems);
  if (sort && (sort === 'relevance') !== (q !== undefined)) problems.push(q === undefined ? noQuery : onlyRelevance);
  if (problems.length > 0) return { problems };
  return {
    body: {
      tenantId,
      sort: sort ?? (q === undefined ? 'recent' : 'relevance'),
      ...page,
      ...(q === undefined ? {} : { query: q }),
      ...(kind && { kind }),
      ...(state && { state }),
      ...(agentType === undefined ? {} : { agentType }),
    },
  };
}

export const noQuery: Problem = {
  loc: ['query', 'sort'],
  msg: "Input should not be 'relevance' without q",
  type: 'value_error',
};

export const onlyRelevance: Problem = {
  loc: ['query', 'sort'],
  msg: "Input should be 'relevance' with q",
  type: 'value_error',
};

/** Of operations whose only parameter is the collection. */
export function readTenantQuery(query: string): Checked<{ tenantId: string }> {
  const problems: Problem[] = [];
  const tenantId = readText(readQuery(query, ['tenant_id']), 'tenant_id', problems);
  return problems.length > 0 ? { problems } : { body: { tenantId } };
}

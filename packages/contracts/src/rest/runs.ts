import type { FromSchema } from 'json-schema-to-ts';
import type { JobStatus } from '../messages/events.js';
import type { Checked } from './body-checks.js';
import type { Problem } from './problems.js';
import {
  type Page,
  pageParameters,
  readChoice,
  readOptionalFlag,
  readPage,
  readQuery,
  readText,
} from './query-parameters.js';
import { tenantIdSchema } from './requests.js';
import { momentSchema } from './responses.js';

const statuses = ['processing', 'completed', 'failed'] as const satisfies readonly JobStatus[];

export const listRunsParameters = {
  tenant_id: tenantIdSchema,
  status: { type: 'string', enum: statuses, description: 'Only runs whose job has this status.' },
  success: { type: 'boolean', description: 'Only runs reported as successful (`true`) or unsuccessful (`false`).' },
  ...pageParameters,
} as const;

export interface ListRunsQuery extends Page {
  tenantId: string;
  status?: JobStatus;
  success?: boolean;
}

/** Each parameter may be given once; empty and unknown ones are ignored. */
export function readListRunsQuery(query: string): Checked<ListRunsQuery> {
  const parameters = readQuery(query, Object.keys(listRunsParameters));
  const problems: Problem[] = [];
  const tenantId = readText(parameters, 'tenant_id', problems);
  const status = readChoice(parameters, 'status', statuses, problems);
  const success = readOptionalFlag(parameters, 'success', problems);
  const page = readPage(parameters, problems);
  if (problems.length > 0) return { problems };
  return { body: { tenantId, ...page, ...(status && { status }), ...(success === undefined ? {} : { success }) } };
}

const optionalText = { type: ['string', 'null'] } as const;

const runFields = {
  job_id: { type: 'string' },
  accepted_at: {
    type: ['string', 'null'],
    pattern: momentSchema.pattern,
    description: 'UTC. Null for a job with an `Idempotency-Key` that has not started.',
  },
  status: { type: 'string', enum: statuses },
  query: {
    ...optionalText,
    description:
      'The task, or its first 1,000 characters. Null until the job ends, if the run was deleted, and for uploads that were ' +
      'not encrypted.',
  },
  agent_type: optionalText,
  success: { type: ['boolean', 'null'], description: 'As reported by the caller; null if not reported.' },
} as const;

const always = ['job_id', 'accepted_at', 'status', 'query', 'agent_type', 'success', 'lessons'] as const;

const runSchema = {
  title: 'Run',
  description: 'An upload and what came of it.',
  type: 'object',
  required: always,
  properties: {
    ...runFields,
    lessons: { type: 'integer', minimum: 0, description: 'How many lessons were learnt from it.' },
  },
} as const;

export const nextCursorSchema = {
  type: ['string', 'null'],
  description: 'Send it as `cursor` to get the next page. Null on the last one.',
} as const;

export const runListSchema = {
  title: 'RunList',
  type: 'object',
  required: ['runs', 'next_cursor'],
  properties: { runs: { type: 'array', items: runSchema }, next_cursor: nextCursorSchema },
} as const;

export const runDetailsSchema = {
  title: 'RunDetails',
  type: 'object',
  required: [...always, 'timeline', 'trail', 'reason'],
  properties: {
    ...runFields,
    timeline: {
      type: 'array',
      items: {
        type: 'object',
        required: ['event', 'at'],
        properties: {
          event: {
            type: 'string',
            enum: ['accepted', 'started', 'learnt', 'stored', 'nothing_learnt', 'deleted', 'failed'],
          },
          at: momentSchema,
        },
      },
    },
    trail: {
      type: 'array',
      description: 'What the agent did; of a long run the first and the last actions.',
      items: {
        type: 'object',
        required: ['action', 'outcome'],
        properties: { action: { type: 'string' }, outcome: { type: 'string', enum: ['ok', 'failed', 'unknown'] } },
      },
    },
    lessons: {
      type: 'array',
      description: 'Those of its lessons that still exist, with their present titles.',
      items: {
        type: 'object',
        required: ['id', 'title'],
        properties: { id: { type: 'string' }, title: { type: 'string' } },
      },
    },
    reason: {
      ...optionalText,
      description: 'Why nothing was learnt, why the job failed, or why its details are hidden.',
    },
  },
} as const;

export type RunAnswer = FromSchema<typeof runSchema>;
export type RunList = FromSchema<typeof runListSchema>;
export type RunDetails = FromSchema<typeof runDetailsSchema>;

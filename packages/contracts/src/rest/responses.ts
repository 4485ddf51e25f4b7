import type { FromSchema } from 'json-schema-to-ts';
import { maxProblems } from './problems.js';

export const serviceStatusSchema = {
  title: 'ServiceStatus',
  type: 'object',
  required: ['status', 'service', 'version'],
  properties: { status: { type: 'string', const: 'ok' }, service: { type: 'string' }, version: { type: 'string' } },
} as const;

export type ServiceStatus = FromSchema<typeof serviceStatusSchema>;

export const recommendationSchema = {
  title: 'Recommendation',
  description: 'A lesson of past runs, or several that agree.',
  type: 'object',
  required: ['id', 'kind', 'title', 'text', 'similarity', 'support', 'source_job_ids'],
  properties: {
    id: { type: 'string' },
    kind: { type: 'string', enum: ['strategy', 'pitfall', 'recovery'] },
    title: { type: 'string' },
    text: { type: 'string', description: 'As it stands in the response, example included.' },
    similarity: { type: 'number', description: 'Of its task to the one asked about.' },
    support: { type: 'integer', minimum: 1, description: 'Distinct runs that agree.' },
    source_job_ids: { type: 'array', items: { type: 'string' } },
  },
} as const;

export const enhancedResponseSchema = {
  title: 'EnhancedResponse',
  type: 'object',
  required: ['response', 'metadata'],
  properties: {
    response: {
      type: 'string',
      description:
        'Ready to be handed to the agent in place of its input: the input, whole and first, then the recommendations. ' +
        'The input alone when there is nothing to say.',
    },
    metadata: {
      type: 'object',
      required: ['confidence_score', 'agent_type', 'enhancement_id', 'recommendations'],
      properties: {
        confidence_score: { type: 'number', minimum: 0, maximum: 1 },
        agent_type: { type: ['string', 'null'], description: 'As sent.' },
        enhancement_id: {
          type: 'string',
          description: 'To cite in `metadata.enhancement_id` of the upload that tells how it went.',
        },
        recommendations: { type: 'array', items: recommendationSchema },
        holdout: {
          const: true,
          description:
            'Present where the input was handed back unchanged although there was something to recommend, to measure what ' +
            'recommendations are worth. Cite the `enhancement_id` all the same.',
        },
      },
    },
  },
} as const;

export type EnhancedResponse = FromSchema<typeof enhancedResponseSchema>;

export const storeAcknowledgementSchema = {
  title: 'Acknowledgement',
  description: 'The upload is durable, and its job exists.',
  type: 'object',
  required: ['status', 'message', 'tenant_id', 'job_id'],
  properties: {
    status: { type: 'string', const: 'accepted' },
    message: { type: 'string' },
    tenant_id: { type: 'string', description: 'As sent.' },
    job_id: { type: 'string' },
  },
} as const;

export type StoreAcknowledgement = FromSchema<typeof storeAcknowledgementSchema>;

/** How job records print moments: UTC, six fractional digits, no zone. */
export const momentSchema = {
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}$',
  description: 'UTC, six fractional digits, no zone.',
} as const;

const common = {
  message: { type: 'string', description: 'For people. Says why there was nothing to learn, where that is known.' },
  job_id: { type: 'string' },
  created_at: momentSchema,
  started_at: momentSchema,
} as const;

export const processingJobSchema = {
  title: 'ProcessingJob',
  description: 'Accepted and not ended yet. Ask again after the seconds of Retry-After.',
  type: 'object',
  required: ['status', 'message', 'job_id'],
  properties: { status: { type: 'string', const: 'processing' }, ...common },
} as const;

export const completedJobSchema = {
  title: 'CompletedJob',
  type: 'object',
  required: ['status', 'message', 'job_id', 'created_at', 'completed_at', 'insights_stored', 'outcome'],
  properties: {
    status: { type: 'string', const: 'completed' },
    ...common,
    completed_at: momentSchema,
    insights_stored: { type: 'integer', minimum: 0 },
    outcome: { type: 'string', enum: ['stored', 'nothing_to_learn', 'deleted'] },
  },
} as const;

export const failedJobSchema = {
  title: 'FailedJob',
  description: 'Also carries a copy of itself under the key `<job_id>`.',
  type: 'object',
  required: ['status', 'message', 'job_id', 'failed_at', 'error_message', 'note'],
  properties: {
    status: { type: 'string', const: 'failed' },
    ...common,
    failed_at: momentSchema,
    error_message: {
      type: 'string',
      contentEncoding: 'base64',
      description: 'Sealed: only the operators of the service can read it.',
    },
    note: { type: 'string' },
  },
} as const;

export const jobRecordSchema = {
  title: 'JobRecord',
  oneOf: [processingJobSchema, completedJobSchema, failedJobSchema],
} as const;

export type JobRecord = FromSchema<typeof jobRecordSchema>;

export const deleteResultSchema = {
  title: 'DeleteResult',
  type: 'object',
  required: ['deleted_count', 'status'],
  properties: {
    deleted_count: { type: 'integer', minimum: 0, description: 'On a dry run: how many would be deleted.' },
    status: { type: 'string' },
    matches: {
      type: 'array',
      maxItems: 20,
      description: 'Dry run only: up to 20 of what would be deleted, the least similar first.',
      items: {
        type: 'object',
        required: ['id', 'intent', 'similarity'],
        properties: { id: { type: 'string' }, intent: { type: 'string' }, similarity: { type: 'number' } },
      },
    },
  },
} as const;

export type DeleteResult = FromSchema<typeof deleteResultSchema>;

/** 401 and 403. */
export const refusalSchema = {
  title: 'Refusal',
  type: 'object',
  required: ['error', 'message'],
  properties: { error: { type: 'string' }, message: { type: 'string' } },
} as const;

/** Every other error but 422. */
export const errorSchema = {
  title: 'Error',
  type: 'object',
  required: ['error', 'message', 'request_id'],
  properties: {
    error: { type: 'string', description: 'What programs go by.' },
    message: { type: 'string', description: 'What people read.' },
    request_id: { type: 'string', description: 'The same as in the header `x-request-id`.' },
  },
} as const;

/** 422. */
export const validationErrorSchema = {
  title: 'ValidationError',
  description: 'Every problem at once.',
  type: 'object',
  required: ['detail'],
  properties: {
    detail: {
      type: 'array',
      minItems: 1,
      maxItems: maxProblems,
      items: {
        title: 'Problem',
        type: 'object',
        required: ['loc', 'msg', 'type'],
        properties: {
          loc: {
            type: 'array',
            description: '`body`, `query` or `path`, then names and indices.',
            items: { type: ['string', 'integer'] },
          },
          msg: { type: 'string' },
          type: { type: 'string' },
        },
      },
    },
  },
} as const;

import type { FromSchema } from 'json-schema-to-ts';
import { candidateSchema } from './explain.js';
import { maxProblems } from './problems.js';

export const serviceStatusSchema = {
  title: 'ServiceStatus',
  type: 'object',
  required: ['status', 'service', 'version'],
  properties: { status: { type: 'string', const: 'ok' }, service: { type: 'string' }, version: { type: 'string' } },
} as const;

export type ServiceStatus = FromSchema<typeof serviceStatusSchema>;

const recommendationSchema = {
  title: 'Recommendation',
  description: 'A lesson from past runs, or several that agree.',
  type: 'object',
  required: ['id', 'kind', 'title', 'text', 'similarity', 'support', 'source_job_ids'],
  properties: {
    id: {
      type: 'string',
      description: 'Stable id of the lesson: the same lesson always has the same id, whatever its wording.',
    },
    kind: { type: 'string', enum: ['strategy', 'pitfall', 'recovery'] },
    title: { type: 'string' },
    text: { type: 'string', description: 'As it appears in `response`, example included.' },
    similarity: { type: 'number', description: 'Cosine similarity of its task to yours.' },
    support: { type: 'integer', minimum: 1, description: 'Number of distinct runs that agree.' },
    source_job_ids: {
      type: 'array',
      items: { type: 'string' },
      description: 'Jobs of these runs. If several runs teach the same thing, only the latest may be listed.',
    },
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
        'Give this to the agent in place of its input: the input, unchanged and first, followed by the ' +
        'recommendations. If there is nothing relevant to say, just the input.',
    },
    metadata: {
      type: 'object',
      required: ['confidence_score', 'agent_type', 'enhancement_id', 'recommendations'],
      properties: {
        confidence_score: {
          type: 'number',
          minimum: 0,
          maximum: 1,
          description: 'How likely the recommendations are to apply.',
        },
        agent_type: { type: ['string', 'null'], description: 'As sent.' },
        enhancement_id: {
          type: 'string',
          description: 'Cite it in `metadata.enhancement_id` when you upload the run, so that its outcome counts.',
        },
        recommendations: { type: 'array', items: recommendationSchema },
        explanation: {
          type: 'array',
          items: candidateSchema,
          description: 'With `explain=true`: every lesson that was considered, nearest first.',
        },
        holdout: {
          type: 'boolean',
          const: true,
          description:
            'Present if recommendations were withheld at random, to measure what they are worth. Cite the ' +
            '`enhancement_id` all the same.',
        },
      },
    },
  },
} as const;

export type EnhancedResponse = FromSchema<typeof enhancedResponseSchema>;

export const storeAcknowledgementSchema = {
  title: 'Acknowledgement',
  description: 'The upload is durable and its job exists.',
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

export const tracesAnswerSchema = {
  title: 'ExportTraceServiceResponse',
  type: 'object',
  properties: {
    partialSuccess: {
      type: 'object',
      required: ['rejectedSpans', 'errorMessage'],
      properties: {
        rejectedSpans: { type: 'integer', minimum: 0 },
        errorMessage: { type: 'string', description: 'Why, and what to change at the emitter.' },
      },
    },
  },
} as const;

export const momentSchema = {
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}$',
  description: 'UTC, six fractional digits, no time zone.',
} as const;

const common = {
  message: {
    type: 'string',
    description: 'For people. Says why there was nothing to learn, or what you can do about a failure.',
  },
  job_id: { type: 'string' },
  created_at: momentSchema,
  started_at: momentSchema,
} as const;

const processingJobSchema = {
  title: 'ProcessingJob',
  description: 'Not finished yet. Poll again after `Retry-After` seconds.',
  type: 'object',
  required: ['status', 'message', 'job_id'],
  properties: { status: { type: 'string', const: 'processing' }, ...common },
} as const;

const completedJobSchema = {
  title: 'CompletedJob',
  type: 'object',
  required: ['status', 'message', 'job_id', 'created_at', 'completed_at', 'insights_stored', 'outcome'],
  properties: {
    status: { type: 'string', const: 'completed' },
    ...common,
    completed_at: momentSchema,
    insights_stored: { type: 'integer', minimum: 0, description: 'Number of lessons stored.' },
    outcome: { type: 'string', enum: ['stored', 'nothing_to_learn', 'deleted'] },
  },
} as const;

const failedJobSchema = {
  title: 'FailedJob',
  description: 'Also contains a copy of itself under its `job_id`.',
  type: 'object',
  required: ['status', 'message', 'job_id', 'failed_at', 'error_message', 'note'],
  properties: {
    status: { type: 'string', const: 'failed' },
    ...common,
    failed_at: momentSchema,
    error_message: {
      type: 'string',
      contentEncoding: 'base64',
      description: 'Encrypted: only the operators of the service can read it.',
    },
    note: { type: 'string', description: 'What to pass on to the operators.' },
  },
} as const;

export const jobRecordSchema = {
  title: 'JobRecord',
  type: 'object',
  oneOf: [processingJobSchema, completedJobSchema, failedJobSchema],
  discriminator: {
    propertyName: 'status',
    mapping: {
      processing: '#/components/schemas/ProcessingJob',
      completed: '#/components/schemas/CompletedJob',
      failed: '#/components/schemas/FailedJob',
    },
  },
} as const;

export type JobRecord = FromSchema<typeof jobRecordSchema>;

export const deleteResultSchema = {
  title: 'DeleteResult',
  type: 'object',
  required: ['deleted_count', 'status'],
  properties: {
    deleted_count: { type: 'integer', minimum: 0, description: 'In a dry run, how many would be deleted.' },
    status: { type: 'string' },
    remaining_count: {
      type: 'integer',
      minimum: 0,
      description: 'Dry run only: how many insights are less similar than the threshold and would stay.',
    },
    matches: {
      type: 'array',
      maxItems: 20,
      description: 'Dry run only: up to 20 of the insights that would be deleted, least similar first.',
      items: {
        type: 'object',
        required: ['id', 'intent', 'similarity'],
        properties: { id: { type: 'string' }, intent: { type: 'string' }, similarity: { type: 'number' } },
      },
    },
  },
} as const;

export type DeleteResult = FromSchema<typeof deleteResultSchema>;

export const eraseResultSchema = {
  title: 'EraseResult',
  type: 'object',
  required: ['deleted_count', 'status'],
  properties: {
    deleted_count: { type: 'integer', minimum: 0, description: 'Number of insights deleted.' },
    status: { type: 'string' },
  },
} as const;

export type EraseResult = FromSchema<typeof eraseResultSchema>;

/** Every error but 422. */
export const errorSchema = {
  title: 'Error',
  type: 'object',
  required: ['error', 'message', 'request_id'],
  properties: {
    error: { type: 'string', description: 'For programs.' },
    message: { type: 'string', description: 'For people.' },
    hint: { type: 'string', description: 'What to do about it, if that is known.' },
    request_id: { type: 'string', description: 'Same as the `x-request-id` header. Quote it to the operators.' },
  },
} as const;

/** The detail of a 422. */
export const detailSchema = {
  type: 'array',
  minItems: 1,
  maxItems: maxProblems,
  items: {
    title: 'ValidationError',
    type: 'object',
    required: ['loc', 'msg', 'type'],
    properties: {
      loc: {
        type: 'array',
        description: 'Where: `body`, `query` or `path`, then field names and array indices.',
        items: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      },
      msg: { type: 'string', description: 'For people.' },
      type: { type: 'string', description: 'For programs.' },
    },
  },
} as const;

/** 422, under the names that FastAPI publishes and its clients know. */
export const httpValidationErrorSchema = {
  title: 'HTTPValidationError',
  description: 'Every problem at once.',
  type: 'object',
  required: ['detail'],
  properties: { detail: detailSchema },
} as const;

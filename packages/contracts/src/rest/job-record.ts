import type { FromSchema } from 'json-schema-to-ts';

import { momentSchema } from './text-schemas.js';

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

import type { Problem } from './problems.js';
import { detailSchema } from './responses.js';

const lineSchema = {
  type: 'integer',
  minimum: 1,
  description: 'The number of the line; blank ones count too.',
} as const;

const acceptedLineSchema = {
  title: 'AcceptedLine',
  description: 'The upload is durable and its job exists.',
  type: 'object',
  required: ['line', 'status', 'job_id'],
  properties: { line: lineSchema, status: { type: 'string', const: 'accepted' }, job_id: { type: 'string' } },
} as const;

const invalidLineSchema = {
  title: 'InvalidLine',
  description: 'Not accepted: what `POST /store_knowledge` would answer with 422, or with 413 if the line is too long.',
  type: 'object',
  required: ['line', 'status', 'detail'],
  properties: { line: lineSchema, status: { type: 'string', const: 'invalid' }, detail: detailSchema },
} as const;

const forbiddenLineSchema = {
  title: 'ForbiddenLine',
  description: 'Not accepted: the `tenant_id` is a key of another account.',
  type: 'object',
  required: ['line', 'status', 'error', 'message'],
  properties: {
    line: lineSchema,
    status: { type: 'string', const: 'forbidden' },
    error: { type: 'string', const: 'tenant_forbidden' },
    message: { type: 'string' },
  },
} as const;

const failedLineSchema = {
  title: 'FailedLine',
  description: 'It could not be queued, or not in time. Send it again, with the same `Idempotency-Key`.',
  type: 'object',
  required: ['line', 'status', 'error'],
  properties: {
    line: lineSchema,
    status: { type: 'string', const: 'failed' },
    error: { type: 'string', const: 'queueing_failed' },
  },
} as const;

const lineResultSchema = {
  title: 'LineResult',
  type: 'object',
  oneOf: [acceptedLineSchema, invalidLineSchema, forbiddenLineSchema, failedLineSchema],
  discriminator: {
    propertyName: 'status',
    mapping: {
      accepted: '#/components/schemas/AcceptedLine',
      invalid: '#/components/schemas/InvalidLine',
      forbidden: '#/components/schemas/ForbiddenLine',
      failed: '#/components/schemas/FailedLine',
    },
  },
} as const;

export type LineResult =
  | { line: number; status: 'accepted'; job_id: string }
  | { line: number; status: 'invalid'; detail: Problem[] }
  | { line: number; status: 'forbidden'; error: 'tenant_forbidden'; message: string }
  | { line: number; status: 'failed'; error: 'queueing_failed' };

export const batchResultSchema = {
  title: 'BatchResult',
  type: 'object',
  required: ['lines', 'accepted', 'results'],
  properties: {
    lines: { type: 'integer', minimum: 1, description: 'How many lines are not blank.' },
    accepted: { type: 'integer', minimum: 0, description: 'How many of them were accepted.' },
    results: { type: 'array', minItems: 1, items: lineResultSchema, description: 'One for each such line, in order.' },
  },
} as const;

export interface BatchResult {
  lines: number;
  accepted: number;
  results: LineResult[];
}

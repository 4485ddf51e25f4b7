import type { FromSchema } from 'json-schema-to-ts';

import { maxProblems } from './problems.js';

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

export type RefusalBody = FromSchema<typeof refusalSchema>;
export type ErrorBody = FromSchema<typeof errorSchema>;
export type ValidationErrorBody = FromSchema<typeof validationErrorSchema>;

import type { FromSchema } from 'json-schema-to-ts';

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

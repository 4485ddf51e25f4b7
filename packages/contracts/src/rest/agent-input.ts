import type { FromSchema } from 'json-schema-to-ts';

import { optionalTextSchema, tenantIdSchema } from './text-schemas.js';

/** What `input_text` and `context` may have together, as UTF-8. */
export const maxInputBytes = 256 * 1024;

export const agentInputSchema = {
  title: 'AgentInput',
  description: 'What an agent is about to work on.',
  type: 'object',
  required: ['tenant_id', 'input_text'],
  properties: {
    tenant_id: tenantIdSchema,
    input_text: {
      type: 'string',
      pattern: '\\S',
      description:
        'The task, with at least one character that is not white space. It and the context have at most 256 KiB together.',
    },
    context: {
      type: ['object', 'null'],
      additionalProperties: { type: 'string' },
      description: 'What surrounds the task; helps to find what is relevant.',
    },
    agent_type: { ...optionalTextSchema, description: 'What kind of agent asks; lessons of its kind are preferred.' },
  },
} as const;

export type AgentInput = FromSchema<typeof agentInputSchema>;

import type { FromSchema } from 'json-schema-to-ts';

import { dateTimeSchema } from './date-time.js';
import { lenientBooleanSchema } from './lenient-boolean.js';
import { anyValueSchema, optionalTextSchema, optionalValueSchema, tenantIdSchema } from './text-schemas.js';

export const agentTurnSchema = {
  title: 'AgentTurn',
  description: 'One step of an agent: what it saw, what it decided, what came back.',
  type: 'object',
  required: ['turn', 'inputs', 'decision'],
  properties: {
    turn: {
      type: 'integer',
      minimum: Number.MIN_SAFE_INTEGER,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The order of the turns. They may arrive out of order and with gaps.',
    },
    inputs: anyValueSchema,
    decision: anyValueSchema,
    memory: optionalValueSchema,
    result: optionalValueSchema,
  },
} as const;

export const agentKnowledgeUploadSchema = {
  title: 'AgentKnowledgeUpload',
  description: 'One interaction of an agent, to learn from. Unknown fields are ignored; null counts as absent.',
  type: 'object',
  required: ['tenant_id', 'query', 'turns'],
  properties: {
    tenant_id: tenantIdSchema,
    query: { type: 'string', description: 'The task that the agent was given.' },
    turns: { type: 'array', items: agentTurnSchema },
    success: lenientBooleanSchema,
    agent_type: optionalTextSchema,
    timestamp: dateTimeSchema,
    metadata: {
      type: ['object', 'null'],
      additionalProperties: true,
      description: 'Free JSON of the caller. `enhancement_id` cites the recommendations that the agent was given.',
    },
  },
} as const;

export type AgentTurn = FromSchema<typeof agentTurnSchema>;
export type AgentKnowledgeUpload = FromSchema<typeof agentKnowledgeUploadSchema>;

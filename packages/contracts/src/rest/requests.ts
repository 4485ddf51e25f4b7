import type { FromSchema } from 'json-schema-to-ts';
import { dateTimeSchema } from './date-time.js';

/** Names a collection of the caller's account. */
export const tenantIdSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 512,
  description:
    "The collection: a workflow's name, or a key of the account for its default collection. A text that looks like " +
    'a key of ours and is not one of the account is refused with 403.',
} as const;

export const optionalTextSchema = { type: ['string', 'null'] } as const;

const notText = ['number', 'boolean', 'object', 'array'] as const;

/** As a rule text; clients also send what a framework has parsed already. */
export const anyValueSchema = {
  type: ['string', ...notText],
  description: 'Text, or any other JSON value but null, which is kept as compact JSON.',
} as const;

export const optionalValueSchema = {
  type: ['string', 'null', ...notText],
  description: 'Text, or any other JSON value, which is kept as compact JSON. Null: none.',
} as const;

const meanings: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['yes', true],
  ['on', true],
  ['false', false],
  ['0', false],
  ['no', false],
  ['off', false],
]);

/** A boolean as clients really send it. */
export const lenientBooleanSchema = {
  anyOf: [
    { type: 'boolean' },
    { type: 'integer', enum: [0, 1] },
    {
      type: 'string',
      pattern: '^([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]|[Yy][Ee][Ss]|[Nn][Oo]|[Oo][Nn]|[Oo][Ff][Ff]|0|1)$',
    },
    { type: 'null' },
  ],
  description:
    'Also as text in any case (true, false, yes, no, on, off, 1, 0) and as 1 or 0. Absent or null: not known.',
} as const;

/** Undefined for what is no boolean in any spelling. */
export function readLenientBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 1 || value === 0) return value === 1;
  return typeof value === 'string' ? meanings.get(value.toLowerCase()) : undefined;
}

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

import type { FromSchema } from 'json-schema-to-ts';
import { dateTimeSchema } from './date-time.js';

export const tenantIdSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 512,
  description:
    'The collection: any name, such as one per bot or workflow, or your API key for the default collection. The key of ' +
    'another account is refused with 403.',
} as const;

const optionalTextSchema = { type: ['string', 'null'] } as const;

/** Not an `enum` with null in it: generators make one type of this, and several of that. */
export function choiceOrNull<const Choices extends readonly string[]>(choices: Choices) {
  return { anyOf: [{ type: 'string', enum: choices }, { type: 'null' }] } as const;
}

/** For a `not` around all fields: at least one is given. An `anyOf` would say the same, and generators would make a type of each. */
export const isNull = { type: 'null' } as const;
export const isAbsent = { not: {} } as const;

const notText = ['number', 'boolean', 'object', 'array'] as const;

/** Usually text; some frameworks send values that they have already parsed. */
const anyValueSchema = {
  type: ['string', ...notText],
  items: {},
  description: 'Text. Any other JSON value except null is accepted and kept as compact JSON.',
} as const;

const optionalValueSchema = {
  type: ['string', 'null', ...notText],
  items: {},
  description: 'Text. Any other JSON value is accepted and kept as compact JSON.',
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

const spellings = [
  { type: 'boolean' },
  { type: 'integer', enum: [0, 1] },
  {
    type: 'string',
    pattern: '^([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]|[Yy][Ee][Ss]|[Nn][Oo]|[Oo][Nn]|[Oo][Ff][Ff]|0|1)$',
  },
] as const;
const successDescription =
  'Whether the run succeeded. Also accepts 1 and 0, and true, false, yes, no, on, off, 1, 0 as text in any case.';

export const lenientBooleanSchema = {
  anyOf: [...spellings, { type: 'null' }],
  description: `${successDescription} Leave it out, or null, if unknown.`,
} as const;

export const requiredBooleanSchema = { anyOf: spellings, description: successDescription } as const;

/** `undefined` if it is not a boolean in any accepted spelling. */
export function readLenientBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 1 || value === 0) return value === 1;
  return typeof value === 'string' ? meanings.get(value.toLowerCase()) : undefined;
}

/** Limit for `input_text` and `context` together, in UTF-8. */
export const maxInputBytes = 256 * 1024;

export const agentInputSchema = {
  title: 'AgentInput',
  description: 'A task that an agent is about to work on.',
  type: 'object',
  required: ['tenant_id', 'input_text'],
  properties: {
    tenant_id: tenantIdSchema,
    input_text: {
      type: 'string',
      pattern: '\\S',
      description: 'The task, with at least one non-blank character. At most 256 KiB together with `context`.',
    },
    context: {
      type: ['object', 'null'],
      additionalProperties: { type: 'string' },
      description: 'Further facts about the task, which help to find relevant lessons.',
    },
    agent_type: {
      ...optionalTextSchema,
      description: 'The kind of agent that asks. Lessons from agents of its kind are preferred.',
    },
  },
} as const;

export type AgentInput = FromSchema<typeof agentInputSchema>;

const agentTurnSchema = {
  title: 'AgentTurn',
  description: 'One step of an agent: what it saw, what it did, what came back.',
  type: 'object',
  required: ['turn', 'inputs', 'decision'],
  properties: {
    turn: {
      type: 'integer',
      minimum: Number.MIN_SAFE_INTEGER,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Turns are ordered by this number; gaps are fine.',
    },
    inputs: anyValueSchema,
    decision: anyValueSchema,
    memory: optionalValueSchema,
    result: optionalValueSchema,
  },
} as const;

export const agentKnowledgeUploadSchema = {
  title: 'AgentKnowledgeUpload',
  description:
    'One run of an agent, to learn from. Unknown fields are ignored; an optional field that is null counts as absent.',
  type: 'object',
  required: ['tenant_id', 'query', 'turns'],
  properties: {
    tenant_id: tenantIdSchema,
    query: { type: 'string', description: 'The task that the agent was given.' },
    turns: { type: 'array', items: agentTurnSchema },
    success: lenientBooleanSchema,
    agent_type: { ...optionalTextSchema, description: 'The kind of agent that made the run.' },
    timestamp: { ...dateTimeSchema, description: `When the run happened. ${dateTimeSchema.description}` },
    metadata: {
      type: ['object', 'null'],
      additionalProperties: true,
      description: 'Any JSON. `enhancement_id` cites the recommendations that the agent was given.',
    },
  },
} as const;

export type AgentTurn = FromSchema<typeof agentTurnSchema>;
export type AgentKnowledgeUpload = FromSchema<typeof agentKnowledgeUploadSchema>;

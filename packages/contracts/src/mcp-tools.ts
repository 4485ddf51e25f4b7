import type { FromSchema } from 'json-schema-to-ts';
import type { Scope } from './messages/events.js';

const agentType = { type: 'string', description: 'What kind of agent you are, such as "shell" or "browser".' } as const;

const enhancementId = {
  type: 'string',
  minLength: 1,
  maxLength: 8192,
  description: 'The enhancement_id that get_recommendations answered for this task.',
} as const;

const task = { type: 'string', pattern: '\\S' } as const;

/**
 * What the gateway offers to MCP clients. The collection is in the address, so no tool takes a tenant_id. The schemas keep to what every
 * model provider accepts.
 */
export const mcpTools = {
  get_recommendations: {
    title: 'Get recommendations',
    description:
      'Returns lessons learnt from earlier runs of similar tasks: what worked, what failed, what to avoid. Call it once at the ' +
      'start of each new task, before you plan or act, with the task as the user gave it. Keep the enhancement_id for record_run.',
    scopes: ['ask'],
    annotations: { readOnlyHint: true, openWorldHint: false },
    inputSchema: {
      type: 'object',
      required: ['task'],
      properties: {
        task: { ...task, description: 'The task, in the words of the user.' },
        agent_type: agentType,
      },
    },
  },
  record_run: {
    title: 'Record a run',
    description:
      'Records what you did for a task, so that later runs learn from it. Call it once when you finish or abandon a task, even if it ' +
      'failed: failures teach the most. Secrets are redacted, but leave out what nobody should learn from.',
    scopes: ['record'],
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    inputSchema: {
      type: 'object',
      required: ['task', 'steps'],
      properties: {
        task: { ...task, description: 'The task, in the words of the user.' },
        steps: {
          type: 'array',
          minItems: 1,
          description: 'What you did, in order.',
          items: {
            type: 'object',
            required: ['action'],
            properties: {
              action: { type: 'string', description: 'The command, tool call or decision, with its arguments.' },
              result: { type: 'string', description: 'What came back, such as output or an error message.' },
              observation: { type: 'string', description: 'What you saw before that made you do it.' },
            },
          },
        },
        success: {
          type: 'boolean',
          description: 'Whether the task succeeded. Leave it out if you cannot tell.',
        },
        enhancement_id: enhancementId,
        agent_type: agentType,
      },
    },
  },
  give_feedback: {
    title: 'Give feedback',
    description:
      'Reports whether a task you got recommendations for succeeded, so that good ones rank higher. Call it when you learn the ' +
      'outcome later, for example from the user. A record_run with success and the enhancement_id counts already.',
    scopes: ['ask', 'record'],
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    inputSchema: {
      type: 'object',
      required: ['enhancement_id', 'success'],
      properties: {
        enhancement_id: enhancementId,
        success: { type: 'boolean', description: 'Whether the task succeeded.' },
        note: { type: 'string', description: 'Why, in a sentence.' },
      },
    },
  },
  search_lessons: {
    title: 'Search lessons',
    description:
      'Lists the lessons of this collection with their evidence, to review what has been learnt. For a task at hand, call ' +
      'get_recommendations instead.',
    scopes: ['curate'],
    annotations: { readOnlyHint: true, openWorldHint: false },
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'A task or some words. Without it, the latest lessons come first.' },
        limit: { type: 'integer', minimum: 1, maximum: 100, description: 'How many to list.' },
        cursor: { type: 'string', description: 'The cursor of the previous page.' },
      },
    },
  },
} as const satisfies Record<string, McpTool>;

interface McpTool {
  title: string;
  /** Tells a model when to call it. */
  description: string;
  /** Any of them suffices. */
  scopes: readonly Scope[];
  annotations: object;
  inputSchema: { type: 'object'; required?: readonly string[]; properties: object };
}

export type McpToolName = keyof typeof mcpTools;
export type McpArguments = { [Name in McpToolName]: FromSchema<(typeof mcpTools)[Name]['inputSchema']> };

export function isMcpToolName(name: unknown): name is McpToolName {
  return typeof name === 'string' && Object.hasOwn(mcpTools, name);
}

export type ListedTool = Omit<McpTool, 'scopes' | 'inputSchema'> & { name: string; inputSchema: { type: 'object' } };

/** The tools as MCP lists them: those that a key with the scopes may call, or all. */
export function listMcpTools(held?: readonly Scope[]): ListedTool[] {
  return Object.entries(mcpTools)
    .filter(([, { scopes }]) => !held || mayUse(scopes, held))
    .map(([name, { title, description, annotations, inputSchema }]) => ({
      name,
      title,
      description,
      inputSchema,
      annotations,
    }));
}

export function mayCall(name: McpToolName, held: readonly Scope[]): boolean {
  return mayUse(mcpTools[name].scopes, held);
}

function mayUse(needed: readonly Scope[], held: readonly Scope[]): boolean {
  return needed.some((scope) => held.includes(scope));
}

/** What a server tells a model about itself. */
export const mcpInstructions =
  'Whetstone learns from what agents did. Call get_recommendations at the start of a task and record_run at its end. If a ' +
  'tool fails, carry on without it.';

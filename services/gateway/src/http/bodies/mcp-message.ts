import {
  type AgentInput,
  type AgentKnowledgeUpload,
  type BodyChecks,
  type Checked,
  type Feedback,
  isMcpToolName,
  type ListLessonsQuery,
  type McpArguments,
  type McpToolName,
  type Problem,
  readListLessonsQuery,
} from '@whetstone/contracts';
import type { ReadInput } from '../../domain/enhance-task.js';
import { invalid } from '../refusals.js';
import { readJson } from './read-json.js';

/**
 * One message of an MCP client. What a tool is called with is not in the message any more: it has been made what the REST operation
 * takes, under the same rules.
 */
export interface McpMessage<Upload> {
  message: unknown;
  /** Absent if the message calls none of our tools. */
  call?: ToolCall<Upload>;
}

export type ToolCall<Upload> =
  | { name: 'get_recommendations'; input: ReadInput; problems?: never }
  | { name: 'record_run'; upload: Upload; problems?: never }
  | { name: 'give_feedback'; feedback: Feedback; problems?: never }
  | { name: 'search_lessons'; query: ListLessonsQuery; problems?: never }
  | { name: 'refused'; problems: Problem[] };

interface ReadMcpMessageDeps<Upload> {
  checks: BodyChecks;
  prepared(upload: AgentKnowledgeUpload): Upload;
}

/** Throws a Refusal with 422 if the body is not JSON. */
export function readMcpMessage<Upload>(
  bytes: Buffer,
  tenantId: string,
  { checks, prepared }: ReadMcpMessageDeps<Upload>,
): McpMessage<Upload> {
  const { value, problems } = readJson(bytes);
  const { method, params } = (value ?? {}) as { method?: unknown; params?: { name?: unknown; arguments?: unknown } };
  if (method !== 'tools/call' || !isMcpToolName(params?.name)) {
    if (problems.length > 0) throw invalid(problems);
    return { message: value };
  }
  const { arguments: given, ...others } = params;
  const message = { ...(value as object), params: others };
  const call = problems.length > 0 ? { problems } : callOf(params.name, given ?? {});
  return { message, call: call.problems ? { name: 'refused', problems: call.problems.map(named) } : call };

  function callOf(name: McpToolName, value: unknown): ToolCall<Upload> | { problems: Problem[] } {
    switch (name) {
      case 'get_recommendations': {
        const { problems, body } = chained(checks.mcpArguments[name](value), inputOf, checks.agentInput);
        return problems ? { problems } : { name, input: body };
      }
      case 'record_run': {
        const { problems, body } = chained(checks.mcpArguments[name](value), uploadOf, checks.agentKnowledgeUpload);
        return problems ? { problems } : { name, upload: prepared(body) };
      }
      case 'give_feedback': {
        const { problems, body } = chained(checks.mcpArguments[name](value), feedbackOf, checks.feedback);
        return problems ? { problems } : { name, feedback: body };
      }
      case 'search_lessons': {
        const { problems, body } = chained(checks.mcpArguments[name](value), queryOf, readListLessonsQuery);
        return problems ? { problems } : { name, query: body };
      }
    }
  }

  function inputOf({ task, agent_type }: McpArguments['get_recommendations']): AgentInput {
    return { tenant_id: tenantId, input_text: task, context: {}, agent_type: agent_type ?? null };
  }

  function uploadOf({ task, steps, success, enhancement_id, agent_type }: McpArguments['record_run']) {
    return {
      tenant_id: tenantId,
      query: task,
      turns: steps.map(({ action, result, observation = '' }, index) => ({
        turn: index + 1,
        inputs: observation,
        decision: action,
        result,
      })),
      success,
      agent_type,
      ...(enhancement_id !== undefined && { metadata: { enhancement_id } }),
    };
  }

  function feedbackOf(given: McpArguments['give_feedback']): Feedback {
    return { ...given, tenant_id: tenantId };
  }

  function queryOf({ query, limit, cursor }: McpArguments['search_lessons']): string {
    const parameters = { tenant_id: tenantId, q: query, limit: limit?.toString(), cursor };
    return String(
      new URLSearchParams(Object.entries(parameters).filter((entry): entry is [string, string] => !!entry[1])),
    );
  }
}

/** The arguments under the rules of their tool, then what they become under those of the REST operation. */
function chained<Arguments, Given, Made>(
  { problems, body }: Checked<Arguments>,
  convert: (given: Arguments) => Given,
  check: (given: Given) => Checked<Made>,
): Checked<Made> {
  return problems ? { problems } : check(convert(body));
}

const argumentNames: Record<string, string> = { input_text: 'task', q: 'query' };

/** With the names of the arguments only, where problems of bodies and queries say where they are. */
function named({ loc, ...problem }: Problem): Problem {
  const [first, second] = loc.slice(1);
  const from = first === 'params' && second === 'arguments' ? 3 : 1;
  return { ...problem, loc: loc.slice(from).map((part) => argumentNames[part] ?? part) };
}

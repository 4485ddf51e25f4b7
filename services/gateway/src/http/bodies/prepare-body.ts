import { hash } from 'node:crypto';
import {
  type AgentInput,
  type AgentKnowledgeUpload,
  type BodyCheckOptions,
  type BodyChecks,
  type Checked,
  createBodyChecks,
  type Interaction,
  type Problem,
} from '@whetstone/contracts';
import type { OnSecret } from '@whetstone/platform/redaction';
import { interactionOf } from '../../domain/interaction-of.js';
import { createRedactor, type RedactionOptions } from '../../domain/redactor.js';
import { invalid } from '../refusals.js';
import { type McpMessage, readMcpMessage } from './mcp-message.js';
import { readJson } from './read-json.js';
import { type ReadTraces, readTraceSpans, type TracesOptions } from './read-traces.js';

/** What is left of an upload to be queued. */
export interface PreparedUpload {
  tenantId: string;
  /** SHA-256 (hex) of the body, or of the run that an MCP client records. */
  bodyDigest: string;
  /** Without secrets. */
  interaction: Interaction;
}

/**
 * Parses, validates and redacts bodies. Throws a Refusal with 422 that lists every problem, those of the headers or the
 * query first.
 */
export interface BodyPreparation {
  upload(bytes: Buffer, headerProblems: Problem[]): PreparedUpload;
  input(bytes: Buffer, queryProblems: Problem[]): AgentInput;
  traces(bytes: Buffer, options: TracesOptions): ReadTraces;
  /** @param tenantId the collection in the address */
  mcp(bytes: Buffer, tenantId: string): McpMessage<PreparedUpload>;
  /** A body that needs no more than to be valid. */
  small<Name extends SmallBody>(bytes: Buffer, name: Name, queryProblems: Problem[]): BodyOf<Name>;
}

/** Bodies that are never large. */
export type SmallBody = 'collectionChange' | 'feedback' | 'keyRequest' | 'lessonChange' | 'newLesson';
export type BodyOf<Name extends SmallBody> = ReturnType<BodyChecks[Name]>['body'] & object;

/** Its work grows with the body: on the event loop for small ones, in a thread for the others. */
export function createBodyPreparation(
  onSecret: OnSecret,
  redaction: RedactionOptions,
  options: BodyCheckOptions,
): BodyPreparation {
  const checks = createBodyChecks(options);
  const redactor = createRedactor(onSecret, redaction);

  function prepared(upload: AgentKnowledgeUpload, body: Buffer | string): PreparedUpload {
    const interaction = redactor.redact(interactionOf(upload, redactor.redactJson));
    return { tenantId: upload.tenant_id, bodyDigest: hash('sha256', body, 'hex'), interaction };
  }

  return {
    upload: (bytes, headerProblems) => prepared(checked(bytes, checks.agentKnowledgeUpload, headerProblems), bytes),
    // Every message has an id of its own: the same run recorded again is still the same run.
    mcp: (bytes, tenantId) =>
      readMcpMessage(bytes, tenantId, { checks, prepared: (upload) => prepared(upload, JSON.stringify(upload)) }),
    input(bytes, queryProblems) {
      // Without the fields that nobody reads, which may be large.
      const { tenant_id, input_text, context, agent_type } = checked(bytes, checks.agentInput, queryProblems);
      return { tenant_id, input_text, context: context ?? {}, agent_type: agent_type ?? null };
    },
    traces: (bytes, options) => readTraceSpans(bytes, options, redactor.redactText),
    small: <Name extends SmallBody>(bytes: Buffer, name: Name, queryProblems: Problem[]) =>
      checked(bytes, checks[name] as (value: unknown) => Checked<BodyOf<Name>>, queryProblems),
  };
}

function checked<Body>(bytes: Buffer, check: (value: unknown) => Checked<Body>, otherProblems: Problem[]): Body {
  const { value, problems } = readJson(bytes);
  const result = check(value);
  const all = [...otherProblems, ...problems, ...(result.problems ?? [])];
  if (result.problems || all.length > 0) throw invalid(all);
  return result.body;
}

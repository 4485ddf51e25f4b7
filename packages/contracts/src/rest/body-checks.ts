import { Ajv2020 } from 'ajv/dist/2020.js';

import { type AgentInput, agentInputSchema, maxInputBytes } from './agent-input.js';
import { type AgentKnowledgeUpload, agentKnowledgeUploadSchema } from './agent-knowledge-upload.js';
import { readDateTime } from './date-time.js';
import { type BodySchema, explain } from './explain.js';
import { maxProblems, type Problem, tooLong } from './problems.js';

/** A body that fits, or everything that is wrong with it. */
export type Checked<Body> = { body: Body; problems?: never } | { problems: Problem[]; body?: never };

export interface BodyChecks {
  agentInput(value: unknown): Checked<AgentInput>;
  agentKnowledgeUpload(value: unknown): Checked<AgentKnowledgeUpload>;
}

/** Compiles the schemas of the request bodies. */
export function createBodyChecks(): BodyChecks {
  const ajv = new Ajv2020({
    // A test knows that they are schemas; to compile the schema of schemas takes longer than both of them.
    validateSchema: false,
    allowUnionTypes: true,
    // A number too large for a double is still a JSON value; where numbers count they have bounds.
    strictNumbers: false,
    formats: { 'date-time': (text: string) => readDateTime(text).reason === undefined },
  });

  function check<Body>(schema: BodySchema): (value: unknown) => Checked<Body> {
    const fits = ajv.compile<Body>(schema);
    return (value) => (fits(value) ? { body: value } : { problems: explain(schema, value, ['body']) });
  }

  const fitsAgentInput = check<AgentInput>(agentInputSchema);
  return {
    agentInput(value) {
      const checked = fitsAgentInput(value);
      if (inputBytes(value) <= maxInputBytes) return checked;
      return { problems: [...(checked.problems ?? []), inputTooLong].slice(-maxProblems) };
    },
    agentKnowledgeUpload: check<AgentKnowledgeUpload>(agentKnowledgeUploadSchema),
  };
}

const inputTooLong = tooLong(['body', 'input_text'], maxInputBytes, `${maxInputBytes} bytes together with context`);

/** Of whatever is text there, also where something else does not fit: every problem is told at once. */
function inputBytes(value: unknown): number {
  const { input_text: text, context } = (value ?? {}) as Partial<Record<keyof AgentInput, unknown>>;
  let bytes = textBytes(text);
  for (const [name, part] of Object.entries(context ?? {})) bytes += textBytes(name) + textBytes(part);
  return bytes;
}

function textBytes(value: unknown): number {
  return typeof value === 'string' ? Buffer.byteLength(value) : 0;
}

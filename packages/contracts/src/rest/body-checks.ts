import { Ajv2020 } from 'ajv/dist/2020.js';

import { type AgentInput, agentInputSchema, maxInputBytes } from './agent-input.js';
import { type AgentKnowledgeUpload, agentKnowledgeUploadSchema } from './agent-knowledge-upload.js';
import { readDateTime } from './date-time.js';
import { type BodySchema, explain } from './explain.js';
import { type Problem, tooLong } from './problems.js';

/** A body that fits, or everything that is wrong with it. */
export type Checked<Body> = { body: Body; problems?: never } | { problems: Problem[]; body?: never };

export interface BodyChecks {
  agentInput(value: unknown): Checked<AgentInput>;
  agentKnowledgeUpload(value: unknown): Checked<AgentKnowledgeUpload>;
}

/** Compiles the schemas of the request bodies. */
export function createBodyChecks(): BodyChecks {
  const ajv = new Ajv2020({
    allowUnionTypes: true,
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
      return checked.body && inputBytes(checked.body) > maxInputBytes ? { problems: [inputTooLong] } : checked;
    },
    agentKnowledgeUpload: check<AgentKnowledgeUpload>(agentKnowledgeUploadSchema),
  };
}

const inputTooLong = tooLong(['body', 'input_text'], maxInputBytes, `${maxInputBytes} bytes together with context`);

function inputBytes({ input_text: text, context }: AgentInput): number {
  let bytes = Buffer.byteLength(text);
  for (const [name, value] of Object.entries(context ?? {}))
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value);
  return bytes;
}

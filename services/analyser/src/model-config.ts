import { AppError, type ConfigOf, type ConfigSchema } from '@whetstone/platform';

export const modelConfigSchema = {
  type: 'object',
  properties: {
    WHETSTONE_MODEL_NAME: {
      type: 'string',
      minLength: 1,
      maxLength: 100,
      description:
        'Model of an OpenAI-compatible endpoint that learns from runs, such as `gpt-5-mini`. Without it the reflector does, in the process itself.',
    },
    WHETSTONE_MODEL_BASE_URL: {
      type: 'string',
      pattern: '^https?://\\S+$',
      description:
        'Address of the endpoint of the model, such as `http://localhost:11434/v1`. Without it that of OpenAI.',
    },
    WHETSTONE_MODEL_API_KEY: {
      type: 'string',
      secret: true,
      description: 'Key for the endpoint of the model, where it wants one.',
    },
    WHETSTONE_MODEL_OUTPUT: {
      type: 'string',
      enum: ['auto', 'json_schema', 'json_object', 'text'],
      default: 'auto',
      description:
        'How the endpoint is told to answer in JSON: held to a schema, asked for JSON, or in words alone. `auto` tries them in this order and keeps the first that is taken.',
    },
    WHETSTONE_MODEL_CONCURRENCY: {
      type: 'integer',
      minimum: 1,
      maximum: 1024,
      default: 4,
      description: 'Requests to the model at the same time, of each process.',
    },
    WHETSTONE_MODEL_TIMEOUT_MS: {
      type: 'integer',
      minimum: 100,
      maximum: 100_000,
      default: 60_000,
      description: 'Time that the model has for one answer. A model that needs longer counts as away.',
    },
    WHETSTONE_MODEL_CONTEXT_TOKENS: {
      type: 'integer',
      minimum: 2048,
      maximum: 10_000_000,
      default: 16_384,
      description: 'Tokens that the model reads and writes at most. Longer runs are cut in their middle.',
    },
    WHETSTONE_MODEL_MAX_OUTPUT_TOKENS: {
      type: 'integer',
      minimum: 128,
      maximum: 1_000_000,
      default: 2048,
      description: 'Tokens that one answer of the model may have, its reasoning included.',
    },
  },
} as const satisfies ConfigSchema;

export interface ModelConfig {
  name: string;
  /** Absent: OpenAI's own. */
  baseUrl: string | undefined;
  apiKey: string | undefined;
  output: 'auto' | 'json_schema' | 'json_object' | 'text';
  concurrency: number;
  timeoutMs: number;
  contextTokens: number;
  maxOutputTokens: number;
}

/** Undefined where no model is named. Throws AppError `invalid_argument` where one variable lacks another. */
export function modelConfigOf(values: ConfigOf<typeof modelConfigSchema>): ModelConfig | undefined {
  const { WHETSTONE_MODEL_NAME: name, WHETSTONE_MODEL_BASE_URL: baseUrl, WHETSTONE_MODEL_API_KEY: apiKey } = values;
  if (name === undefined) {
    for (const [variable, value] of Object.entries({ BASE_URL: baseUrl, API_KEY: apiKey })) {
      if (value === undefined) continue;
      throw mistake(`WHETSTONE_MODEL_${variable} is set, but WHETSTONE_MODEL_NAME does not name a model`);
    }
    return undefined;
  }
  if (baseUrl === undefined && apiKey === undefined) {
    throw mistake(
      'WHETSTONE_MODEL_NAME needs WHETSTONE_MODEL_API_KEY for OpenAI, or WHETSTONE_MODEL_BASE_URL for another endpoint',
    );
  }
  return {
    name,
    baseUrl,
    apiKey,
    output: values.WHETSTONE_MODEL_OUTPUT,
    concurrency: values.WHETSTONE_MODEL_CONCURRENCY,
    timeoutMs: values.WHETSTONE_MODEL_TIMEOUT_MS,
    contextTokens: values.WHETSTONE_MODEL_CONTEXT_TOKENS,
    maxOutputTokens: values.WHETSTONE_MODEL_MAX_OUTPUT_TOKENS,
  };
}

function mistake(text: string): AppError {
  return new AppError('invalid_argument', text);
}

import { AppError, type ConfigOf, type ConfigSchema } from '@whetstone/platform';

export const modelConfigSchema = {
  type: 'object',
  properties: {
    WHETSTONE_MODEL_NAME: {
      type: 'string',
      minLength: 1,
      maxLength: 100,
      description:
        'Model that learns from runs, at an OpenAI-compatible endpoint, such as `gpt-5-mini`. Without it the built-in reflector learns.',
    },
    WHETSTONE_MODEL_BASE_URL: {
      type: 'string',
      pattern: '^https?://\\S+$',
      description: 'Base URL of the model endpoint, such as `http://localhost:11434/v1`. Defaults to OpenAI.',
    },
    WHETSTONE_MODEL_API_KEY: {
      type: 'string',
      secret: true,
      description: 'API key for the model endpoint, if it needs one.',
    },
    WHETSTONE_MODEL_OUTPUT: {
      type: 'string',
      enum: ['auto', 'json_schema', 'json_object', 'text'],
      default: 'auto',
      description:
        'How JSON output is requested: with an enforced schema, in JSON mode, or in the prompt alone. `auto` tries them in this order and keeps the first one that the endpoint supports.',
    },
    WHETSTONE_MODEL_CONCURRENCY: {
      type: 'integer',
      minimum: 1,
      maximum: 1024,
      default: 4,
      description: 'Concurrent requests to the model, per process.',
    },
    WHETSTONE_MODEL_TIMEOUT_MS: {
      type: 'integer',
      minimum: 100,
      maximum: 100_000,
      default: 60_000,
      description: 'Time limit of one answer. A model that takes longer counts as unavailable.',
    },
    WHETSTONE_MODEL_CONTEXT_TOKENS: {
      type: 'integer',
      minimum: 2048,
      maximum: 10_000_000,
      default: 16_384,
      description: 'Context window of the model in tokens. Longer runs are cut in the middle.',
    },
    WHETSTONE_MODEL_MAX_OUTPUT_TOKENS: {
      type: 'integer',
      minimum: 128,
      maximum: 1_000_000,
      default: 2048,
      description: 'Token limit of one answer, including reasoning.',
    },
  },
} as const satisfies ConfigSchema;

export interface ModelConfig {
  name: string;
  /** OpenAI's own if absent. */
  baseUrl: string | undefined;
  apiKey: string | undefined;
  output: 'auto' | 'json_schema' | 'json_object' | 'text';
  concurrency: number;
  timeoutMs: number;
  contextTokens: number;
  maxOutputTokens: number;
}

/** `undefined` if no model is configured. Throws AppError `invalid_argument` if a required variable is missing. */
export function modelConfigOf(values: ConfigOf<typeof modelConfigSchema>): ModelConfig | undefined {
  const { WHETSTONE_MODEL_NAME: name, WHETSTONE_MODEL_BASE_URL: baseUrl, WHETSTONE_MODEL_API_KEY: apiKey } = values;
  if (name === undefined) {
    for (const [variable, value] of Object.entries({ BASE_URL: baseUrl, API_KEY: apiKey })) {
      if (value === undefined) continue;
      throw mistake(`WHETSTONE_MODEL_${variable} is set, but WHETSTONE_MODEL_NAME is not`);
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

import { loadConfig } from '@whetstone/platform';

import { modelConfigOf, modelConfigSchema } from './model-config.js';

const read = (env: Record<string, string>) => modelConfigOf(loadConfig(modelConfigSchema, env));

describe('the model configuration', () => {
  it('is undefined unless a model is named', () => {
    expect(read({})).toBeUndefined();
  });

  it('uses OpenAI if only a name and a key are given', () => {
    expect(read({ WHETSTONE_MODEL_NAME: 'gpt-5-mini', WHETSTONE_MODEL_API_KEY: 'sk' })).toMatchObject({
      name: 'gpt-5-mini',
      baseUrl: undefined,
      output: 'auto',
    });
  });

  it('accepts another endpoint without a key', () => {
    const env = { WHETSTONE_MODEL_NAME: 'qwen3', WHETSTONE_MODEL_BASE_URL: 'http://localhost:11434/v1' };

    expect(read(env)).toMatchObject({ baseUrl: 'http://localhost:11434/v1', apiKey: undefined });
  });

  it.each([
    [{ WHETSTONE_MODEL_NAME: 'm' }, 'WHETSTONE_MODEL_NAME needs WHETSTONE_MODEL_API_KEY for OpenAI'],
    [{ WHETSTONE_MODEL_API_KEY: 'sk' }, 'WHETSTONE_MODEL_API_KEY is set, but WHETSTONE_MODEL_NAME'],
    [{ WHETSTONE_MODEL_BASE_URL: 'http://x/v1' }, 'WHETSTONE_MODEL_BASE_URL is set, but WHETSTONE_MODEL_NAME'],
    [{ WHETSTONE_MODEL_OUTPUT: 'xml' }, 'WHETSTONE_MODEL_OUTPUT must be one of auto, json_schema, json_object, text'],
  ])('rejects incomplete settings: %j', (env, message) => {
    expect(() => read(env as Record<string, string>)).toThrow(message);
  });
});

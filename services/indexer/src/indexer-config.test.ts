import { loadConfig } from '@whetstone/platform';

import { embeddingConfigOf, embeddingConfigSchema } from './indexer-config.js';

const read = (env: Record<string, string>) => embeddingConfigOf(loadConfig(embeddingConfigSchema, env));

describe('the embedding configuration', () => {
  it('defaults to the bundled model', () => {
    expect(read({})).toEqual({ cacheBytes: 32 << 20, threads: 1 });
  });

  it('uses a remote model if given with its dimension', () => {
    const named = { WHETSTONE_EMBEDDING_MODEL: 'nomic-embed-text', WHETSTONE_EMBEDDING_DIMENSION: '768' };

    expect(read({ ...named, WHETSTONE_EMBEDDING_BASE_URL: 'http://localhost:11434/v1' })).toMatchObject({
      remote: { name: 'nomic-embed-text', dimension: 768, baseUrl: 'http://localhost:11434/v1' },
    });
  });

  it.each([
    [{ WHETSTONE_EMBEDDING_MODEL: 'm' }, 'WHETSTONE_EMBEDDING_MODEL needs WHETSTONE_EMBEDDING_API_KEY'],
    [
      { WHETSTONE_EMBEDDING_MODEL: 'm', WHETSTONE_EMBEDDING_API_KEY: 'k' },
      'WHETSTONE_EMBEDDING_MODEL needs WHETSTONE_EMBEDDING_DIMENSION',
    ],
    [{ WHETSTONE_EMBEDDING_DIMENSION: '8' }, 'WHETSTONE_EMBEDDING_DIMENSION is set, but'],
    [{ WHETSTONE_EMBEDDING_BASE_URL: 'http://x/v1' }, 'WHETSTONE_EMBEDDING_BASE_URL is set, but'],
    [{ WHETSTONE_EMBEDDING_API_KEY: 'k' }, 'WHETSTONE_EMBEDDING_API_KEY is set, but'],
    [{ WHETSTONE_EMBEDDING_BASE_URL: 'localhost' }, 'WHETSTONE_EMBEDDING_BASE_URL is malformed'],
  ])('rejects contradictions: %j', (env, message) => {
    expect(() => read(env)).toThrow(message);
  });
});
